// Keeps what a session is at on disk while it changes, for the case that the app does not end properly. Each instance
// has a file of its own, FOLDER/<pid>-<number>.convscope.toml, and holds a lock on a file next to it for as long as it
// lives: the system releases the lock however the process ends, so that a lock that can be taken marks what was left
// behind.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/session/file/session_file.h"

namespace convscope::app {

/// A lock that a process holds while it lives. Moves, does not copy.
class HeldLock {
public:
    HeldLock() = default;
    explicit HeldLock(int descriptor) : descriptor_(descriptor) {}
    ~HeldLock();
    HeldLock(HeldLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    HeldLock& operator=(HeldLock&& other) noexcept;
    bool held() const { return descriptor_ >= 0; }

private:
    int descriptor_ = -1;
};

/// The session of an instance that did not end properly. Nobody else is offered it while its lock is held.
struct RecoverableSession {
    std::filesystem::path file;  ///< the last saved state
    std::filesystem::path lock_file;
    std::chrono::system_clock::time_point saved;
    HeldLock lock;

    /// Takes it away: it was restored, or is not wanted.
    void discard();
};

/// The latest first. What left nothing behind is tidied away.
std::vector<RecoverableSession> find_recoverable_sessions(const std::filesystem::path& folder);

class Autosave {
public:
    /// Begins to keep: makes the lock in 'folder'. 'delay' is how long after a change it is written, with all that
    /// followed. Where the folder cannot be written, nothing is kept, and take_problem() says why.
    Autosave(std::filesystem::path folder, std::chrono::milliseconds delay);
    /// Ends properly: what was last saved becomes FOLDER/last.convscope.toml, which no start offers. Where an exception
    /// ends it, it stays to be offered, as after a crash.
    ~Autosave();
    Autosave(const Autosave&) = delete;

    /// The session has changed. Written on a thread of its own.
    void schedule_save(SessionFile);
    /// The session is that of an instance that did not end properly. What that left is taken away once this is written.
    void take_over(SessionFile, RecoverableSession);
    /// Why the last writing failed, once; empty otherwise.
    std::string take_problem();

    const std::filesystem::path& file() const { return file_; }
    static std::filesystem::path last_session(const std::filesystem::path& folder);

private:
    void work(const std::stop_token&);
    void write(const SessionFile&);

    std::filesystem::path folder_, file_, lock_file_;
    std::chrono::milliseconds delay_;
    HeldLock lock_;
    std::mutex mutex_;  // guards what follows, up to the thread
    std::condition_variable_any changed_;
    std::optional<SessionFile> waiting_;
    std::vector<RecoverableSession> taken_over_;
    std::string problem_;
    bool written_ = false;
    std::jthread thread_;
};

}  // namespace convscope::app
