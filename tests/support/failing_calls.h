// Calls of the system that fail once, in turn, or at which the process is killed. Linked into a test, or preloaded into
// a program (CONVSCOPE_FAIL=write:3; how many of the kind there were is written to the file of CONVSCOPE_FAIL_LOG at
// the end; CONVSCOPE_KILL=3).
#pragma once

namespace convscope::testing {

/// 'write' and 'sync' are of regular files beyond the standard streams, 'open' makes one, 'allocate' is operator new
/// from the first 'open' on. 'space' is of bytes that are written, of which a full disk takes those before.
enum class FailingCall { none, write, sync, rename, open, truncate, start, allocate, space };
inline constexpr FailingCall failing_file_calls[] = {FailingCall::write, FailingCall::sync, FailingCall::rename,
                                                     FailingCall::open, FailingCall::truncate};
constexpr const char* to_string(FailingCall call) {
    constexpr const char* names[] = {"none",     "write", "sync",     "rename", "open",
                                     "truncate", "start", "allocate", "space"};
    return names[static_cast<int>(call)];
}

/// The n-th call of this kind from now on fails, of bytes the n-th and all after it; n = 0: none, but they are counted.
void fail_call(FailingCall, long n);
/// Since fail_call().
long counted_calls();

/// The process is killed, as by kill -9, before its n-th call from now on that changes a file beyond the standard
/// streams; a write counts twice, and is killed with half of its bytes written the second time. Between two of these
/// calls, files stay as they are, so that each n in turn is every moment. n = 0: it is not killed.
void kill_at_call(long n);

}  // namespace convscope::testing
