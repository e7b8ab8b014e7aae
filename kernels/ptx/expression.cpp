#include "kernels/ptx/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>

#include "kernels/core/error.h"

namespace convscope::ptx {
namespace {

double rounded_up(double a) {
    return std::ceil(a);
}
double rounded_down(double a) {
    return std::floor(a);
}

}  // namespace

Names names_of(const ConvShape& shape) {
    const auto pooled = [&](std::int64_t value) { return shape.pooled() ? value : 0; };
    const std::pair<const char*, std::int64_t> fields[] = {{"n", shape.n},
                                                           {"c", shape.c},
                                                           {"h", shape.h},
                                                           {"w", shape.w},
                                                           {"k", shape.k},
                                                           {"r", shape.r},
                                                           {"s", shape.s},
                                                           {"p", shape.p()},
                                                           {"q", shape.q()},
                                                           {"stride", shape.stride_h},
                                                           {"stride_h", shape.stride_h},
                                                           {"stride_w", shape.stride_w},
                                                           {"pad", shape.pad_h},
                                                           {"pad_h", shape.pad_h},
                                                           {"pad_w", shape.pad_w},
                                                           {"pool", pooled(shape.pool_h)},
                                                           {"pool_h", pooled(shape.pool_h)},
                                                           {"pool_w", pooled(shape.pool_w)},
                                                           {"pool_stride", pooled(shape.pool_stride)},
                                                           {"out_h", shape.out_h()},
                                                           {"out_w", shape.out_w()}};
    Names names;
    for (const auto& [name, value] : fields) names[name] = static_cast<double>(value);
    return names;
}

std::int64_t evaluate(const std::string& expression, const Names& names, const std::string& what) {
    double value = 0;
    try {
        mu::Parser parser;
        parser.ClearConst();
        parser.DefineFun("ceil", rounded_up);
        parser.DefineFun("floor", rounded_down);
        for (const auto& [name, number] : names) parser.DefineConst(name, number);
        parser.SetExpr(expression);
        value = parser.Eval();
    } catch (const mu::Parser::exception_type& error) {
        throw Error(ErrorKind::usage, fmt::format("{}: '{}' does not read: {}", what, expression, error.GetMsg()));
    }
    if (value != std::floor(value) || std::fabs(value) > 0x1p53)
        throw Error(ErrorKind::usage, fmt::format("{}: '{}' is {}, not a whole number", what, expression, value));
    return static_cast<std::int64_t>(value);
}

}  // namespace convscope::ptx
