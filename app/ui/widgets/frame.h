// The data that every panel is given, each frame.
#pragma once

#include <array>
#include <memory>

#include "app/session/jobs/live.h"
#include "app/session/jobs/snapshot_builder.h"
#include "app/session/session.h"
#include "app/session/snapshot.h"
#include "kernels/method/registry.h"

namespace convscope::app {

class FileDialogs;
class History;
class Navigation;
class SessionManager;
class View;

/// In the order of view_table.
using Views = std::array<View*, ViewId::count>;

struct Frame {
    Session& session;
    Registry& registry;
    Live& live;
    SnapshotBuilder& builder;
    History& history;
    Navigation& navigation;
    SessionManager& sessions;
    FileDialogs& dialogs;
    const Views& views;
    const Snapshot* snapshot = nullptr;  ///< the last good picture; null only before the first

    View& view() const { return *views[session.view.index()]; }  ///< the one that is shown
    /// Whether the snapshot is of the chosen layer; until that is built it is of the one before.
    bool shows_chosen_layer() const { return snapshot && snapshot->workload->spec == session.good; }
};

}  // namespace convscope::app
