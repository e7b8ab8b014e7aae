// Follows a lesson's 'show' blocks without a window: the state in which the checker evaluates expressions. Nothing is
// measured, and traces run on the simulated GPU.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/lessons/facts.h"
#include "app/lessons/show.h"
#include "kernels/simt/on_checked/trace_block.h"

namespace convscope::lessons {

class ShowState {
public:
    /// As the app opens: the worked example of Xu's Fig. 4, on the CPU; or an own layer, which no 'show' changes.
    explicit ShowState(const Registry&, std::optional<WorkloadSpec> own_layer = {});

    void begin_again();
    /// As at the beginning of a step that shows something: nothing is pinned.
    void unpin();
    /// Throws Error for what the app would reject: a shape that cannot be, an image that the batch has not.
    void apply(const Show&);
    /// The facts for expressions. The workload is made, and the block traced, where that has not been done;
    /// 'problem' says why one cannot be.
    const Facts& facts(std::string& problem);

private:
    void place(const Show&);
    void make_data(std::string& problem);
    void trace(std::string& problem);

    const Registry& registry_;
    std::optional<WorkloadSpec> own_layer_;
    LiveState state_;
    Show launch_;  ///< what is traced: method, kernel, block, at
    std::shared_ptr<const simt::Replay> replay_;
    bool data_stale_ = true, trace_stale_ = true;
    std::optional<PointTarget> point_;
    Facts facts_;
};

}  // namespace convscope::lessons
