// A traced block made ready to be looked at: the replay, the shapes and value ranges of its arrays, and how often each
// line has run at any step. No ImGui, no OpenGL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/simt/finding.h"
#include "kernels/simt/replay.h"
#include "visualizers/step/array_shape.h"
#include "visualizers/step/code_places.h"
#include "visualizers/theme/theme.h"

namespace convscope {

/// An array of the block as it is drawn.
struct StepArray {
    ArrayFacts facts;
    ArrayShape shape;
    ValueRange range;       ///< of all that it holds in the course of the trace
    bool integers = false;  ///< places and counts: their zero is a value
    bool written = false;   ///< by this block
    std::string name_of(std::int64_t index) const { return element_name(facts, shape, index); }
};

class TracedBlock {
public:
    /// 'finding' is what ended the run before its time.
    TracedBlock(simt::BlockTrace, const ConvShape&, Layout, std::optional<simt::Finding> finding);

    /// As Replay::state(); asking for the same steps again is free.
    const simt::ReplayState& state(std::size_t done);
    const simt::Replay& replay() const { return replay_; }
    const simt::BlockTrace& trace() const { return replay_.trace(); }
    const ConvShape& shape() const { return shape_; }
    const KernelLaunch& launch() const { return trace().launch; }
    const std::optional<simt::Finding>& finding() const { return finding_; }
    std::size_t size() const { return replay_.size(); }
    /// Whether a check ends the run here.
    bool stopped_at(std::size_t done) const { return finding_ && done == size(); }

    const std::vector<StepArray>& arrays() const { return arrays_; }  ///< as BlockTrace::arrays
    const CodePlace& code(std::uint16_t source) const { return code_[source]; }

    /// Lines of global memory, or wavefronts of shared memory, of the widest request.
    int max_request_rows() const;
    /// Whether any line stands in a called function's file.
    bool calls_helpers() const { return first_helper().helper != nullptr; }
    /// The first such place; none where there is none.
    CodePlace first_helper() const;

    /// How often lanes ran each line of the kernel's file in the first steps; those of called functions count where
    /// they are called.
    std::map<unsigned, std::int64_t> line_counts(std::size_t done) const;
    /// The same for the lines of a called function's file.
    std::map<unsigned, std::int64_t> helper_counts(const simt::KernelSource*, std::size_t done) const;
    /// The thread's last loads before an event of its own, back to its last store or multiply-add: the sources of the
    /// event. At most three; for a store only the last.
    std::vector<const simt::TraceEvent*> sources_of(const simt::TraceEvent&) const;
    /// The events of a step's lanes, ascending.
    std::vector<const simt::TraceEvent*> events(const simt::ReplayStep&) const;
    /// The element of an array that was touched last, by the chosen thread where it took part in that; none before the
    /// first touch.
    std::optional<std::int64_t> last_touched(std::size_t array, std::size_t done, unsigned thread) const;
    /// The last event of each lane of a warp in the first steps, with this array, or in this line and of this kind;
    /// null where there is none yet.
    using LaneEvents = std::array<const simt::TraceEvent*, simt::warp_size>;
    LaneEvents last_touches(std::size_t array, std::size_t done, unsigned warp) const;
    LaneEvents last_runs(std::uint16_t source, simt::EventKind, std::size_t done, unsigned warp) const;
    /// After how many steps a warp has just come to a line of a file, ascending: from another line, or round a loop.
    /// A line of the kernel's file is come to when it calls a function, too.
    std::vector<std::size_t> arrivals(const std::string& file, unsigned line) const;
    /// The lines of a file that some step comes to.
    std::set<unsigned> lines_of_steps(const std::string& file) const;
    /// Whether the thread ever does anything.
    bool takes_part(unsigned thread) const { return takes_part_[thread]; }

private:
    /// When a line ran: steps, and how many lanes had run it by then.
    struct Runs {
        std::vector<std::uint32_t> steps;
        std::vector<std::int64_t> lanes;
        std::int64_t until(std::size_t done) const;
    };
    void describe_arrays(Layout);
    void follow_lines();

    simt::Replay replay_;
    ConvShape shape_;
    std::optional<simt::Finding> finding_;
    std::vector<StepArray> arrays_;
    std::vector<CodePlace> code_;                      ///< as BlockTrace::sources
    std::vector<Runs> runs_;                           ///< likewise
    std::vector<std::vector<std::uint32_t>> touches_;  ///< of each array: steps
    std::vector<bool> takes_part_;
    const simt::ReplayState* state_ = nullptr;
    std::size_t state_of_ = 0;  ///< steps done
};

}  // namespace convscope
