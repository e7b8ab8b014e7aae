// Many matrix products with one right side.
#pragma once

#include <cstdint>
#include <functional>

namespace convscope {

/// For i < count: C(i) = A(i) B, row-major, 'rows' rows each. A(i) begins at a(i) and has leading dimension lda; the
/// function is called from several threads. C(0), C(1), ... lie one behind the other in c, dense.
struct Products {
    std::int64_t count = 1, rows = 0, lda = 0;
    std::function<const float*(std::int64_t i)> a;
    float* c = nullptr;
};

}  // namespace convscope
