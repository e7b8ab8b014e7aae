#include "kernels/tiled/latency_hiding.h"

#include <fmt/format.h>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

Quantity quantity(const char* symbol, std::int64_t value, const char* unit, const char* meaning) {
    return {symbol, static_cast<double>(value), unit, meaning};
}

}  // namespace

Support has_rates(const DeviceModel& model) {
    const auto missing = [&](const char* what) {
        return Support::no(fmt::format("the planner needs the {} of {}, which is not known", what, model.name));
    };
    if (model.sms < 1) return missing("number of SMs");
    if (model.fp32_lanes < 1) return missing("number of FP32 cores per SM");
    if (!(model.clock_mhz > 0)) return missing("clock");
    if (!(model.memory_gb_per_s > 0)) return missing("memory bandwidth");
    if (model.memory_latency_cycles < 1) return missing("latency of global memory");
    return {};
}

LatencyHiding latency_hiding(const DeviceModel& model) {
    // The paper counts two operations per core and cycle; a core makes one multiply-add, which is two FLOP.
    constexpr std::int64_t per_core_and_cycle = 2;
    const std::int64_t latency = model.memory_latency_cycles;
    LatencyHiding hiding;
    hiding.n_fma = latency * model.fp32_lanes * per_core_and_cycle;
    hiding.bytes_per_cycle = static_cast<std::int64_t>(1e3 * model.memory_gb_per_s / model.clock_mhz);
    hiding.requirement = hiding.bytes_per_cycle * latency;
    const std::int64_t warps = ceil_div(hiding.requirement, float_bytes * model.warp_size);
    hiding.warps_per_sm = ceil_div(warps, model.sms);
    hiding.threads_per_sm = hiding.warps_per_sm * model.warp_size;
    hiding.requirement_per_sm = hiding.threads_per_sm * float_bytes;
    hiding.v_s = hiding.requirement_per_sm * model.sms;
    return hiding;
}

std::vector<Quantity> quantities(const LatencyHiding& hiding) {
    return {
        quantity("N_FMA", hiding.n_fma, "FMA", "operations of one SM that hide one latency of global memory (2.2)"),
        quantity("rate", hiding.bytes_per_cycle, "B/cycle", "bytes that global memory moves per cycle (Table 1)"),
        quantity("data", hiding.requirement, "B", "bytes under way that hide one latency (Table 1)"),
        quantity("threads/SM", hiding.threads_per_sm, "", "threads of an SM that fetch them, a word each (Table 1)"),
        quantity("V_s", hiding.v_s, "B", "what those threads of all SMs fetch (2.2)"),
    };
}

}  // namespace convscope
