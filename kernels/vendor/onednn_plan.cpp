#include "kernels/vendor/onednn_plan.h"

#include <fmt/format.h>

namespace convscope::onednn {
namespace {

using Tag = dnnl::memory::format_tag;

Tag tag_of(Variant variant) {
    switch (variant) {
        case Variant::direct_nchw:
            return Tag::nchw;
        case Variant::direct_nhwc:
            return Tag::nhwc;
        case Variant::direct_blocked:
        case Variant::winograd:
            return Tag::any;
    }
    return Tag::any;
}

const char* layout_name(const Desc& desc, const Dims& dims) {
    if (desc == Desc(dims, dnnl::memory::data_type::f32, Tag::nchw)) return "nchw";
    if (desc == Desc(dims, dnnl::memory::data_type::f32, Tag::nhwc)) return "nhwc";
    return "blocked";
}

std::int64_t bytes(const Desc& desc) {
    return static_cast<std::int64_t>(desc.get_size());
}

}  // namespace

const char* method_id(Variant variant) {
    switch (variant) {
        case Variant::direct_nchw:
            return "onednn-direct-nchw";
        case Variant::direct_nhwc:
            return "onednn-direct-nhwc";
        case Variant::direct_blocked:
            return "onednn-direct-blocked";
        case Variant::winograd:
            return "onednn-winograd";
    }
    return "?";
}

std::int64_t Plan::unpooled_bytes() const {
    return pooling ? bytes(convolution.dst_desc()) : 0;
}

std::int64_t Plan::scratch_bytes() const {
    return bytes(convolution.scratchpad_desc()) + (pooling ? bytes(pooling->scratchpad_desc()) : 0);
}

Dims weight_dims(const ConvShape& s) {
    const Dims of_a_group{s.group_filters(), s.group_channels(), s.r, s.s};
    if (s.groups == 1) return of_a_group;
    Dims grouped{s.groups};
    grouped.insert(grouped.end(), of_a_group.begin(), of_a_group.end());
    return grouped;
}

std::string Plan::describe() const {
    return fmt::format("{}, {}, {}", variant == Variant::winograd ? "winograd" : "direct", convolution.impl_info_str(),
                       layout_name(x(), x_dims));
}

Plan make_plan(const ConvShape& s, Variant variant) {
    constexpr auto f32 = dnnl::memory::data_type::f32;
    const Tag tag = tag_of(variant);
    // The scratchpad is ours, so that it is allocated where the timing scopes expect it, and counted.
    dnnl::primitive_attr with_relu, plain;
    with_relu.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    plain.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (s.pooled()) {
        dnnl::post_ops operations;
        append_relu(operations);
        with_relu.set_post_ops(operations);
    }
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const auto algorithm =
        variant == Variant::winograd ? dnnl::algorithm::convolution_winograd : dnnl::algorithm::convolution_direct;
    Plan plan{variant,
              engine,
              {s.n, s.c, s.h, s.w},
              convolution(engine, {algorithm,
                                   Desc({s.n, s.c, s.h, s.w}, f32, tag),
                                   Desc(weight_dims(s), f32, Tag::any),
                                   Desc({s.n, s.k, s.p(), s.q()}, f32, tag),
                                   {s.stride_h, s.stride_w},
                                   {s.pad_top(), s.pad_left()},
                                   {s.pad_bottom(), s.pad_right()},
                                   {s.dilation_h, s.dilation_w},
                                   with_relu}),
              {}};
    if (s.pooled())
        plan.pooling = max_pooling(engine, {plan.convolution.dst_desc(),
                                            Desc({s.n, s.k, s.out_h(), s.out_w()}, f32, tag),
                                            {s.pool_stride, s.pool_stride},
                                            {s.pool_h, s.pool_w},
                                            plain});
    return plan;
}

Support offers(const ConvShape& shape, Variant variant) {
    try {
        make_plan(shape, variant);
        return {};
    } catch (const dnnl::error& error) {
        if (error.status == dnnl_unimplemented)
            return Support::no("oneDNN offers no such convolution for this shape on this CPU");
        return Support::no(fmt::format("oneDNN rejects this shape: {}", error.what()));
    }
}

}  // namespace convscope::onednn
