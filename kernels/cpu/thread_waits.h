// How long this process's threads have waited for a core: one that another program held, or threads of our own.
#pragma once

#include <vector>

namespace convscope {

/// Knows the threads that there are when it is made. It costs a microsecond for each of them to ask. Where the system
/// keeps no such account, nothing ever waits.
class ThreadWaits {
public:
    ThreadWaits();
    ~ThreadWaits();
    ThreadWaits(const ThreadWaits&) = delete;
    ThreadWaits& operator=(const ThreadWaits&) = delete;

    /// Of all threads together, since each began.
    double microseconds() const;

private:
    std::vector<int> accounts_;  ///< descriptors of /proc/self/task/ID/schedstat
};

}  // namespace convscope
