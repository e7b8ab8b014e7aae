#include "app/session/jobs/device_loss_monitor.h"

#include <fmt/format.h>

#include "kernels/core/error.h"

namespace convscope::app {
namespace {

/// The failure of the latest measurement; empty where it did not fail, or not in a way that a lost GPU would show.
std::string failure_in(const LiveSnapshot& snapshot) {
    if (!snapshot.error.empty()) return snapshot.error;
    for (const LiveSeries& series : snapshot.series)
        if (series.latest && series.latest->status == Status::runtime_error) return series.latest->status_reason;
    if (!snapshot.network || !snapshot.network->layers || snapshot.network->layers->empty()) return {};
    for (const Record& row : snapshot.network->layers->back().rows)
        if (row.status == Status::runtime_error) return row.status_reason;
    return {};
}

}  // namespace

void DeviceLossMonitor::update(Session& session, Registry& registry, Live& live, const std::string& layout_failure) {
    const std::string id = session.choices.device;
    if (device_kind(session, registry) != DeviceKind::cuda) return;
    if (const auto known = lost_.find(id); known != lost_.end())
        return leave(session, registry, live, id,
                     fmt::format("{} was lost earlier ({}); start convscope again to use it", id, known->second));
    if (const LiveSnapshot& snapshot = live.snapshot(); snapshot.generation != checked_ && !snapshot.running) {
        checked_ = snapshot.generation;
        if (std::string failure = failure_in(snapshot); !failure.empty()) suspicion_ = std::move(failure);
    }
    if (!layout_failure.empty()) suspicion_ = layout_failure;
    if (suspicion_.empty() || live.running()) return;
    suspicion_.clear();
    try {
        registry.device(id).free_memory_bytes();
    } catch (const std::exception& error) {
        lost_[id] = error.what();
        leave(session, registry, live, id,
              fmt::format("{} is lost: {}. The app goes on with the CPU and the host path; start convscope again to "
                          "use the GPU",
                          id, error.what()));
    }
}

void DeviceLossMonitor::leave(Session& session, const Registry& registry, Live& live, const std::string& device,
                              const std::string& words) {
    live.stop();
    if (const DeviceInfo* cpu = registry.usable_device(DeviceKind::cpu)) choose_device(session, registry, cpu->id);
    // Without a CPU among the devices there is nothing to turn to.
    if (session.choices.device != device) notify(session, words, true);
}

}  // namespace convscope::app
