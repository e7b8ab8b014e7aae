// What every panel is handed, each frame.
#pragma once

#include <memory>

#include "app/live.h"
#include "app/session.h"
#include "app/snapshot.h"
#include "app/snapshot_builder.h"
#include "kernels/core/registry.h"

namespace convscope::app {

class FileDialogs;
class History;
class SessionDesk;

struct Frame {
    Session& session;
    Registry& registry;
    Live& live;
    SnapshotBuilder& builder;
    History& history;
    SessionDesk& desk;
    FileDialogs& dialogs;
    const Snapshot* snapshot = nullptr;  ///< the last good picture; null only before the first
};

}  // namespace convscope::app
