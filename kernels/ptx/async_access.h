// Accesses of what a thread starts and does not wait for: bulk copies, products of matrices. Checked when they start;
// who touches the same bytes before they are known to be over is found then.
#pragma once

#include "kernels/ptx/lane_access.h"

namespace convscope::ptx {

class AsyncAccess : public LaneAccess {
public:
    /// 'bytes' is a multiple of 4, as are the addresses.
    AsyncAccess(Warp& warp, const Op& op, unsigned bytes, AccessKind kind) : LaneAccess(warp, op, bytes, kind, true) {}

    /// The accesses are those of a warpgroup, whose first warp they count as.
    AsyncAccess& of_warpgroup() {
        constexpr unsigned threads = 128;
        first_thread_ = first_thread_ / threads * threads;
        return *this;
    }
    /// Where the bytes are; null where they must not be touched.
    std::byte* reach(unsigned lane, std::uint64_t address);
    /// Of shared memory: from now on the bytes are being written. False where they must not be touched.
    bool begin(unsigned lane, std::uint64_t address);

private:
    void check_published(unsigned lane, std::uint64_t offset);
};

/// The lane's cp.async up to this one have been waited for.
void end_copies(Warp&, const Op&, unsigned lane, std::uint64_t last);

}  // namespace convscope::ptx
