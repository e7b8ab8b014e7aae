#include "kernels/cuda/sparse.h"

#include <fmt/format.h>

#include <type_traits>

#include "kernels/core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/scale_factors.h"

namespace convscope {
namespace {

void check_sparse(cusparseStatus_t status, const char* call, const char* file, int line) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    cudaGetLastError();
    const std::string why = fmt::format("{} ({})", cusparseGetErrorString(status), cusparseGetErrorName(status));
    if (status == CUSPARSE_STATUS_ALLOC_FAILED) throw OutOfMemory(failed_call(call, file, line, why));
    throw Error(ErrorKind::failed, failed_call(call, file, line, why));
}
#define CONVSCOPE_CUSPARSE(call) check_sparse((call), #call, __FILE__, __LINE__)

struct Destroy {
    void operator()(cusparseConstSpMatDescr_t matrix) const { cusparseDestroySpMat(matrix); }
    void operator()(cusparseConstDnMatDescr_t matrix) const { cusparseDestroyDnMat(matrix); }
};
template <class Descriptor>
using Owned = std::unique_ptr<std::remove_pointer_t<Descriptor>, Destroy>;

Owned<cusparseConstSpMatDescr_t> describe(const SparseProductShape& shape, const CsrArrays& s) {
    cusparseConstSpMatDescr_t matrix = nullptr;
    CONVSCOPE_CUSPARSE(cusparseCreateConstCsr(&matrix, shape.rows, shape.depth, shape.capacity, s.row_offsets,
                                              s.columns, s.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    return Owned<cusparseConstSpMatDescr_t>(matrix);
}

Owned<cusparseConstDnMatDescr_t> describe(std::int64_t rows, std::int64_t columns, std::int64_t leading,
                                          const float* dense) {
    cusparseConstDnMatDescr_t matrix = nullptr;
    CONVSCOPE_CUSPARSE(
        cusparseCreateConstDnMat(&matrix, rows, columns, leading, dense, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    return Owned<cusparseConstDnMatDescr_t>(matrix);
}

Owned<cusparseDnMatDescr_t> describe(std::int64_t rows, std::int64_t columns, float* dense) {
    cusparseDnMatDescr_t matrix = nullptr;
    CONVSCOPE_CUSPARSE(cusparseCreateDnMat(&matrix, rows, columns, columns, dense, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    return Owned<cusparseDnMatDescr_t>(matrix);
}

constexpr cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// The number of non-zeros depends on x, and asking the device for it would take the host into the clock and the work
/// out of a graph. The descriptor is told the capacity instead, an upper bound, and the algorithm is the one that goes
/// by the row offsets: CSR_ALG3. The others, and cusparseSpMV, divide the descriptor's number among their blocks and
/// read behind the last non-zero. Of the four ALG3 was also the fastest on every layer tried (H100, CUDA 13.0).
constexpr cusparseSpMMAlg_t by_row_offsets = CUSPARSE_SPMM_CSR_ALG3;

class CusparseProduct final : public SparseProduct {
public:
    CusparseProduct(Gpu& gpu, cusparseHandle_t handle, const SparseProductShape& shape, const CsrArrays& s,
                    const float* d, float* c)
        : gpu_(gpu),
          handle_(handle),
          s_(describe(shape, s)),
          d_(describe(shape.depth, shape.columns, shape.ldd, d)),
          c_(describe(shape.rows, shape.columns, c)) {
        gpu_.stream();  // makes this device the thread's current one
        CONVSCOPE_CUSPARSE(cusparseSpMM_bufferSize(handle_, as_is, as_is, &one, s_.get(), d_.get(), &zero, c_.get(),
                                                   CUDA_R_32F, by_row_offsets, &bytes_));
        if (bytes_ > 0) work_ = gpu_.allocate(bytes_);
    }
    ~CusparseProduct() override { gpu_.release(work_); }
    CusparseProduct(const CusparseProduct&) = delete;
    CusparseProduct& operator=(const CusparseProduct&) = delete;

    std::int64_t device_bytes() const override { return static_cast<std::int64_t>(bytes_); }

    void run() override {
        gpu_.stream();  // makes this device the thread's current one
        CONVSCOPE_CUSPARSE(cusparseSpMM(handle_, as_is, as_is, &one, s_.get(), d_.get(), &zero, c_.get(), CUDA_R_32F,
                                        by_row_offsets, work_));
    }

private:
    Gpu& gpu_;
    cusparseHandle_t handle_;
    Owned<cusparseConstSpMatDescr_t> s_;
    Owned<cusparseConstDnMatDescr_t> d_;
    Owned<cusparseDnMatDescr_t> c_;
    std::size_t bytes_ = 0;
    void* work_ = nullptr;
};

}  // namespace

Sparse::Sparse(Gpu& gpu) : gpu_(gpu) {
    auto* stream = static_cast<cudaStream_t>(gpu_.stream());
    CONVSCOPE_CUSPARSE(cusparseCreate(&handle_));
    const cusparseStatus_t status = cusparseSetStream(handle_, stream);
    if (status != CUSPARSE_STATUS_SUCCESS) cusparseDestroy(handle_);
    CONVSCOPE_CUSPARSE(status);
}

Sparse::~Sparse() {
    cusparseDestroy(handle_);
}

std::unique_ptr<SparseProduct> Sparse::make_product(const SparseProductShape& shape, const CsrArrays& s, const float* d,
                                                    float* c) {
    return std::make_unique<CusparseProduct>(gpu_, handle_, shape, s, d, c);
}

}  // namespace convscope
