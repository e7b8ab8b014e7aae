// The common part of every CPU method's Execution: staging and working copies of x, w and y, the workspace, and the
// separate pooling stage.
#pragma once

#include <vector>

#include "kernels/cpu/aligned_buffer.h"
#include "kernels/method/method.h"

namespace convscope {

/// A derived class declares its buffers as members, hands them to use_workspace() or use_weights() in its
/// constructor, and computes in convolve().
///
/// Workspace counted: everything that run() needs besides x, w and y. Prepared weights replace w and are not
/// counted.
class CpuExecution : public Execution {
public:
    /// 'fuses_pooling' says that convolve() itself applies ReLU and pooling where the shape asks for them.
    CpuExecution(const ConvShape& shape, Layout layout, bool fuses_pooling = false);

    void allocate() override;
    void stage_inputs(const Workload&) override;
    void upload() override;
    void poison_output() override;
    void run(StageClock* stages) override;
    void download() override;
    Tensor output() const override;
    void release() override;
    std::int64_t workspace_bytes() const override;

protected:
    /// x and w to y: (n, k, p, q), or (n, k, out_h, out_w) when pooling is fused, in layout().
    virtual void convolve(float* y, StageClock* stages) = 0;

    void use_workspace(RawBuffer& buffer) { workspace_.push_back(&buffer); }
    void use_weights(RawBuffer& buffer) { weights_.push_back(&buffer); }

    const ConvShape& shape() const { return shape_; }
    Layout layout() const { return layout_; }
    const float* x() const { return x_.data(); }
    const float* w() const { return w_.data(); }  ///< KCRS, as uploaded

private:
    ConvShape shape_;
    Layout layout_;
    bool separate_pooling_;
    Tensor staged_x_, staged_w_, staged_y_;
    AlignedBuffer<float> x_, w_, y_, unpooled_;
    std::vector<RawBuffer*> workspace_, weights_;
};

/// Marks a stage when a clock is there.
inline void mark(StageClock* stages, const char* stage) {
    if (stages) stages->mark(stage);
}

}  // namespace convscope
