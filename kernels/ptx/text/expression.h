// Evaluates numbers written as expressions, over a layer's fields or a traced kernel's values.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kernels/layers/conv_shape.h"

namespace convscope::ptx {

using Names = std::map<std::string, double>;

/// The names of a layer's values: n, c, h, w, k, r, s, p, q, stride, stride_h, pad, pool, ...
Names names_of(const ConvShape&);

/// Evaluates arithmetic with ceil, floor, min, max. Throws Error(usage), beginning with 'what', where it does not parse
/// or is not a whole number.
std::int64_t evaluate(const std::string& expression, const Names&, const std::string& what);

/// Evaluates an expression without names to any number. It also has a % b, the remainder, and a idiv b, the quotient
/// without its fraction, as in C. Throws Error(usage) where it does not parse.
double evaluate_numbers(const std::string& expression);

}  // namespace convscope::ptx
