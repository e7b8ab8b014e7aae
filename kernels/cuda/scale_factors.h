// The factors alpha and beta of the vendor's libraries; both are passed by address.
#pragma once

namespace convscope {

inline constexpr float one = 1.0F, zero = 0.0F;

}  // namespace convscope
