#include "app/session/snapshot.h"

#include <algorithm>
#include <atomic>

#include "kernels/layers/wanted_workload.h"
#include "kernels/method/flops.h"

namespace convscope::app {

namespace {

/// If only the values change, as when the share of zeros is dragged, the block row stays.
std::int64_t opening_row_of(const Snapshot& snapshot, const Snapshot* before, const std::stop_token& stop) {
    const WorkloadSpec& spec = snapshot.workload->spec;
    if (spec.source == Source::example) return 0;  // as in the paper
    const WorkloadSpec* last = before ? &before->workload->spec : nullptr;
    if (last && last->shape == spec.shape && last->source == spec.source && last->input_path == spec.input_path)
        return before->opening_row;
    if (spec.source == Source::file) return fullest_row(snapshot.map_shape, snapshot.x, stop);
    return opening_row(snapshot.map_shape, snapshot.x, snapshot.map_work, stop);
}

}  // namespace

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
    Selection& shown = snapshot->selection = selection;
    if (shown.automatic) shown = {opening_map(*snapshot->workload), true};
    const std::int64_t group = shown.channel / spec.shape.group_channels();
    const bool same_group = reuse && reuse->workload == snapshot->workload && reuse->group_index == group;
    snapshot->group_index = group;
    snapshot->group = spec.shape.groups == 1 ? snapshot->workload
                      : same_group           ? reuse->group
                                             : std::make_shared<const Workload>(group_of(*snapshot->workload, group));
    snapshot->map_shape = map_shape(spec.shape);
    snapshot->x = map_of(snapshot->workload->x, shown.image, shown.channel);
    snapshot->w = weights_of(*snapshot->workload, shown.filter, shown.channel);
    const auto zeros = std::ranges::count(snapshot->x, 0.0F);
    snapshot->map_sparsity = static_cast<double>(zeros) / static_cast<double>(snapshot->x.size());
    snapshot->map_work = convscope::map_work(snapshot->map_shape, snapshot->x, stop);
    if (stop.stop_requested()) return nullptr;
    snapshot->opening_row = opening_row_of(*snapshot, reuse, stop);
    snapshot->number = ++numbers;
    return snapshot;
}

}  // namespace convscope::app
