// Figures that look measured and are the same on every machine, so that views of live timing can be pictured.
#pragma once

#include "app/session/session.h"
#include "kernels/measure/worker.h"

namespace convscope::app {

/// A stopped live measurement of the ticked methods on the present layer: a few hundred samples each, with a row.
LiveSnapshot frozen_live(const Session&, const Registry&);
/// The chosen network with its ticked methods, measured to the end.
LiveSnapshot frozen_network(const Session&, const Registry&);

}  // namespace convscope::app
