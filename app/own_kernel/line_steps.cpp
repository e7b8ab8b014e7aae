#include "app/own_kernel/line_steps.h"

#include <algorithm>

namespace convscope::app {
namespace {

bool is_block_barrier(const ptx::Instruction& instruction) {
    return (instruction.opcode == "bar" || instruction.opcode == "barrier") && !instruction.has("warp");
}

}  // namespace

std::vector<LineStep> line_steps(const KernelLook& look) {
    std::vector<LineStep> steps;
    if (!look.result) return steps;
    const ptx::WarpTrace& trace = look.result->trace;
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        const ptx::TraceStep& step = trace.steps[i];
        const unsigned line = look.line_of(ptx::WarpTrace::line(look.kernel().program, step));
        const bool same = !steps.empty() && (line == 0 || line == steps.back().line || steps.back().line == 0);
        if (!same || (line != 0 && step.active != steps.back().active)) steps.push_back({line, i, i, step.active});
        if (line != 0) steps.back().line = line;
        steps.back().end = i + 1;
        steps.back().barrier |= is_block_barrier(*look.kernel().program.instructions[step.op]);
    }
    const auto takes_arguments = [&](const LineStep& step) {
        for (std::size_t i = step.first; i < step.end; ++i)
            if (!ptx::WarpTrace::text(look.kernel().program, trace.steps[i]).starts_with("ld.param")) return false;
        return true;
    };
    steps.erase(steps.begin(), std::ranges::find_if_not(steps, takes_arguments));
    return steps;
}

std::size_t barrier_from(const std::vector<LineStep>& steps, std::size_t step, bool next) {
    step = std::min(step, steps.size());  // a session's may lie behind the end
    if (next) {
        while (step + 1 < steps.size() && !steps[++step].barrier) {
        }
    } else {
        while (step > 0 && !steps[--step].barrier) {
        }
    }
    return step;
}

}  // namespace convscope::app
