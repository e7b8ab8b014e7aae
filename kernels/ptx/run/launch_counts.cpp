#include "kernels/ptx/run/launch_counts.h"

#include "kernels/ptx/run/warp.h"

namespace convscope::ptx {
namespace {

Traffic& traffic_of(LaunchCounts& counts, Kind kind, bool shared) {
    if (kind == Kind::store) return shared ? counts.shared_stores : counts.global_stores;
    if (kind == Kind::atomic) return shared ? counts.shared_atomics : counts.global_atomics;
    return shared ? counts.shared_loads : counts.global_loads;
}

/// bar.sync, and not that of a warp or a cluster.
bool is_block_barrier(const Instruction& instruction) {
    const bool any = instruction.opcode == "bar" || instruction.opcode == "barrier";
    return any && !instruction.has("warp") && !instruction.has("cluster");
}

}  // namespace

void Traffic::add(const Traffic& other) {
    requests += other.requests;
    sectors += other.sectors;
    wavefronts += other.wavefronts;
    bank_conflicts += other.bank_conflicts;
    lines += other.lines;
    bytes_wanted += other.bytes_wanted;
}

double LaunchCounts::active_lanes() const {
    return warp_instructions == 0 ? 0
                                  : static_cast<double>(thread_instructions) / static_cast<double>(warp_instructions);
}

LaunchCounts launch_counts_of(const Program& program, const std::vector<Counters>& all) {
    LaunchCounts counts;
    for (const Counters& counters : all)
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const Op& op = program.ops[i];
            const Counters::PerOp& count = counters.ops[i];
            counts.warp_instructions += count.issued;
            counts.thread_instructions += count.lanes;
            counts.by_kind[static_cast<std::size_t>(op.kind)] += count.issued;
            if (op.zero_counts) {
                counts.multiplications += count.lanes;
                counts.zero_multiplications += count.zeros;
                if (op.kind == Kind::multiply_add) counts.multiply_adds += count.lanes;
            }
            if (op.kind == Kind::barrier && is_block_barrier(*program.instructions[i]))
                counts.barrier_threads += count.lanes;
            const Traffic &global = counters.global[i], &shared = counters.shared[i];
            traffic_of(counts, op.kind, false).add(global);
            traffic_of(counts, op.kind, true).add(shared);
            if (count.issued == 0) continue;
            LineCounts& line = counts.by_line[program.lines[op.line]];
            line.issued += count.issued;
            // One that takes several Ops is issued once.
            const Instruction* instruction = program.instructions[i];
            if (i == 0 || program.instructions[i - 1] != instruction)
                counts.by_ptx_line[instruction->text_line] += count.issued;
            line.lanes += count.lanes;
            line.global.add(global);
            line.shared.add(shared);
        }
    return counts;
}

RunCost run_cost_of(const LaunchCounts& counts) {
    RunCost cost;
    cost.multiplications = counts.multiplications;
    cost.on_tensor_cores = counts.by_kind[static_cast<std::size_t>(Kind::matrix)] > 0;
    cost.instructions = counts.by_kind[static_cast<std::size_t>(Kind::multiply_add)];
    for (const Traffic* global : {&counts.global_loads, &counts.global_stores, &counts.global_atomics}) {
        cost.requests += global->requests;
        cost.sectors += global->sectors;
    }
    cost.instructions += cost.requests;
    for (const Traffic* shared : {&counts.shared_loads, &counts.shared_stores, &counts.shared_atomics}) {
        cost.instructions += shared->requests;
        cost.bank_conflicts += shared->bank_conflicts;
    }
    return cost;
}

}  // namespace convscope::ptx
