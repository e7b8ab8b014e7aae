// A convolution (+ ReLU + max-pooling) of oneDNN, prepared for one shape.
#pragma once

#include <optional>
#include <string>

#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/vendor/onednn_api.h"

namespace convscope::onednn {

/// One of the ways in which the library can be asked.
enum class Variant {
    direct_nchw,
    direct_nhwc,
    direct_blocked,  ///< direct convolution, layouts of the library's choice
    winograd,        ///< Winograd, layouts of the library's choice
};
constexpr Variant variants[] = {Variant::direct_nchw, Variant::direct_nhwc, Variant::direct_blocked, Variant::winograd};
const char* method_id(Variant);  ///< "onednn-direct-nchw"

struct Plan {
    Variant variant;
    dnnl::engine engine;
    Dims x_dims;
    dnnl::convolution_forward::primitive_desc convolution;
    std::optional<dnnl::pooling_forward::primitive_desc> pooling;

    Desc x() const { return convolution.src_desc(); }
    Desc w() const { return convolution.weights_desc(); }
    Desc y() const { return pooling ? pooling->dst_desc() : convolution.dst_desc(); }
    std::int64_t unpooled_bytes() const;  ///< of the convolution's output where pooling follows
    std::int64_t scratch_bytes() const;   ///< of the scratchpads
    std::string describe() const;         ///< "direct, jit:avx512_core, blocked"
};

/// (k, c, r, s), with several groups (groups, k, c, r, s) of one group's k and c.
Dims weight_dims(const ConvShape&);

/// Throws dnnl::error where the library offers nothing.
Plan make_plan(const ConvShape&, Variant);

/// Whether make_plan() works, or what the library said.
Support offers(const ConvShape&, Variant);

}  // namespace convscope::onednn
