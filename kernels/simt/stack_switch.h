// Tells the sanitizers which stack the CPU is on; without it, they take the frames of one fiber for another's.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace convscope::simt {

struct StackBounds {
    const void* bottom = nullptr;
    std::size_t size = 0;
    void* fake = nullptr;  ///< the sanitizer's own, kept while the stack is not running
#if defined(__SANITIZE_THREAD__)
    void* running = nullptr;  ///< what ThreadSanitizer takes the stack for
    bool made = false;
    ~StackBounds() {
        if (made) __tsan_destroy_fiber(running);
    }
#endif
};

/// Right before a switch from one stack to another. A stack that will not run again is left with 'last'. Inlined, or
/// ThreadSanitizer would see it entered on one stack and left on the other.
[[gnu::always_inline]] inline void leave_stack([[maybe_unused]] StackBounds& from, [[maybe_unused]] StackBounds& to,
                                               [[maybe_unused]] bool last = false) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fake, to.bottom, to.size);
#elif defined(__SANITIZE_THREAD__)
    from.running = __tsan_get_current_fiber();
    to.made |= !to.running;
    if (!to.running) to.running = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(to.running, 0);
#endif
}

/// Right after it, on the stack that runs now; learns the bounds of the one that was left.
inline void enter_stack([[maybe_unused]] StackBounds& now, [[maybe_unused]] StackBounds& left) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(now.fake, &left.bottom, &left.size);
#endif
}

}  // namespace convscope::simt
