#include "app/cli/trace_launches.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "app/cli/cost_json.h"
#include "app/cli/load_workload.h"
#include "kernels/core/error.h"
#include "kernels/registry/compiled_methods.h"
#include "kernels/simt/launch_cost.h"
#include "kernels/simt/on_checked/checked_device.h"
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

/// In a registry of this machine, or of the watched methods. The workload has to be one that can be simulated.
const Method& countable(const Registry& registry, const TraceRequest& request) {
    const Method& method = registry.get(request.method, DeviceKind::sim);
    if (Support support = method.supports(request.workload.shape); !support)
        throw Error(ErrorKind::usage,
                    fmt::format("{} cannot be counted on this workload: {}", request.method, support.reason));
    return method;
}

struct Counted {
    MethodInfo method;
    double sparsity_measured = 0, weight_sparsity_measured = 0;
    std::vector<simt::LaunchCost> launches;
};

Counted count_source(const TraceRequest& request) {
    plan_trace(request);
    CheckedDevice watched;
    const Method& method = countable(watched.registry(), request);
    const Workload workload = load_workload(request.workload, false);
    simt::LaunchCounter counter;
    watched.checker().recorder = &counter;
    const auto execution = method.instantiate(workload.spec.shape, request.launch, watched.device());
    if (const auto finding = run_watched(*execution, workload)) throw *finding;
    return {method.info(), workload.sparsity_measured, workload.weight_sparsity_measured, counter.launches()};
}

Counted count_ptx(const TraceRequest& request) {
    validate(request.workload.shape);
    const auto registry = make_registry();
    const Method& method = countable(*registry, request);
    std::string reason;
    CompiledMethods* const compiled = compiled_methods(&reason);
    if (!compiled)
        throw Error(ErrorKind::not_found,
                    fmt::format("{} cannot be counted as nvcc compiled it: {}", request.method, reason));
    const Workload workload = load_workload(request.workload, false);
    const auto execution = compiled->instantiate(method.info().id, workload.spec.shape, request.launch);
    execution->setup();
    execution->allocate();
    execution->stage_inputs(workload);
    execution->upload();
    try {
        execution->prepare_weights();
        execution->poison_output();
        execution->run();
    } catch (const Error& error) {
        // A finding ends a trace as a failed run, whatever was counted; of 'run' and 'bench' it is a wrong result.
        if (error.kind() != ErrorKind::wrong) throw;
        throw Error(ErrorKind::failed, error.what());
    }
    return {method.info(), workload.sparsity_measured, workload.weight_sparsity_measured, execution->launch_costs()};
}

}  // namespace

const char* to_string(CountedBuild build) {
    return build == CountedBuild::source ? "source" : "ptx";
}

bool has_source_build(const std::string& method) {
    return CheckedDevice().registry().find(method, DeviceKind::sim) || !make_registry()->find(method, DeviceKind::sim);
}

int trace_launches(const TraceRequest& request, std::optional<CountedBuild> requested) {
    const CountedBuild build =
        requested.value_or(has_source_build(request.method) ? CountedBuild::source : CountedBuild::ptx);
    const Counted counted = build == CountedBuild::source ? count_source(request) : count_ptx(request);
    Json json{{"method", counted.method.id},
              {"title", counted.method.title},
              {"workload", request.workload.name},
              {"shape", to_string(request.workload.shape)},
              {"sparsity_measured", counted.sparsity_measured},
              {"weight_sparsity_measured", counted.weight_sparsity_measured},
              {"counted", to_string(build)},
              {"launches", Json::array()}};
    for (const simt::LaunchCost& cost : counted.launches) json["launches"].push_back(json_of(cost));
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

}  // namespace convscope::cli
