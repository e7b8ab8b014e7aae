#include "app/cli/trace_launches.h"

#include <fmt/format.h>

#include "app/cli/cost_json.h"
#include "app/cli/load_workload.h"
#include "app/request/request.h"
#include "kernels/simt/launch_cost.h"
#include "kernels/simt/on_checked/run_watched.h"

namespace convscope::cli {
namespace {

Json json_of(const simt::LaunchCost& cost) {
    return {{"kernel", cost.launch.kernel},
            {"stage", cost.launch.stage},
            {"grid", triple(cost.launch.grid)},
            {"block_size", triple(cost.launch.block)},
            {"shared_bytes", cost.launch.shared_bytes},
            {"global_loads", global_cost(cost.global_loads)},
            {"global_stores", global_cost(cost.global_stores)},
            {"global_atomics", global_cost(cost.global_atomics)},
            {"shared_loads", shared_cost(cost.shared_loads)},
            {"shared_stores", shared_cost(cost.shared_stores)},
            {"shared_atomics", shared_cost(cost.shared_atomics)},
            {"multiply_adds", cost.multiply_adds},
            {"barriers", cost.barriers}};
}

}  // namespace

int trace_launches(const Method& method, const WorkloadSpec& spec, const LaunchConfig& config, CheckedDevice& watched) {
    simt::LaunchCounter counter;
    watched.checker().recorder = &counter;
    const Workload workload = load_workload(spec, false);
    const auto execution = method.instantiate(spec.shape, config, watched.device());
    if (const auto finding = run_watched(*execution, workload)) throw *finding;
    Json json{{"method", method.info().id},
              {"title", method.info().title},
              {"workload", spec.name},
              {"shape", to_string(spec.shape)},
              {"sparsity_measured", workload.sparsity_measured},
              {"weight_sparsity_measured", workload.weight_sparsity_measured},
              {"launches", Json::array()}};
    for (const simt::LaunchCost& cost : counter.launches()) json["launches"].push_back(json_of(cost));
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

}  // namespace convscope::cli
