// cuDNN's forward algorithms, by the names that people see.
#pragma once

#include <cudnn.h>

#include <array>
#include <string>

#include "kernels/core/tensor.h"
#include "kernels/method/method.h"

namespace convscope::cudnn {

struct Algorithm {
    cudnnConvolutionFwdAlgo_t id;
    const char* name;      ///< as in the method's id and in choice()
    const char* title;     ///< in words
    const char* constant;  ///< as in cuDNN's header
    Summation summation = Summation::direct;
};

inline constexpr std::array<Algorithm, 8> algorithms{{
    {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, "implicit-gemm", "implicit GEMM",
     "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM"},
    {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, "implicit-precomp-gemm", "implicit GEMM, offsets computed ahead",
     "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM"},
    {CUDNN_CONVOLUTION_FWD_ALGO_GEMM, "gemm", "explicit GEMM", "CUDNN_CONVOLUTION_FWD_ALGO_GEMM"},
    {CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, "direct", "direct", "CUDNN_CONVOLUTION_FWD_ALGO_DIRECT"},
    {CUDNN_CONVOLUTION_FWD_ALGO_FFT, "fft", "FFT", "CUDNN_CONVOLUTION_FWD_ALGO_FFT", Summation::transform},
    {CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING, "fft-tiling", "FFT on tiles", "CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING",
     Summation::transform},
    {CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, "winograd", "Winograd", "CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD",
     Summation::transform},
    {CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED, "winograd-nonfused", "Winograd, transforms as kernels of their own",
     "CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED", Summation::transform},
}};
static_assert(algorithms.size() == CUDNN_CONVOLUTION_FWD_ALGO_COUNT);

/// One way to ask cuDNN for a convolution.
struct Choice {
    const Algorithm* algorithm = nullptr;
    Layout layout = Layout::nchw;
};

/// "implicit-precomp-gemm, NHWC"
std::string to_string(const Choice&);

}  // namespace convscope::cudnn
