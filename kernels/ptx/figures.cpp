#include "kernels/ptx/figures.h"

#include "kernels/ptx/warp.h"

namespace convscope::ptx {
namespace {

Traffic& traffic_of(Figures& figures, Kind kind, bool shared) {
    if (kind == Kind::store) return shared ? figures.shared_stores : figures.global_stores;
    if (kind == Kind::atomic) return shared ? figures.shared_atomics : figures.global_atomics;
    return shared ? figures.shared_loads : figures.global_loads;
}

}  // namespace

void Traffic::add(const Traffic& other) {
    requests += other.requests;
    sectors += other.sectors;
    wavefronts += other.wavefronts;
}

double Figures::active_lanes() const {
    return warp_instructions == 0 ? 0
                                  : static_cast<double>(thread_instructions) / static_cast<double>(warp_instructions);
}

Figures figures_of(const Program& program, const std::vector<Counters>& all) {
    Figures figures;
    for (const Counters& counters : all)
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const Op& op = program.ops[i];
            const Counters::PerOp& count = counters.ops[i];
            figures.warp_instructions += count.issued;
            figures.thread_instructions += count.lanes;
            figures.by_kind[static_cast<std::size_t>(op.kind)] += count.issued;
            if (op.zero_counts) {
                figures.multiplications += count.lanes;
                figures.zero_multiplications += count.zeros;
            }
            const Traffic &global = counters.global[i], &shared = counters.shared[i];
            traffic_of(figures, op.kind, false).add(global);
            traffic_of(figures, op.kind, true).add(shared);
            if (count.issued == 0) continue;
            LineFigures& line = figures.by_line[program.lines[op.site]];
            line.issued += count.issued;
            // One that takes several Ops is issued once.
            const Instruction* instruction = program.instructions[i];
            if (i == 0 || program.instructions[i - 1] != instruction)
                figures.by_ptx_line[instruction->text_line] += count.issued;
            line.lanes += count.lanes;
            line.global.add(global);
            line.shared.add(shared);
        }
    return figures;
}

}  // namespace convscope::ptx
