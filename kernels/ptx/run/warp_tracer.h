// Traces a warp while it runs.
#pragma once

#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/run/warp_trace.h"

namespace convscope::ptx {

class WarpTracer {
public:
    WarpTracer(WarpTrace& trace, std::size_t max_steps) : trace_(trace), max_steps_(max_steps) {}
    /// Before an instruction runs, with its mask already set.
    void before(Warp&, const Op&, std::uint32_t active);
    /// After it ran; 'waited': it has to run again.
    void after(Warp&, const Op&, bool waited);

private:
    void take_elements(Warp&, const Op&, TraceStep&);
    void take_values(Warp&, const Op&, TraceStep&);

    WarpTrace& trace_;
    const std::size_t max_steps_;
    bool open_ = false;  ///< the last step is of the instruction that runs
};

}  // namespace convscope::ptx
