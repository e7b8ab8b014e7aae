#include "kernels/cpu/thread_waits.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include "kernels/core/measuring_clock.h"

namespace convscope {

std::shared_ptr<const ThreadWaits> ThreadWaits::of_this_process() {
    static std::mutex mutex;
    static std::weak_ptr<const ThreadWaits> last;
    std::vector<std::string> threads;
    std::error_code none;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none))
        threads.push_back(thread.path().string());
    std::ranges::sort(threads);
    const char* const told = std::getenv("CONVSCOPE_WAITS");
    std::string said = told ? told : "";
    const std::lock_guard lock(mutex);
    auto waits = last.lock();
    if (!waits || waits->threads_ != threads || waits->said_ != said) {
        waits.reset(new ThreadWaits(std::move(threads), std::move(said)));
        last = waits;
    }
    return waits;
}

ThreadWaits::ThreadWaits(std::vector<std::string> threads, std::string said)
    : threads_(std::move(threads)), said_(std::move(said)) {
    if (said_ == "none" || said_ == "all") return;
    for (const std::string& thread : threads_)
        if (const int account = open((thread + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC); account >= 0)
            accounts_.push_back(account);
}

ThreadWaits::~ThreadWaits() {
    for (const int account : accounts_) close(account);
}

double ThreadWaits::microseconds() const {
    if (said_ == "all")
        return std::chrono::duration<double, std::micro>(MeasuringClock::now().time_since_epoch()).count();
    double sum = 0;
    for (const int account : accounts_) {
        // "time on a core, time waiting for one, times that it got one"; in nanoseconds. Nothing once a thread is gone.
        std::array<char, 96> text{};
        const ssize_t length = pread(account, text.data(), text.size(), 0);
        const std::string_view words(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
        const std::size_t second = words.find(' ') + 1;
        double nanoseconds = 0;
        if (second > 0) std::from_chars(words.data() + second, words.data() + words.size(), nanoseconds);
        sum += 1e-3 * nanoseconds;
    }
    return sum;
}

}  // namespace convscope
