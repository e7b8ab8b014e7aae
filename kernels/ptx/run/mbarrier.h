// mbarriers (PTX ISA, 'mbarrier'): barriers in shared memory that count arrivals and transferred bytes, with the copies
// that are in flight to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/ptx/run/race_detector.h"

namespace convscope::ptx {

class Warp;
struct Op;

/// A thread's bulk copy, or its cp.async so far, that completes on an mbarrier.
struct InFlight {
    Warp* warp = nullptr;
    unsigned lane = 0;
    const Op* op = nullptr;
    std::uint64_t to = 0;            ///< generic; of a bulk copy
    std::vector<std::byte> content;  ///< likewise
    std::uint64_t copies = 0;        ///< of cp.async.mbarrier.arrive: the lane's copies up to this one
};

struct Mbarrier {
    std::uint32_t expected = 0;          ///< arrivals of each phase
    std::uint32_t pending_arrivals = 0;  ///< of them, that the present phase has yet to see
    std::int64_t tx_count = 0;           ///< announced and not there yet; less than 0: nobody announced them
    std::uint32_t phase = 0;             ///< how many have completed
    VectorClock arriving, done;          ///< what is over when the present phase ends; when the last one did
    std::vector<InFlight> in_flight;
    AccessRecord created = 0;   ///< by a thread
    bool proxy_fenced = false;  ///< a fence has made it visible to the async proxy

    bool has_completed(std::uint32_t parity) const { return (phase & 1) != parity; }
};

/// A block's mbarriers, by their addresses in its shared memory.
using Mbarriers = std::map<std::uint32_t, Mbarrier>;

/// Returns the mbarrier that a lane's instruction names; null, with a finding, where there is none.
Mbarrier* mbarrier_at(Warp&, const Op&, unsigned lane, std::uint64_t address);
/// Must be called after its counts have changed: a phase may complete, and waiting threads check it again.
void note_change(Warp&, Mbarrier&);

}  // namespace convscope::ptx
