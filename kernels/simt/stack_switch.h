// Tells AddressSanitizer which stack the CPU is on; without it, it takes the frames of one fiber for another's.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace convscope::simt {

struct StackBounds {
    const void* bottom = nullptr;
    std::size_t size = 0;
    void* fake = nullptr;  ///< the sanitizer's own, kept while the stack is not running
};

/// Right before a switch from one stack to another. A stack that will not run again is left with 'last'.
inline void leave_stack([[maybe_unused]] StackBounds& from, [[maybe_unused]] const StackBounds& to,
                        [[maybe_unused]] bool last = false) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fake, to.bottom, to.size);
#endif
}

/// Right after it, on the stack that runs now; learns the bounds of the one that was left.
inline void enter_stack([[maybe_unused]] StackBounds& now, [[maybe_unused]] StackBounds& left) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(now.fake, &left.bottom, &left.size);
#endif
}

}  // namespace convscope::simt
