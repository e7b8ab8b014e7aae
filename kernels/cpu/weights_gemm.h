// Lowered windows times the weights: the multiplying half of im2col and MEC.
#pragma once

#include "kernels/core/launch.h"
#include "kernels/cpu/packed_gemm.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// --set openblas=1: OpenBLAS multiplies; 0 (the default): PackedGemm does. Both im2col and MEC have it, so that the
/// two are always compared on the same product.
const Tunable& openblas_tunable();

/// The right side is the weights as [r s c][k]: rows in the order of a lowered NHWC window.
class WeightsGemm {
public:
    WeightsGemm(const ConvShape&, bool openblas);

    std::int64_t elements() const;  ///< floats of the prepared weights
    /// 'w' is KCRS.
    void prepare(const float* w, float* prepared) const;
    void multiply(const float* prepared, const Products&) const;

private:
    void multiply_by_blas(const float* prepared, const Products&) const;

    ConvShape shape_;
    bool openblas_;
    PackedGemm packed_;
};

}  // namespace convscope
