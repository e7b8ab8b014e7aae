// The values that a trace knows for names in a kernel's text, lane by lane: indices and sizes of the launch, the
// kernel's arguments, constants made of these, arrays in memory, and names that get the result of an fmaf or of a load.
// It keeps no other variable. No ImGui.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "visualizers/step/kernel_text.h"
#include "visualizers/step/traced_block.h"

namespace convscope {

struct LaneValue {
    unsigned thread = 0;
    std::optional<double> value;  ///< unset: nothing is known of this lane
    std::string element;          ///< of an array: the one that the lane touched last, "[11]"
    std::string why_not;          ///< where there is no value
    bool now = false;             ///< it is so because of the present step
};

struct LaneValues {
    std::string meaning;           ///< meaning of the numbers: "sum: what the fmaf of line 61 gave last"
    std::string why_not;           ///< then nothing is known, and there are no lanes
    std::vector<LaneValue> lanes;  ///< of the warp, ascending
    bool empty() const { return meaning.empty() && why_not.empty(); }
};

/// A position in a replay, and a warp.
struct WarpPosition {
    std::size_t done = 0;  ///< steps
    unsigned warp = 0;
};

class KnownValues {
public:
    explicit KnownValues(const TracedBlock&);

    /// The values of a name in a line of a file, "F_data" or "threadIdx.x"; empty where it is not a variable. The block
    /// is the one that this was made from, here and below.
    LaneValues of_name(TracedBlock&, const simt::KernelSource&, unsigned line, const std::string& name,
                       const WarpPosition&) const;
    /// The values of an expression over the kernel's names: "F_data[first + 2] * 2". Divisions are exact.
    LaneValues of_expression(TracedBlock&, const std::string&, const WarpPosition&) const;

private:
    friend class LaneReader;
    /// A line that gives a name its value.
    struct Giver {
        const simt::KernelSource* file;
        unsigned line;
        std::uint16_t source;  ///< index into BlockTrace::sources
        GivenName given;
    };
    /// A line that touches memory, and the array where it is one alone.
    struct Touch {
        const simt::KernelSource* file;
        unsigned line;
        std::optional<std::size_t> array;
    };
    std::vector<const Giver*> givers(const simt::KernelSource*, const std::string& name) const;
    std::optional<std::size_t> array_at(const TracedBlock&, const simt::KernelSource&, unsigned line,
                                        const std::string& name) const;

    const simt::KernelSource* file_ = nullptr;  ///< the kernel's
    KernelText text_;
    std::vector<Giver> givers_;
    std::vector<Touch> touches_;
};

}  // namespace convscope
