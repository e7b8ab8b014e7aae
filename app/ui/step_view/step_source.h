// The source of one side of the Step view: the kernel's file and below it that of a function that it calls, with
// breakpoints, the chosen line and its menu, and what a name that is pointed at is in each lane.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/ui/step_view/trace_builder.h"
#include "visualizers/step/source_view.h"
#include "visualizers/step/step_arrays.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

/// The point of a trace that a side shows. 'side' is the index of its StepSide.
struct SourcePosition {
    TracedKernel& kernel;
    std::size_t side;
    StepPoint point;
};

class StepSource {
public:
    /// 'name' begins the names of its parts in the item registry.
    explicit StepSource(std::string name) : name_(std::move(name)) {}

    /// Does what was requested for the chosen line, if that is this side's.
    void take_request(Session&, std::size_t side, const TracedKernel&);
    /// Fills a rectangle of the present window.
    void draw(Session&, const SourcePosition&, ImVec2 at, ImVec2 size, const ViewStyle&);
    /// After how many steps breakpoints stop this kernel, ascending.
    const std::vector<std::size_t>& stops(const std::set<CodeLine>& breakpoints, const TracedKernel&);

private:
    SourceMarks marks(const Session&, const SourcePosition&, const simt::KernelSource&) const;
    void draw_helper(Session&, const SourcePosition&, const CodePlace&, ImVec2 at, ImVec2 size, const ViewStyle&);
    void draw_pane(Session&, const SourcePosition&, const simt::KernelSource&, SourceView&, SourceMarks, ImVec2 size,
                   const ViewStyle&);
    void register_lines(const SourceView&, const std::string& prefix, ImVec2 at, ImVec2 size, const ViewStyle&) const;
    void menu(Session&, const SourcePosition&);

    const std::string name_;
    SourceView source_, helper_;
    const simt::KernelSource* shown_helper_ = nullptr;  ///< stays in sight between calls
    bool opens_menu_ = false;
    CodeLine of_menu_;
    std::string name_of_menu_;  ///< that was pointed at; empty: none
    std::vector<std::size_t> stops_;
    std::uint64_t stops_of_ = 0;  ///< TracedKernel::number
    std::set<CodeLine> stops_for_;
};

/// The side goes to the next step that comes to a line, from where it is or from the start. False where none does.
bool run_to(StepSide&, const TracedBlock&, const CodeLine&);

}  // namespace convscope::app
