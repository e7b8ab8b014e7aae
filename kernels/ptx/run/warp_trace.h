// Traces one warp of a launch, instruction by instruction: its active lanes, their results, and the elements that they
// touched.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/core/warp_request.h"
#include "kernels/ptx/run/program.h"

namespace convscope::ptx {

struct WarpTraceRequest {
    Dim3 block{0, 0, 0};
    unsigned warp = 0;
    std::size_t max_steps = 20'000;  ///< what comes after them is left out
};

/// The element that a lane touches, in WarpTrace::arrays[array]; array -1: none.
struct TracedElement {
    std::int32_t array = -1;
    std::int64_t element = 0;  ///< may be outside
};

/// One instruction of the warp.
struct TraceStep {
    static constexpr std::uint32_t none = ~0u;
    std::uint32_t op = 0;                          ///< index in Program::ops
    std::uint32_t active = 0;                      ///< lanes that came here
    std::uint32_t mask = 0;                        ///< of them, those whose guard holds: they execute it
    std::uint32_t values = none, value_count = 0;  ///< in WarpTrace::values: what was computed, loaded or stored
    std::uint32_t elements = none;                 ///< in WarpTrace::elements: what was touched
    std::uint32_t sectors = 0;                     ///< of its request to global memory
    Wavefronts wavefronts;                         ///< of its request to shared memory
    bool shared = false;                           ///< the request is to shared memory
};

struct WarpTrace {
    template <class T>
    using PerLane = std::array<T, 32>;

    Dim3 block;
    unsigned warp = 0;
    bool cut = false;  ///< there was more
    std::vector<TraceStep> steps;
    std::vector<PerLane<std::uint64_t>> values;  ///< bits
    std::vector<PerLane<TracedElement>> elements;
    std::vector<std::string> arrays;

    static SourceLine line(const Program&, const TraceStep&);
    /// "ld.global.f32"
    static std::string text(const Program&, const TraceStep&);
    /// Value 'i' of a step in a lane, printed by its register's type: "3.25", "-7", "true".
    std::string value(const Program&, const TraceStep&, unsigned i, unsigned lane) const;
    /// "x[17]"; empty where the lane touched nothing.
    std::string element(const TraceStep&, unsigned lane) const;

    static Type type_of(const Program&, const TraceStep&, unsigned i);
    /// Bytes of a lane's value in the register file; at most 8 are kept.
    static unsigned register_bytes(const Program&, const TraceStep&, unsigned i);
};

}  // namespace convscope::ptx
