// Memory that a program's runtime keeps launches in (kernels/runtime/launch_recorder.h), shared with its process. Takes
// no more than is written into it, and whatever the program does, it stays as long as it is.
#pragma once

#include <cstddef>
#include <span>

namespace convscope::app {

class LaunchMemory {
public:
    static constexpr std::size_t size = std::size_t{256} << 20;  ///< bytes

    /// Throws Error(failed) where there is none.
    LaunchMemory();
    ~LaunchMemory();
    LaunchMemory(const LaunchMemory&) = delete;
    LaunchMemory& operator=(const LaunchMemory&) = delete;

    int descriptor() const { return descriptor_; }
    /// A process that has it may still write to it.
    std::span<const std::byte> bytes() const { return {bytes_, size}; }

private:
    int descriptor_ = -1;
    const std::byte* bytes_ = nullptr;
};

}  // namespace convscope::app
