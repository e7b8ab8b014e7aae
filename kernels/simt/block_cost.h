// The cost of a block's accesses on the hardware.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/warp_request.h"
#include "kernels/simt/lockstep.h"

namespace convscope::simt {

/// One memory request of one warp. Global memory moves sectors of 32 bytes out of lines of 128; shared memory has 32
/// banks of 4 bytes and serves one word of each per wavefront.
struct Request {
    unsigned warp = 0;
    EventKind kind = EventKind::load;
    Space space = Space::global;
    std::uint16_t source = 0;         ///< index into BlockTrace::sources
    std::int16_t array = -1;          ///< index into BlockTrace::arrays; the first lane's
    std::uint32_t lanes = 0;          ///< a bit for each active lane
    unsigned bytes_wanted = 0;        ///< distinct bytes that the lanes touch
    unsigned sectors = 0, lines = 0;  ///< global memory
    Wavefronts wavefronts = {};       ///< shared memory
};

struct MemoryCost {
    std::int64_t requests = 0, active_lanes = 0, bytes_wanted = 0;
    std::int64_t sectors = 0, lines = 0, wavefronts = 0, bank_conflicts = 0;
    std::int64_t bytes_moved() const { return 32 * sectors; }
    void add(const Request&);
};

struct WarpCost {
    MemoryCost global, shared;
    std::vector<std::int64_t> multiplications;  ///< of each lane
    std::int64_t multiply_steps = 0;            ///< instructions that were multiply-adds, of all lanes or some
};

struct BlockCost {
    std::vector<Request> requests;  ///< warp by warp, in the order of execution
    std::vector<WarpCost> warps;
    std::int64_t multiplications = 0;
    std::int64_t barriers = 0;         ///< that the block passed
    std::int64_t outputs_written = 0;  ///< distinct elements of global memory that the block stored
};

BlockCost cost_of(const BlockTrace&);

/// How many neighbouring lanes of a request to shared memory are served in one go; what one of them needs of a bank is
/// its wavefronts.
unsigned lanes_at_once(const std::vector<const TraceEvent*>& lanes);

}  // namespace convscope::simt
