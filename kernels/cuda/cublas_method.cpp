#include "kernels/cuda/cublas_method.h"

#include "kernels/cuda/blas.h"
#include "kernels/layers/fully_connected.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {
namespace {

class CublasProgram final : public GpuProgram {
public:
    explicit CublasProgram(const GpuPlan& plan) : shape_(plan.shape) {}

    void bind(Gpu& gpu, const GpuBuffers&) override {
        blas_ = std::make_unique<Blas>(gpu);
        library_bytes_ = gpu.gemm_workspace_bytes();
    }
    void unbind() override { blas_.reset(); }
    std::int64_t library_bytes() const override { return blas_ ? library_bytes_ : 0; }

    void run(Gpu&, const GpuBuffers& buffers, StageClock* stages) override {
        mark(stages, "multiply");
        blas_->multiply_rows({shape_.n, shape_.k, shape_.c, shape_.c, shape_.c, shape_.k}, buffers.x, buffers.w,
                             buffers.y);
    }

private:
    const ConvShape shape_;
    std::int64_t library_bytes_ = 0;
    std::unique_ptr<Blas> blas_;
};

std::unique_ptr<GpuProgram> make_program(const GpuPlan& plan) {
    return std::make_unique<CublasProgram>(plan);
}

class Cublas final : public GpuMethod {
public:
    Cublas()
        : GpuMethod({.id = "cublas",
                     .family = "vendor",
                     .title = "cuBLAS, a dense fully connected layer in FP32",
                     .paper = "",
                     .follows = "cublasSgemv of one image, cublasSgemm of several",
                     .device = DeviceKind::cuda,
                     .vendor = true,
                     .stages = {"multiply"}},
                    make_program, nullptr) {}

    std::string choice(const ConvShape& shape, const LaunchConfig&) const override {
        return shape.n == 1 ? "gemv" : "gemm";
    }

private:
    Support accepts(const ConvShape& shape) const override { return takes_fully_connected(info().id, shape); }
    double thread_steps(const ConvShape&) const override { return 0; }  // not simulated
    ResolvedLaunch plan(const ConvShape&, const LaunchConfig&, const DeviceModel&) const override { return {}; }
};

}  // namespace

std::unique_ptr<Method> make_cublas() {
    return std::make_unique<Cublas>();
}

}  // namespace convscope
