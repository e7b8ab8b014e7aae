// Numbers that are written as expressions: of a layer's fields, or of what a traced kernel holds.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kernels/core/conv_shape.h"

namespace convscope::ptx {

using Names = std::map<std::string, double>;

/// n, c, h, w, k, r, s, p, q, stride, stride_h, pad, pool, ...
Names names_of(const ConvShape&);

/// Arithmetic with ceil, floor, min, max. Throws Error(usage), beginning with 'what', where it does not read or is no
/// whole number.
std::int64_t evaluate(const std::string& expression, const Names&, const std::string& what);

/// The same of an expression without names, whatever it is equal to. Besides, a % b is the remainder, and a idiv b the
/// quotient without its fraction, as C has them. Throws Error(usage) where it does not read.
double evaluate_numbers(const std::string& expression);

}  // namespace convscope::ptx
