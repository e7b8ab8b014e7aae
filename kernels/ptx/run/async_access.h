// Asynchronous accesses, which a thread starts and does not wait for: bulk copies and wgmma. They are checked when they
// start; a thread that touches the same bytes before they are known to have completed races with them.
#pragma once

#include "kernels/ptx/run/lane_access.h"

namespace convscope::ptx {

class AsyncAccess : public LaneAccess {
public:
    /// 'bytes' is a multiple of 4, as are the addresses.
    AsyncAccess(Warp& warp, const Op& op, unsigned bytes, AccessKind kind) : LaneAccess(warp, op, bytes, kind, true) {}

    /// Counts the accesses as those of a warpgroup's first warp.
    AsyncAccess& of_warpgroup() {
        constexpr unsigned threads = 128;
        first_thread_ = first_thread_ / threads * threads;
        return *this;
    }
    /// The bytes at the address; null where they must not be touched.
    std::byte* reach(unsigned lane, std::uint64_t address);
    /// Shared memory: marks the bytes as being written from now on. False where they must not be touched.
    bool begin(unsigned lane, std::uint64_t address);

private:
    void check_published(unsigned lane, std::uint64_t offset);
};

/// Marks the lane's cp.async up to 'last' as waited for.
void end_copies(Warp&, const Op&, unsigned lane, std::uint64_t last);

}  // namespace convscope::ptx
