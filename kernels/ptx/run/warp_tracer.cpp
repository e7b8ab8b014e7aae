#include "kernels/ptx/run/warp_tracer.h"

#include <algorithm>
#include <cstring>

#include "kernels/core/warp_request.h"
#include "kernels/ptx/run/block_run.h"
#include "kernels/ptx/run/lane_access.h"

namespace convscope::ptx {

void WarpTracer::before(Warp& warp, const Op& op, std::uint32_t active) {
    open_ = trace_.steps.size() < max_steps_;
    trace_.cut = trace_.cut || !open_;
    if (!open_) return;
    TraceStep step;
    step.op = static_cast<std::uint32_t>(&op - warp.program().ops.data());
    step.active = active;
    step.mask = warp.mask;
    const bool memory = op.kind == Kind::load || op.kind == Kind::store || op.kind == Kind::atomic;
    if (memory && step.mask != 0 && op.a != no_reg) take_elements(warp, op, step);  // its result may be its address
    trace_.steps.push_back(step);
}

void WarpTracer::after(Warp& warp, const Op& op, bool waited) {
    if (!open_) return;
    open_ = false;
    if (waited) {
        if (trace_.steps.back().elements != TraceStep::none) trace_.elements.pop_back();
        trace_.steps.pop_back();
    } else if (trace_.steps.back().mask != 0) {
        take_values(warp, op, trace_.steps.back());
    }
}

void WarpTracer::take_elements(Warp& warp, const Op& op, TraceStep& step) {
    std::uint64_t addresses[lanes];
    addresses_of(warp, op, addresses);
    BlockRun& block = warp.block();
    WarpTrace::PerLane<TracedElement> touched;
    bool any = false;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(step.mask >> lane & 1)) continue;
        const Located in = block.locate(addresses[lane], warp.thread(lane));
        if (!in.array || in.array->space == Space::parameter) continue;
        any = true;
        const auto known = std::ranges::find(trace_.arrays, in.array->name);
        touched[lane].array = static_cast<std::int32_t>(known - trace_.arrays.begin());
        if (known == trace_.arrays.end()) trace_.arrays.push_back(in.array->name);
        const std::int64_t size = in.array->element_size(op.bytes);
        const auto offset = static_cast<std::int64_t>(addresses[lane] - in.begin);
        touched[lane].element = (offset >= 0 ? offset : offset - size + 1) / size;
        step.shared = in.array->space == Space::shared;
        if (in.array->space == Space::local) step.sectors = TraceStep::none;
    }
    if (!any) return;
    step.elements = static_cast<std::uint32_t>(trace_.elements.size());
    trace_.elements.push_back(touched);
    const unsigned bytes = op.bytes * op.elements;
    const bool atomic = op.kind == Kind::atomic;
    if (step.sectors == TraceStep::none)
        step.sectors = 0;  // a thread's own memory: not laid out as the GPU's
    else if (step.shared)
        step.wavefronts = wavefronts_of(addresses, step.mask, bytes, op.kind == Kind::load, atomic);
    else
        step.sectors = sectors_of(addresses, step.mask, bytes, atomic);
}

void WarpTracer::take_values(Warp& warp, const Op& op, TraceStep& step) {
    const std::uint32_t first = op.kind == Kind::store ? op.b : op.d;
    if (first == no_reg) return;
    const bool memory = op.kind == Kind::load || op.kind == Kind::store;
    const unsigned count = memory ? op.elements : 1;
    step.values = static_cast<std::uint32_t>(trace_.values.size());
    step.value_count = count;
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t reg_offset = count == 1 ? first : warp.program().operands[op.extra_operands + i];
        const Type type = WarpTrace::type_of(warp.program(), step, i);
        auto& values = trace_.values.emplace_back();
        for (unsigned lane = 0; lane < lanes; ++lane) {
            values[lane] = 0;
            if (reg_offset == no_reg) continue;
            if (type == Type::pred)
                values[lane] = warp.predicate(reg_offset) >> lane & 1;
            else if (const unsigned bytes = WarpTrace::register_bytes(warp.program(), step, i))
                std::memcpy(&values[lane], warp.values<std::byte>(reg_offset) + bytes * lane, bytes);
        }
    }
}

}  // namespace convscope::ptx
