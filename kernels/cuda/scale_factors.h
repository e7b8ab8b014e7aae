// What products of the vendor's libraries and what they are added to are multiplied by; both are passed by address.
#pragma once

namespace convscope {

inline constexpr float one = 1.0F, zero = 0.0F;

}  // namespace convscope
