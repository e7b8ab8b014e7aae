#include "app/session/jobs/snapshot_builder.h"

#include <utility>

namespace convscope::app {

SnapshotBuilder::SnapshotBuilder(std::function<void()> wake)
    : job_(
          [](const Request& request, const std::shared_ptr<const Snapshot>& latest, const std::stop_token& stop) {
              return make_snapshot(request.spec, request.selection, latest.get(), stop);
          },
          std::move(wake)) {}

void SnapshotBuilder::cancel() {
    job_.cancel("building the layer was cancelled; the view shows the previous one");
}

}  // namespace convscope::app
