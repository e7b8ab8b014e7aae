// CUDA methods of ours on the executor of PTX, each once on one workload: what scripts/bench/compare-counters --ptx
// holds against a GPU's counters, and run_once runs there.
//
//   run_on_ptx --methods ID,ID,... WORKLOAD     WORKLOAD as for convscope bench
//
// Prints a JSON array with an object for each method, in their order: its id, why it does not take the workload
// (reason) or its launches with their counts, findings and seconds. Exit status as convscope's; 4 where a result is
// wrong.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "kernels/method/restricts_weights.h"
#include "kernels/reference/reference_result.h"
#include "kernels/simt/on_ptx/ptx_gpu.h"
#include "tests/support/methods_program.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using nlohmann::json;

json traffic(const ptx::Traffic& counted) {
    return {{"requests", counted.requests},
            {"sectors", counted.sectors},
            {"wavefronts", counted.wavefronts},
            {"bank_conflicts", counted.bank_conflicts}};
}

json describe(const on_ptx::PtxLaunch& launch) {
    const ptx::LaunchCounts& counts = launch.counts;
    return {{"kernel", launch.kernel},
            {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
            {"block_size", {launch.block.x, launch.block.y, launch.block.z}},
            {"global_loads", traffic(counts.global_loads)},
            {"global_stores", traffic(counts.global_stores)},
            {"global_atomics", traffic(counts.global_atomics)},
            {"shared_loads", traffic(counts.shared_loads)},
            {"shared_stores", traffic(counts.shared_stores)},
            {"shared_atomics", traffic(counts.shared_atomics)},
            {"multiplications", counts.multiplications},
            {"thread_instructions", counts.thread_instructions},
            {"instructions", counts.warp_instructions},
            {"findings", launch.findings},
            {"seconds", launch.seconds}};
}

json run_once(const Method& method, const Workload& workload, const ReferenceResult& reference,
              on_ptx::PtxDevice& simulated) {
    const ConvShape& shape = workload.spec.shape;
    json described = {{"method", method.info().id}};
    Support support = method.supports(shape);
    if (support) support = takes_weights(method, workload.w, {});
    if (!support) {
        described["reason"] = support.reason;
        return described;
    }
    simulated.gpu->launches.clear();
    const Tensor y = testing::run_method(method, workload, simulated.device());
    const Verification result = verify(y, reference.y, reference.scale, shape, method.info().dtype,
                                       method.info().summation, reference.largest_scale);
    if (!result.ok) throw Error(ErrorKind::wrong, fmt::format("{} is wrong: {}", method.info().id, result.reason));
    for (const on_ptx::PtxLaunch& launch : simulated.gpu->launches) described["launches"].push_back(describe(launch));
    return described;
}

void run_all(const FlagValues& flags) {
    on_ptx::PtxDevice simulated;
    const WorkloadSpec spec = read_workload(flags);
    validate(spec.shape);
    const Workload workload = make_workload(spec);
    const ReferenceResult reference = reference_result(workload);
    json methods = json::array();
    for (const Method* method : read_methods(simulated.registry, simulated.device(), flags.get_or("--methods", "all")))
        methods.push_back(run_once(*method, workload, reference, simulated));
    fmt::print("{}\n", methods.dump(1));
}

}  // namespace
}  // namespace convscope

int main(int argc, char** argv) {
    return convscope::testing::run_methods_program(
        argc, argv, "run_on_ptx", "CUDA methods on the executor of PTX, each exactly once", convscope::run_all);
}
