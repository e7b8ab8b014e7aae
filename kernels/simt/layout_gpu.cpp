// The LayoutBuilder whose arrays the methods' own kernels write. Compiled once per dialect (kernels/simt/dialect.h).
#include <stdexcept>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/gpu_registration.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

constexpr bool real_gpu = device_kind == DeviceKind::cuda;

class GpuLayoutBuilder final : public LayoutBuilder {
public:
    GpuLayoutBuilder(Gpu& gpu, const DeviceInfo& device) : gpu_(gpu), device_(device) {}

    bool on_gpu() const override { return real_gpu; }
    std::string describe() const override {
        return real_gpu ? "built by the CUDA kernels on " + device_.id : "built by the CUDA kernels, run on the CPU";
    }

    void build(Format format, const ConvShape& shape, const float* x, const float* w,
               const std::vector<void*>& out) override {
        require_plain(shape);
        const std::vector<ArraySpec> arrays = layout_arrays(format, shape);
        if (out.size() != arrays.size() + 2)
            throw std::logic_error("LayoutBuilder::build: 'out' must hold x, w and every array of the format");
        gpu_.upload(out[0], x, static_cast<std::size_t>(shape.x_elements()) * sizeof(float));
        gpu_.upload(out[1], w, static_cast<std::size_t>(shape.w_elements()) * sizeof(float));
        // Slots that no kernel fills hold the 'empty' value.
        constexpr int empty = 0xff;
        for (std::size_t i = 0; i < arrays.size(); ++i)
            gpu_.fill_bytes(out[i + 2], empty, static_cast<std::size_t>(arrays[i].bytes()));
        fill(format, shape, out);
        gpu_.synchronize();
    }

    std::unique_ptr<LayerWriter> make_layer_writer(const LayerJob& job, const float* w) override {
        require_plain(job.shape);
        return make_gpu_layer_writer(gpu_, device_.model, job, w);
    }

private:
    static void require_plain(const ConvShape& shape) {
        if (shape.dilated()) throw Error(ErrorKind::usage, "the CUDA kernels take no dilation");
        if (shape.padded_by_side())
            throw Error(ErrorKind::usage, "the CUDA kernels take as much padding below as above and right as left");
    }

    void fill(Format format, ConvShape shape, const std::vector<void*>& out) {
        if (format == Format::pecr) {
            build_pecr_layout(gpu_, shape, device_.model, out);
            return;
        }
        shape.pool_h = shape.pool_w = shape.pool_stride = 0;  // the other formats end with the convolution
        if (format == Format::ecr) build_ecr_layout(gpu_, shape, device_.model, out);
        if (format == Format::mec) build_mec_layout(gpu_, shape, device_.model, out);
        if (format == Format::im2col) build_im2col_layout(gpu_, shape, device_.model, out);
    }

    Gpu& gpu_;
    const DeviceInfo device_;
};

}  // namespace

std::unique_ptr<LayoutBuilder> make_gpu_layout_builder(Gpu& gpu, const DeviceInfo& device) {
    return std::make_unique<GpuLayoutBuilder>(gpu, device);
}

}  // namespace convscope::CONVSCOPE_DIALECT
