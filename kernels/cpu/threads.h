// How many threads the CPU methods use.
#pragma once

namespace convscope {

/// Sets the number of threads for as long as it lives; 0 leaves it. A CPU device names the threads that it was made
/// with, so this comes before make_registry().
class CpuThreads {
public:
    explicit CpuThreads(int threads);
    ~CpuThreads();
    CpuThreads(const CpuThreads&) = delete;
    CpuThreads& operator=(const CpuThreads&) = delete;

private:
    int before_;
};

}  // namespace convscope
