#include "tests/support/failing_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace convscope::testing {
namespace {

std::atomic<FailingCall> failing{FailingCall::none};
std::atomic<long> calls{0}, fails_at{0};
std::atomic<bool> has_opened{false};
std::atomic<long> changes{0}, killed_at{0};

/// Counts a call of this kind; whether it is the one that fails, with this error.
bool fails(FailingCall kind, int error) {
    if (failing != kind || ++calls != fails_at) return false;
    errno = error;
    return true;
}

/// Counts a change of a file; whether the process is to be killed here.
bool is_killed_here() {
    return killed_at != 0 && ++changes == killed_at;
}
[[noreturn]] void die() {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}
void count_change() {
    if (is_killed_here()) die();
}

/// How many of the bytes there is space for.
size_t taken_of(size_t count) {
    const long before = calls.fetch_add(static_cast<long>(count));
    return fails_at == 0 ? count : static_cast<size_t>(std::clamp(fails_at - 1 - before, 0L, static_cast<long>(count)));
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_file(int descriptor) {
    struct stat status {};
    return descriptor > STDERR_FILENO && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool makes_a_file(int flags) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/// Set up when the library is preloaded: the environment says which call fails.
struct Preloaded {
    Preloaded() {
        const char* wanted = std::getenv("CONVSCOPE_FAIL");
        const char* kill_at = std::getenv("CONVSCOPE_KILL");
        if (kill_at) kill_at_call(std::atol(kill_at));
        for (int kind = 1; kind <= static_cast<int>(FailingCall::space); ++kind) {
            const auto call = static_cast<FailingCall>(kind);
            const std::size_t length = std::strlen(to_string(call));
            if (wanted && std::strncmp(wanted, to_string(call), length) == 0 && wanted[length] == ':')
                fail_call(call, std::atol(wanted + length + 1));
        }
        unsetenv("CONVSCOPE_FAIL");  // the processes that it starts go on unharmed
        unsetenv("CONVSCOPE_KILL");
        unsetenv("LD_PRELOAD");
    }
    ~Preloaded() {
        const char* log = std::getenv("CONVSCOPE_FAIL_LOG");
        const long counted = counted_calls();
        failing = FailingCall::none;
        if (std::FILE* file = log ? std::fopen(log, "w") : nullptr) {
            std::fprintf(file, "%ld", counted);
            std::fclose(file);
        }
    }
};
const Preloaded preloaded;

}  // namespace

void fail_call(FailingCall kind, long n) {
    calls = 0;
    fails_at = n;
    failing = kind;
}

long counted_calls() {
    return calls;
}

void kill_at_call(long n) {
    changes = 0;
    killed_at = n;
}

}  // namespace convscope::testing

using convscope::testing::count_change;
using convscope::testing::FailingCall;
using convscope::testing::fails;
using convscope::testing::next;

#pragma GCC visibility push(default)
extern "C" {

int open(const char* path, int flags, ...) {
    static auto* const real = next<int(const char*, int, ...)>("open");
    const bool makes = convscope::testing::makes_a_file(flags);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = makes ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (makes) convscope::testing::has_opened = true;
    if (makes) count_change();
    return makes && fails(FailingCall::open, EMFILE) ? -1 : real(path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
    static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
    if (!convscope::testing::is_file(descriptor)) return real(descriptor, bytes, count);
    count_change();
    if (convscope::testing::is_killed_here()) {
        real(descriptor, bytes, count / 2);
        convscope::testing::die();
    }
    if (convscope::testing::failing == FailingCall::space && count > 0) {
        count = convscope::testing::taken_of(count);
        errno = ENOSPC;
        if (count == 0) return -1;
    }
    return fails(FailingCall::write, ENOSPC) ? -1 : real(descriptor, bytes, count);
}

int fsync(int descriptor) {
    static auto* const real = next<int(int)>("fsync");
    if (!convscope::testing::is_file(descriptor)) return real(descriptor);
    count_change();
    return fails(FailingCall::sync, EIO) ? -1 : real(descriptor);
}

int rename(const char* from, const char* to) noexcept {
    static auto* const real = next<int(const char*, const char*)>("rename");
    count_change();
    return fails(FailingCall::rename, EXDEV) ? -1 : real(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
    static auto* const real = next<int(int, const char*, int, const char*, int)>("linkat");
    count_change();
    return fails(FailingCall::rename, EMLINK) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int unlink(const char* path) noexcept {
    static auto* const real = next<int(const char*)>("unlink");
    count_change();
    return real(path);
}

int remove(const char* path) noexcept {
    static auto* const real = next<int(const char*)>("remove");
    count_change();
    return real(path);
}

int ftruncate(int descriptor, off_t size) noexcept {
    static auto* const real = next<int(int, off_t)>("ftruncate");
    count_change();
    return fails(FailingCall::truncate, EIO) ? -1 : real(descriptor, size);
}

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
    static auto* const real = next<decltype(posix_spawn)>("posix_spawn");
    if (fails(FailingCall::start, EAGAIN)) return EAGAIN;
    return real(pid, path, actions, attributes, arguments, environment);
}

}  // extern "C"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have their own
void* operator new(std::size_t size) {
    const bool failed = convscope::testing::has_opened && fails(FailingCall::allocate, ENOMEM);
    if (void* memory = failed ? nullptr : std::malloc(size > 0 ? size : 1)) return memory;
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
#endif
#pragma GCC visibility pop
