// When a loop is worth more than one thread.
#pragma once

#include <cstdint>

namespace convscope {

/// For `#pragma omp parallel for if (...)`: waking the threads costs some microseconds, about as much as this many
/// copied elements or multiply-adds on one of them.
constexpr bool worth_threads(std::int64_t operations) {
    return operations >= 16384;
}

}  // namespace convscope
