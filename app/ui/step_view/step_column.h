// One traced kernel of the Step view: which block of it, its source with the current line lit, its arrays, what happens
// in words, the lanes of the warp and the memory request they made.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/ui/step_view/step_player.h"
#include "app/ui/step_view/step_source.h"
#include "app/ui/step_view/trace_builder.h"
#include "app/ui/widgets/frame.h"
#include "visualizers/step/step_arrays.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class StepColumn {
public:
    static constexpr float side_by_side = 600;  ///< px at scale 1: narrower columns have the source above the arrays

    /// 'name' is unique, and begins the names of its parts in the item registry: "step". 'wake' asks for a frame; it is
    /// called from another thread.
    StepColumn(std::string name, GridRenderer&, std::function<void()> wake);

    /// Once a frame: asks for the trace that the session wants, and takes the newest there is.
    void update(const Frame&, const StepSide&, const std::string& method);
    /// Fills a rectangle of the present window.
    void draw(Session&, std::size_t side, ImVec2 at, ImVec2 size, const ViewStyle&);
    /// Whether the method has several kernels to choose from.
    bool has_kernels() const { return plan_ && plan_->kernels.size() > 1; }
    /// Draws the list of kernels above the column. Leaves the cursor behind it in the line.
    void choose_kernel(StepSide&, float max_width);

    /// The steps of the trace, and the breakpoints among them.
    StepTrack track(const StepMarks&);
    /// The last good trace. Null before the first; also while a trace of another layer or kernel is requested that
    /// fails or takes long: the stage is dimmed then.
    TracedKernel* traced() const { return stale_ ? nullptr : traced_.get(); }
    /// It is of a slice of the layer.
    bool sliced() const { return requested_ && requested_->slice; }
    /// Why the request cannot be traced; empty when it can.
    const std::string& problem() const { return problem_; }
    /// Describes the latest step; needs traced().
    std::string sentence(const StepSide&) const;
    /// Its place above the lanes is theirs then.
    void leave_sentence_to_lead(bool leave) { without_sentence_ = leave; }
    /// A trace is under way, or waits for its layer.
    bool busy() const { return waits_for_layer() || builder_.busy(); }

private:
    bool waits_for_layer() const;
    void request(PendingTrace);
    void trace();
    bool is_wanted_kernel(const TracedKernel&) const;
    bool has_slice() const;
    float draw_pickers(StepSide&, ImVec2 at, float width);
    float draw_slice(Session&, ImVec2 at, float width, bool presented);
    float draw_notices(Session&, ImVec2 at, float width);
    void draw_stage(Session&, std::size_t side, ImVec2 at, ImVec2 size, const ViewStyle&);
    void other_choices(Session&, StepSide&);
    void draw_panes(Session&, const SourcePosition&, ImVec2 at, ImVec2 size, const ViewStyle&);
    void draw_sentence(const StepSide&, ImVec2 at, float width) const;
    void draw_strips(StepSide&, const StepPoint&, ImVec2 at, float width, const ViewStyle&);
    void choose_block(StepSide&, const Dim3&);

    const std::string name_;
    TraceBuilder builder_;
    std::optional<PendingTrace> requested_;
    std::optional<TracePlan> plan_;  ///< of what was requested last; unset where that cannot be, or is not known yet
    std::shared_ptr<TracedKernel> traced_;
    bool asks_first_ = false;  ///< the trace takes much
    bool has_slice_ = false;   ///< of the layer, that the method takes; where there is a problem
    bool stale_ = false;       ///< traced_ is of another layer or kernel than what is wanted
    int waited_in_ = -2;       ///< the latest frame of ImGui's in which the layer was not built yet
    std::string problem_;
    StepSource source_;
    StepArrays arrays_;
    int request_rows_ = 1;
    bool without_sentence_ = false;
};

}  // namespace convscope::app
