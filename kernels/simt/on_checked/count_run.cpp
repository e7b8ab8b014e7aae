#include "kernels/simt/on_checked/count_run.h"

#include "kernels/core/error.h"
#include "kernels/simt/launch_cost.h"
#include "kernels/simt/on_checked/checked_device.h"

namespace convscope {
namespace {

RunCost sum_of(const std::vector<simt::LaunchCost>& launches) {
    RunCost sum;
    for (const simt::LaunchCost& launch : launches) {
        sum.multiplications += launch.multiply_adds;
        sum.instructions += launch.multiply_instructions;
        for (const simt::MemoryCost* global : {&launch.global_loads, &launch.global_stores, &launch.global_atomics}) {
            sum.instructions += global->requests;
            sum.requests += global->requests;
            sum.sectors += global->sectors;
        }
        for (const simt::MemoryCost* shared : {&launch.shared_loads, &launch.shared_stores, &launch.shared_atomics}) {
            sum.instructions += shared->requests;
            sum.bank_conflicts += shared->bank_conflicts;
        }
    }
    return sum;
}

}  // namespace

RunCost count_run(const std::string& method, const LaunchConfig& launch, const Workload& workload,
                  const std::stop_token& stop, std::size_t max_steps) {
    CheckedDevice watched;
    const Method* const watchable = watched.registry().find(method, DeviceKind::sim);
    if (!watchable) throw Error(ErrorKind::usage, "its kernels are not among those that are watched");
    const auto execution = make_ready(*watchable, workload, launch, watched.device());
    simt::LaunchCounter counter(simt::LaunchCounter::default_max_events, max_steps);
    watched.checker().recorder = &counter;
    watched.checker().options.stop = stop;
    const std::int64_t calls = watched.gpu().library_calls();
    execution->run();
    if (watched.gpu().library_calls() > calls)
        throw Error(ErrorKind::usage, "its products are a library's, of which the executor sees nothing");
    return sum_of(counter.launches());
}

}  // namespace convscope
