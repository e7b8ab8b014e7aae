#include "app/session/file/autosave.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/file_lock.h"

namespace convscope::app {
namespace {

constexpr const char* lock_ending = ".lock";

/// -1 where another process holds it, or it went away meanwhile.
int take_lock(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return -1;
    // Whoever held it before may have taken the file away in between.
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && still_has_its_name(descriptor, path)) return descriptor;
    close(descriptor);
    return -1;
}

std::filesystem::path session_of(const std::filesystem::path& lock_file) {
    std::string name = lock_file.string();
    name.resize(name.size() - std::strlen(lock_ending));
    return name + session_ending;
}

}  // namespace

HeldLock::~HeldLock() {
    if (descriptor_ >= 0) close(descriptor_);
}

HeldLock& HeldLock::operator=(HeldLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

void RecoverableSession::discard() {
    std::error_code none;
    std::filesystem::remove(file, none);
    std::filesystem::remove(lock_file, none);
    lock = HeldLock();
}

std::vector<RecoverableSession> find_recoverable_sessions(const std::filesystem::path& folder) {
    std::vector<RecoverableSession> found;
    std::error_code problem;
    auto entry = std::filesystem::directory_iterator(folder, problem);
    for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
        const std::filesystem::path lock_file = entry->path();
        if (lock_file.extension() != lock_ending) continue;
        HeldLock lock(take_lock(lock_file));
        if (!lock.held()) continue;
        struct stat saved {};
        RecoverableSession recovered{session_of(lock_file), lock_file, {}, std::move(lock)};
        if (stat(recovered.file.c_str(), &saved) != 0) {
            recovered.discard();
            continue;
        }
        recovered.saved = std::chrono::system_clock::from_time_t(saved.st_mtime);
        found.push_back(std::move(recovered));
    }
    std::ranges::sort(found, std::greater(), &RecoverableSession::saved);
    return found;
}

std::filesystem::path Autosave::last_session(const std::filesystem::path& folder) {
    return folder / (std::string("last") + session_ending);
}

Autosave::Autosave(std::filesystem::path folder, std::chrono::milliseconds delay)
    : folder_(std::move(folder)), delay_(delay) {
    std::error_code problem;
    std::filesystem::create_directories(folder_, problem);
    for (int number = 0; number < 100 && !lock_.held(); ++number) {
        lock_file_ = folder_ / fmt::format("{}-{}{}", getpid(), number, lock_ending);
        const int descriptor = ::open(lock_file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor < 0) break;
        HeldLock lock(descriptor);
        if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) continue;  // another run takes it for one that was left
            std::filesystem::remove(lock_file_, problem);
            break;
        }
        if (still_has_its_name(descriptor, lock_file_)) lock_ = std::move(lock);
    }
    if (!lock_.held()) {
        problem_ = fmt::format("The session is not kept for the case of a crash: {} cannot be written ({})",
                               folder_.string(), std::strerror(errno));
        return;
    }
    file_ = session_of(lock_file_);
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

Autosave::~Autosave() {
    if (!lock_.held()) return;
    thread_.request_stop();
    changed_.notify_all();
    thread_.join();
    if (waiting_) write(*waiting_);
    if (std::uncaught_exceptions() > 0) return;  // the lock goes, its file stays: the next start offers the session
    std::error_code none;
    if (written_) std::filesystem::rename(file_, last_session(folder_), none);
    std::filesystem::remove(lock_file_, none);
}

void Autosave::schedule_save(SessionFile file) {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(file);
    changed_.notify_all();
}

void Autosave::take_over(SessionFile file, RecoverableSession recovered) {
    const std::lock_guard lock(mutex_);
    taken_over_.push_back(std::move(recovered));
    waiting_ = std::move(file);
    changed_.notify_all();
}

std::string Autosave::take_problem() {
    const std::lock_guard lock(mutex_);
    return std::exchange(problem_, {});
}

void Autosave::work(const std::stop_token& stop) {
    while (true) {
        std::optional<SessionFile> file;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
            // Changes within the delay are written together.
            changed_.wait_for(lock, stop, delay_, [] { return false; });
            if (stop.stop_requested()) return;
            file = std::exchange(waiting_, {});
        }
        write(*file);
    }
}

void Autosave::write(const SessionFile& file) {
    try {
        write_session(file_, file);
        const std::lock_guard lock(mutex_);
        written_ = true;
        for (RecoverableSession& recovered : taken_over_) recovered.discard();
        taken_over_.clear();
    } catch (const Error& error) {
        const std::lock_guard lock(mutex_);
        problem_ = fmt::format("The session could not be kept for the case of a crash: {}", error.what());
    }
}

}  // namespace convscope::app
