#include "app/session/snapshot.h"

#include <algorithm>
#include <atomic>

#include "kernels/core/flops.h"
#include "kernels/core/wanted_workload.h"

namespace convscope::app {

std::shared_ptr<const Snapshot> make_snapshot(const WorkloadSpec& spec, const Selection& selection,
                                              const Snapshot* reuse, const std::stop_token& stop) {
    static std::atomic<std::uint64_t> numbers = 0;
    auto snapshot = std::make_shared<Snapshot>();
    if (reuse && reuse->workload->spec == spec) {
        snapshot->workload = reuse->workload;
        snapshot->flops_effective = reuse->flops_effective;
    } else {
        snapshot->workload = std::make_shared<const Workload>(make_workload(spec, stop));
        if (stop.stop_requested()) return nullptr;
        snapshot->flops_effective = convscope::flops_effective(*snapshot->workload, stop);
    }
    if (stop.stop_requested()) return nullptr;
    snapshot->selection = selection;
    const std::int64_t group = selection.channel / spec.shape.group_channels();
    const bool same_group = reuse && reuse->workload == snapshot->workload && reuse->group_index == group;
    snapshot->group_index = group;
    snapshot->group = spec.shape.groups == 1 ? snapshot->workload
                      : same_group           ? reuse->group
                                             : std::make_shared<const Workload>(group_of(*snapshot->workload, group));
    snapshot->map_shape = map_shape(spec.shape);
    snapshot->x = map_of(snapshot->workload->x, selection.image, selection.channel);
    snapshot->w = weights_of(*snapshot->workload, selection.filter, selection.channel);
    const auto zeros = std::ranges::count(snapshot->x, 0.0F);
    snapshot->map_sparsity = static_cast<double>(zeros) / static_cast<double>(snapshot->x.size());
    snapshot->map_work = convscope::map_work(snapshot->map_shape, snapshot->x, stop);
    if (stop.stop_requested()) return nullptr;
    snapshot->number = ++numbers;
    return snapshot;
}

}  // namespace convscope::app
