// Convolution through the Fourier transform on the CPU, with FFTW.
#include <memory>
#include <optional>

#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/map_transform.h"
#include "kernels/fft/fft_size.h"
#include "kernels/fft/fft_spectra.h"
#include "kernels/method/registry.h"

namespace convscope {
namespace {

/// Workspace: the spectra of x and y, and what those of the filters take beyond w, which they replace.
class Fft1 final : public CpuExecution {
public:
    explicit Fft1(const ConvShape& shape)
        : CpuExecution(shape, Layout::nchw),
          sizes_(fft_sizes(shape)),
          X_(sizes_.x.bytes() / 4),
          Y_(sizes_.y.bytes() / 4),
          W_(sizes_.w.bytes() / 4) {
        use_workspace(X_);
        use_workspace(Y_);
        use_weights(W_);
    }

    void setup() override {
        transform_x_.emplace(sizes_.x, FftDirection::forward, FftEffort::measure);
        transform_y_.emplace(sizes_.y, FftDirection::inverse, FftEffort::measure);
    }
    void teardown() override {
        transform_x_.reset();
        transform_y_.reset();
    }

    void prepare_weights() override {
        pad_maps(sizes_.w, w(), shape().r, shape().s, 0, 0, W_.data());
        MapTransform(sizes_.w, FftDirection::forward, FftEffort::estimate).run(W_.data());
    }

    std::int64_t workspace_bytes() const override {
        return CpuExecution::workspace_bytes() + sizes_.w.bytes() - 4 * shape().w_elements();
    }

private:
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        pad_maps(sizes_.x, x(), shape().h, shape().w, shape().pad_h, shape().pad_w, X_.data());
        transform_x_->run(X_.data());
        mark(stages, "multiply");
        multiply_spectra(shape(), X_.data(), W_.data(), Y_.data());
        mark(stages, "invert");
        transform_y_->run(Y_.data());
        crop_maps(shape(), Y_.data(), y);
    }

    FftSizes sizes_;
    AlignedBuffer<float> X_, Y_, W_;
    std::optional<MapTransform> transform_x_, transform_y_;
};

}  // namespace

void register_fft(Registry& registry) {
    MethodInfo info;
    info.id = "fft1";
    info.family = "fft";
    info.title = "FFT, kernels padded to the map's size";
    info.paper = "Cho & Brand 2017";
    info.follows = "section 2.2, FFT.gpu";
    info.summation = Summation::transform;
    info.flops_executed = fft_flops;
    info.stages = {"convert", "multiply", "invert", "pool"};
    registry.add(make_cpu_method(
        {info, {}, {}, [](const ConvShape& shape, const LaunchConfig&) { return std::make_unique<Fft1>(shape); }}));
}

}  // namespace convscope
