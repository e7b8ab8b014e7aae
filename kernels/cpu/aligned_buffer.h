// Memory of a CPU method: its size is fixed when the method is bound to a shape, its life is between
// Execution::allocate() and release().
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "kernels/core/error.h"

namespace convscope {

/// Uninitialised bytes, aligned to a cache line (64 bytes) so that vector loads of any width are aligned.
class RawBuffer {
public:
    explicit RawBuffer(std::int64_t bytes = 0) : bytes_(bytes) {}
    RawBuffer(const RawBuffer&) = delete;
    RawBuffer& operator=(const RawBuffer&) = delete;
    ~RawBuffer() { release(); }

    /// Throws OutOfMemory naming the size. Does nothing when allocated already.
    void allocate() {
        if (memory_ || bytes_ == 0) return;
        memory_ = std::aligned_alloc(64, static_cast<std::size_t>((bytes_ + 63) / 64 * 64));
        if (!memory_) throw OutOfMemory(fmt::format("the host has no {:.3f} GB left", 1e-9 * double(bytes_)));
    }
    void release() noexcept {
        std::free(memory_);
        memory_ = nullptr;
    }
    /// Does nothing when not allocated.
    void fill_bytes(int byte) const {
        if (memory_) std::memset(memory_, byte, static_cast<std::size_t>(bytes_));
    }
    std::int64_t bytes() const { return bytes_; }

protected:
    void* memory_ = nullptr;

private:
    std::int64_t bytes_ = 0;
};

template <class T>
class AlignedBuffer : public RawBuffer {
public:
    explicit AlignedBuffer(std::int64_t elements = 0) : RawBuffer(elements * std::int64_t{sizeof(T)}) {}
    T* data() const { return static_cast<T*>(memory_); }
    std::int64_t size() const { return bytes() / std::int64_t{sizeof(T)}; }
};

}  // namespace convscope
