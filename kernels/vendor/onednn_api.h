// oneDNN's C++ API as this project uses it: the one place that knows how versions 2 and 3 differ.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

namespace convscope::onednn {

using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

inline Dims dims_of(const Desc& desc) {
#if DNNL_VERSION_MAJOR >= 3
    return desc.get_dims();
#else
    return desc.dims();
#endif
}

struct ConvolutionArguments {
    dnnl::algorithm algorithm;
    Desc x, w, y;
    Dims strides, pad_before, pad_after;
    Dims dilation;  ///< 1 for none
    dnnl::primitive_attr attributes;
};

struct PoolingArguments {
    Desc x, y;
    Dims strides, window;
    dnnl::primitive_attr attributes;
};

/// Throws dnnl::error (dnnl_unimplemented) where the library offers nothing.
inline dnnl::convolution_forward::primitive_desc convolution(const dnnl::engine& engine,
                                                             const ConvolutionArguments& a) {
    using dnnl::convolution_forward;
    constexpr auto inference = dnnl::prop_kind::forward_inference;
    const Dims skipped{a.dilation[0] - 1, a.dilation[1] - 1};  // oneDNN counts the elements left out
#if DNNL_VERSION_MAJOR >= 3
    return {engine, inference, a.algorithm, a.x, a.w, a.y, a.strides, skipped, a.pad_before, a.pad_after, a.attributes};
#else
    return {
        convolution_forward::desc(inference, a.algorithm, a.x, a.w, a.y, a.strides, skipped, a.pad_before, a.pad_after),
        a.attributes, engine};
#endif
}

/// Max-pooling without padding.
inline dnnl::pooling_forward::primitive_desc max_pooling(const dnnl::engine& engine, const PoolingArguments& a) {
    using dnnl::pooling_forward;
    constexpr auto inference = dnnl::prop_kind::forward_inference;
    const Dims none{0, 0};
#if DNNL_VERSION_MAJOR >= 3
    return {engine, inference,   dnnl::algorithm::pooling_max, a.x, a.y, a.strides, a.window, none, none,
            none,   a.attributes};
#else
    return {pooling_forward::desc(inference, dnnl::algorithm::pooling_max, a.x, a.y, a.strides, a.window, none, none),
            a.attributes, engine};
#endif
}

inline void append_relu(dnnl::post_ops& operations) {
#if DNNL_VERSION_MAJOR >= 3
    operations.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
#else
    operations.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
#endif
}

}  // namespace convscope::onednn
