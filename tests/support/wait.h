// Waiting for a state in a test, never for a time.
#pragma once

#include <chrono>
#include <thread>

namespace convscope::testing {

/// Ends a test that hangs, and decides nothing else: what an idle machine does in seconds may take minutes while
/// compilers run and under sanitizers. CTest ends a test long after it.
inline constexpr std::chrono::minutes hang_limit{10};

inline void nap() {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// Whether 'done' came; 'meanwhile' runs before each further look.
template <class Done, class Meanwhile = void (*)()>
bool wait_until(Done done, Meanwhile meanwhile = nap) {
    const auto end = std::chrono::steady_clock::now() + hang_limit;
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        meanwhile();
    }
    return true;
}

}  // namespace convscope::testing
