#include <fmt/format.h>

#include "kernels/core/error.h"
#include "kernels/layers/layout_builder.h"

namespace convscope {
namespace {

constexpr const char* conv_meaning = "the convolution, [p][q]";

std::vector<ArraySpec> im2col_arrays(const ConvShape& s) {
    return {{"matrix", "every window as a row, [p q][r s]", Element::f32, s.p() * s.q(), s.window()},
            {"y", conv_meaning, Element::f32, s.p(), s.q()}};
}

std::vector<ArraySpec> mec_arrays(const ConvShape& s) {
    return {{"L", "the strip of x behind each output column, [q][padded_h s]", Element::f32, s.q(), s.padded_h() * s.s},
            {"y", conv_meaning, Element::f32, s.p(), s.q()}};
}

std::vector<ArraySpec> ecr_arrays(const ConvShape& s) {
    const std::int64_t windows = s.p() * s.q();
    return {{"F_data", "the non-zero elements of each window, [p q][r s]", Element::f32, windows, s.window()},
            {"K_data", "the weight for each element of F_data, [p q][r s]", Element::f32, windows, s.window()},
            {"Ptr", "non-zero elements per window, -1 for none, [p][q]", Element::i32, s.p(), s.q()},
            {"y", conv_meaning, Element::f32, s.p(), s.q()}};
}

std::vector<ArraySpec> pecr_arrays(const ConvShape& s) {
    const std::int64_t pools = s.out_h() * s.out_w(), per_pool = s.pool_h * s.pool_w, slots = per_pool * s.window();
    return {
        {"Data", "the non-zero elements of each pooling window's windows, [out_h out_w][pool_h pool_w r s]",
         Element::f32, pools, slots},
        {"Index", "the weight's position in the filter for each element of Data, likewise", Element::i32, pools, slots},
        {"Count", "non-zero elements per window, [out_h out_w][pool_h pool_w]", Element::i32, pools, per_pool},
        {"conv", conv_meaning, Element::f32, s.p(), s.q()},
        {"y", "the result after ReLU and max-pooling, [out_h][out_w]", Element::f32, s.out_h(), s.out_w()}};
}

}  // namespace

void require_layout(Format format, const ConvShape& shape) {
    if (format == Format::pecr && !shape.pooled())
        throw Error(ErrorKind::usage, "PECR needs a pooling layer; set --pool");
    if (format == Format::mec && shape.dilated())
        throw Error(ErrorKind::usage,
                    fmt::format("MEC needs windows whose rows follow each other in L; dilation is {},{} and must be 1",
                                shape.dilation_h, shape.dilation_w));
}

std::vector<ArraySpec> layout_arrays(Format format, const ConvShape& shape) {
    validate(shape);
    if (shape.n != 1 || shape.c != 1 || shape.k != 1)
        throw Error(ErrorKind::usage,
                    fmt::format("a layout is built for one map and one filter; this shape has n = {}, c = {}, k = {}",
                                shape.n, shape.c, shape.k));
    require_layout(format, shape);
    switch (format) {
        case Format::im2col:
            return im2col_arrays(shape);
        case Format::mec:
            return mec_arrays(shape);
        case Format::ecr:
            return ecr_arrays(shape);
        case Format::pecr:
            return pecr_arrays(shape);
    }
    return {};
}

}  // namespace convscope
