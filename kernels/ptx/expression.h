// Whole numbers that are written as expressions of a layer's fields.
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

}  // namespace convscope::ptx
