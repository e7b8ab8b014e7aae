// Times the candidates of one shape on a device, with made inputs: what ocpa4's table comes from.
#pragma once

#include <vector>

#include "kernels/method/device.h"
#include "kernels/ocpa/choice_table.h"
#include "kernels/ocpa/map_launchers.h"

namespace convscope {

/// A candidate that says which boxes it skips is timed where 95 % and where none of these are zero, and fitted; any
/// other is timed once, without zeros, and counts as dense. Times are of the scope 'kernel', caches hot,
/// conversions to and from 'layout' included: the median of five samples, and a single sample where the first takes
/// twice the shortest time so far. One that throws is left out with its reason. 'layer' gives the shape and the
/// weights; its x is not looked at.
ChoiceTable calibrate(const std::vector<const Method*>& candidates, Layout, Device&, const MapLaunchers&,
                      const Workload& layer);

}  // namespace convscope
