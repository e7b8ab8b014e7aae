// fft1's launchers and its registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/fft/fft_kernels.h"
#include "kernels/fft/fft_methods.h"
#include "kernels/fft/fft_size.h"
#include "kernels/im2col/im2col_methods.h"
#include "kernels/method/registry.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

using Multiply = void (*)(Global<const float2>, Global<const float2>, Global<float2>, int, int, int, int);

template <int images>
Multiply with_filters(std::int64_t filters) {
    if (filters == 1) return fft_multiply<images, 1>;
    return filters == 2 ? Multiply{fft_multiply<images, 2>} : Multiply{fft_multiply<images, 4>};
}

Multiply multiply_kernel(const FftTile& tile) {
    if (tile.images == 1) return with_filters<1>(tile.filters);
    return tile.images == 2 ? with_filters<2>(tile.filters) : with_filters<4>(tile.filters);
}

int to_int(std::int64_t size) {
    return static_cast<int>(size);
}

class Fft1Program final : public GpuProgram {
public:
    explicit Fft1Program(const GpuPlan& plan)
        : shape_(to_kernel_shape(plan.shape)),
          sizes_(fft_sizes(plan.shape)),
          kernel_(multiply_kernel(fft_tile(plan.shape, plan.config))),
          pad_(plan.launch("fft_pad")),
          multiply_(plan.launch("fft_multiply")),
          crop_(plan.launch("fft_crop")) {}

    void bind(Gpu& gpu, const GpuBuffers&) override {
        forward_ = gpu.make_fft(sizes_.x, FftDirection::forward);
        inverse_ = gpu.make_fft(sizes_.y, FftDirection::inverse);
    }
    void unbind() override {
        forward_.reset();
        inverse_.reset();
    }
    std::int64_t library_bytes() const override {
        return forward_ ? forward_->device_bytes() + inverse_->device_bytes() : 0;
    }

    /// The plan for the filters, and the memory that it works in, are needed this once only.
    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        const auto at = plan_lowering("fft_pad", sizes_.w.maps * sizes_.w.rows, sizes_.w.columns, {}).kernels.front();
        const auto transform = gpu.make_fft(sizes_.w, FftDirection::forward);
        launch(gpu, fft_pad, at, buffers.w, shape_.r, shape_.s, 0, 0, buffers.prepared_weights, to_int(sizes_.w.maps),
               to_int(sizes_.w.rows), to_int(sizes_.w.row_floats()));
        transform->run(buffers.prepared_weights);
        gpu.synchronize();
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        const FftShape& x = sizes_.x;
        const FftShape& y = sizes_.y;
        auto* X = reinterpret_cast<float*>(buffers.workspace);
        auto* Y = reinterpret_cast<float*>(buffers.workspace + sizes_.y_offset());
        mark(stages, "convert");
        launch(gpu, fft_pad, pad_, buffers.x, shape_.h, shape_.w, shape_.pad_h, shape_.pad_w, X, to_int(x.maps),
               to_int(x.rows), to_int(x.row_floats()));
        forward_->run(X);
        mark(stages, "multiply");
        launch(gpu, kernel_, multiply_, reinterpret_cast<const float2*>(X),
               reinterpret_cast<const float2*>(buffers.prepared_weights), reinterpret_cast<float2*>(Y), shape_.n,
               shape_.c, shape_.k, to_int(y.frequencies()));
        mark(stages, "invert");
        inverse_->run(Y);
        launch(gpu, fft_crop, crop_, shape_, Y, to_int(y.rows), to_int(y.row_floats()),
               1.0f / static_cast<float>(y.rows * y.columns), buffers.conv);
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "fft_pad") return registers_of(fft_pad);
        return kernel == "fft_crop" ? registers_of(fft_crop) : registers_of(kernel_);
    }

private:
    const KernelShape shape_;
    const FftSizes sizes_;
    const Multiply kernel_;
    const KernelLaunch pad_, multiply_, crop_;
    std::unique_ptr<BatchedFft> forward_, inverse_;
};

}  // namespace

void register_fft(Registry& registry) {
    registry.add(make_fft1(device_kind, make_program<Fft1Program>, make_nchw_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
