// How long this process's threads have waited for a core: one that another program held, or threads of our own.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace convscope {

/// Knows the threads that there are when it is asked for. It costs a microsecond for each of them to ask. Where the
/// system keeps no such account, nothing ever waits. For tests, whose outcome must not hang on what else the machine
/// does, CONVSCOPE_WAITS says it instead: with "none" no thread ever waits, with "all" one always does.
class ThreadWaits {
public:
    /// One for all that ask while the threads stay the same: each takes a descriptor.
    static std::shared_ptr<const ThreadWaits> of_this_process();
    ~ThreadWaits();
    ThreadWaits(const ThreadWaits&) = delete;
    ThreadWaits& operator=(const ThreadWaits&) = delete;

    /// The sum over all threads, each since it began.
    double microseconds() const;

private:
    ThreadWaits(std::vector<std::string> threads, std::string said);

    const std::vector<std::string> threads_;  ///< "/proc/self/task/ID"
    const std::string said_;                  ///< CONVSCOPE_WAITS
    std::vector<int> accounts_;               ///< descriptors of /proc/self/task/ID/schedstat
};

}  // namespace convscope
