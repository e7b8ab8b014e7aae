#include "kernels/ptx/text/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>

#include "kernels/core/error.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/ptx/text/why_unread.h"

namespace convscope::ptx {
namespace {

double rounded_up(double a) {
    return std::ceil(a);
}
double rounded_down(double a) {
    return std::floor(a);
}
double remainder_of(double a, double b) {
    return std::fmod(a, b);
}
double whole_quotient(double a, double b) {
    return std::trunc(a / b);
}

mu::Parser arithmetic() {
    mu::Parser parser;
    parser.DefineNameChars("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.[]");  // p.size[0]
    parser.ClearConst();
    parser.DefineFun("ceil", rounded_up);
    parser.DefineFun("floor", rounded_down);
    return parser;
}

}  // namespace

Names names_of(const ConvShape& shape) {
    Names names;
    const auto add = [&](const char* name, std::int64_t value) { names[name] = static_cast<double>(value); };
    for (const ShapeField& field : shape_fields) add(field.name, shape.*field.member);
    // One number for both directions.
    add("stride", shape.stride_h);
    add("pad", shape.pad_h);
    add("dilation", shape.dilation_h);
    add("pool", shape.pool_h);
    add("p", shape.p());
    add("q", shape.q());
    add("out_h", shape.out_h());
    add("out_w", shape.out_w());
    return names;
}

std::int64_t evaluate(const std::string& expression, const Names& names, const std::string& what) {
    double value = 0;
    try {
        mu::Parser parser = arithmetic();
        for (const auto& [name, number] : names) parser.DefineConst(name, number);
        parser.SetExpr(expression);
        value = parser.Eval();
    } catch (const mu::Parser::exception_type& error) {
        throw Error(ErrorKind::usage, fmt::format("{}: '{}' does not read: {}", what, expression, why_unread(error)));
    }
    if (std::fabs(value) > 0x1p53)
        throw Error(ErrorKind::usage, fmt::format("{}: '{}' is {}, which is too large", what, expression, value));
    if (value != std::floor(value))
        throw Error(ErrorKind::usage,
                    fmt::format("{}: '{}' is {}, not a whole number{}", what, expression, value,
                                expression.find('/') == std::string::npos
                                    ? ""
                                    : "; '/' does not round as CUDA's does: write ceil(n/256) for (n+255)/256, "
                                      "floor(n/256) for n/256"));
    return static_cast<std::int64_t>(value);
}

double evaluate_numbers(const std::string& expression) {
    try {
        mu::Parser parser = arithmetic();
        parser.DefineOprt("%", remainder_of, mu::prMUL_DIV);
        parser.DefineOprt("idiv", whole_quotient, mu::prMUL_DIV);
        parser.SetExpr(expression);
        return parser.Eval();
    } catch (const mu::Parser::exception_type& error) {
        throw Error(ErrorKind::usage, fmt::format("'{}' does not read: {}", expression, why_unread(error)));
    }
}

}  // namespace convscope::ptx
