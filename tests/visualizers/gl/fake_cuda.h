// A stand-in for CUDA's access to OpenGL, which maps the buffers into host memory, and one for the kernels, which has
// the host write there.
#pragma once

#include <memory>
#include <vector>

#include "kernels/layers/layer_writer.h"
#include "visualizers/gl/interop.h"

namespace convscope::testing {

/// Counts what is registered and mapped, and chooses the calls that fail.
struct StandIn {
    int registered = 0, mapped = 0;
    bool fail_register = false, fail_map = false, fail_unmap = false;
    bool fail_build = false;  ///< kernels, too
    int images_left = 1000;   ///< of whole layers, until writing fails half way through the next
};
extern StandIn stand_in;

CudaGlModule stand_in_for_cuda();

/// Poses as a builder that writes GPU memory.
class StandInBuilder final : public LayoutBuilder {
public:
    bool on_gpu() const override { return true; }
    std::string describe() const override { return "built by kernels"; }
    void build(Format, const ConvShape&, const float* x, const float* w, const std::vector<void*>& out) override;
    std::unique_ptr<LayerWriter> make_layer_writer(const LayerJob&, const float* w) override;

private:
    std::unique_ptr<LayoutBuilder> host_ = make_host_layout_builder();
};

}  // namespace convscope::testing
