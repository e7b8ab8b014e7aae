// Methods on a GPU, each exactly once on one workload, and nothing else: what a profiler is pointed at.
//
//   run_once --methods ID,ID,... WORKLOAD     WORKLOAD as for convscope bench; --device (cuda:0)
//
// Each result is held against the reference. Prints a line for each method, in the order in which they ran; exit status
// as convscope's.
#include <fmt/format.h>

#include <vector>

#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/support/methods_program.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

void run_once(const Method& method, const Workload& workload, const ReferenceResult& reference, Device& device) {
    const ConvShape& shape = workload.spec.shape;
    const auto execution = method.instantiate(shape, {}, device);
    testing::run_execution(*execution, workload);
    const Verification result = verify(execution->output(), reference.y, reference.scale, shape, method.info().dtype,
                                       summation_of(method.info(), *execution), reference.largest_scale);
    if (!result.ok) throw Error(ErrorKind::wrong, fmt::format("{} is wrong: {}", method.info().id, result.reason));
    fmt::print("{}: {}, error {:.1e} (tolerance {:.1e})\n", method.info().id, to_string(shape), result.max_rel_err,
               result.tolerance);
}

void run_all(const FlagValues& flags) {
    const auto registry = make_registry();
    Device& device = registry->device(flags.get_or("--device", "cuda:0"));
    const auto methods = read_methods(*registry, device, flags.get_or("--methods", ""));
    const WorkloadSpec spec = read_workload(flags);
    validate(spec.shape);
    const Workload workload = make_workload(spec);
    const ReferenceResult reference = reference_result(workload);
    for (const Method* method : methods) run_once(*method, workload, reference, device);
}

}  // namespace
}  // namespace convscope

int main(int argc, char** argv) {
    return convscope::testing::run_methods_program(argc, argv, "run_once",
                                                   "methods on a GPU, each exactly once: what a profiler is pointed at",
                                                   convscope::run_all);
}
