#include "app/own_kernel/line_steps.h"

namespace convscope::app {

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
    }
    return steps;
}

}  // namespace convscope::app
