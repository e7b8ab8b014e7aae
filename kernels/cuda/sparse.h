// cuSPARSE behind the one product that our methods use.
#pragma once

#include <cusparse.h>

#include <memory>

#include "kernels/method/gpu.h"

namespace convscope {

/// A cuSPARSE handle on one stream. Work memory is ours, so products can be captured into a graph.
class Sparse {
public:
    /// 'gpu' lends the work memory and outlives *this.
    explicit Sparse(Gpu& gpu);
    ~Sparse();
    Sparse(const Sparse&) = delete;
    Sparse& operator=(const Sparse&) = delete;

    /// The product uses the handle: *this outlives it.
    std::unique_ptr<SparseProduct> make_product(const SparseProductShape&, const CsrArrays&, const float* d, float* c);

private:
    Gpu& gpu_;
    cusparseHandle_t handle_ = nullptr;
};

}  // namespace convscope
