#include "kernels/cuda/fft.h"

#include <cufft.h>
#include <fmt/format.h>

#include <array>

#include "kernels/core/error.h"
#include "kernels/cuda/check.h"

namespace convscope {
namespace {

void check_fft(cufftResult status, const char* call, const char* file, int line) {
    if (status == CUFFT_SUCCESS) return;
    cudaGetLastError();
    // cuFFT has no words for its codes.
    const std::string why = fmt::format("cufftResult {}", static_cast<int>(status));
    if (status == CUFFT_ALLOC_FAILED) throw OutOfMemory(failed_call(call, file, line, why));
    throw Error(ErrorKind::failed, failed_call(call, file, line, why));
}
#define CONVSCOPE_CUFFT(call) check_fft((call), #call, __FILE__, __LINE__)

/// Destroys the plan, also when the rest of its making fails.
class PlanHandle {
public:
    PlanHandle() { CONVSCOPE_CUFFT(cufftCreate(&plan_)); }
    ~PlanHandle() { cufftDestroy(plan_); }
    PlanHandle(const PlanHandle&) = delete;
    PlanHandle& operator=(const PlanHandle&) = delete;
    operator cufftHandle() const { return plan_; }

private:
    cufftHandle plan_ = 0;
};

class CufftPlan final : public BatchedFft {
public:
    CufftPlan(Gpu& gpu, const FftShape& shape, FftDirection direction) : gpu_(gpu), direction_(direction) {
        auto* stream = static_cast<cudaStream_t>(gpu_.stream());
        using Sizes = std::array<long long, 2>;
        Sizes size{shape.rows, shape.columns}, real{shape.rows, shape.row_floats()}, complex{shape.rows, shape.bins()};
        const long long real_distance = shape.map_floats(), complex_distance = shape.frequencies();
        const bool forward = direction == FftDirection::forward;
        CONVSCOPE_CUFFT(cufftSetAutoAllocation(plan_, 0));
        CONVSCOPE_CUFFT(cufftMakePlanMany64(
            plan_, 2, size.data(), (forward ? real : complex).data(), 1, forward ? real_distance : complex_distance,
            (forward ? complex : real).data(), 1, forward ? complex_distance : real_distance,
            forward ? CUFFT_R2C : CUFFT_C2R, shape.maps, &bytes_));
        CONVSCOPE_CUFFT(cufftSetStream(plan_, stream));
        if (bytes_ == 0) return;
        work_ = gpu_.allocate(bytes_);
        const cufftResult status = cufftSetWorkArea(plan_, work_);
        if (status != CUFFT_SUCCESS) gpu_.release(work_);
        CONVSCOPE_CUFFT(status);
    }
    ~CufftPlan() override { gpu_.release(work_); }
    CufftPlan(const CufftPlan&) = delete;
    CufftPlan& operator=(const CufftPlan&) = delete;

    std::int64_t device_bytes() const override { return static_cast<std::int64_t>(bytes_); }

    void run(float* maps) override {
        gpu_.stream();  // makes this device the thread's current one
        auto* spectra = reinterpret_cast<cufftComplex*>(maps);
        if (direction_ == FftDirection::forward)
            CONVSCOPE_CUFFT(cufftExecR2C(plan_, maps, spectra));
        else
            CONVSCOPE_CUFFT(cufftExecC2R(plan_, spectra, maps));
    }

private:
    Gpu& gpu_;
    const FftDirection direction_;
    PlanHandle plan_;
    std::size_t bytes_ = 0;
    void* work_ = nullptr;
};

}  // namespace

std::unique_ptr<BatchedFft> make_cuda_fft(Gpu& gpu, const FftShape& shape, FftDirection direction) {
    return std::make_unique<CufftPlan>(gpu, shape, direction);
}

}  // namespace convscope
