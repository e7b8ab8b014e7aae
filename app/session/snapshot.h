// The data on screen: a built workload, the shown map and filter, and values derived from them. Made off the
// interface's thread, immutable afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "app/session/session.h"
#include "kernels/layers/one_map.h"
#include "kernels/layers/workload.h"

namespace convscope::app {

struct Snapshot {
    std::uint64_t number = 0;  ///< grows with every snapshot: who drew one knows whether it is a new one
    std::shared_ptr<const Workload> workload;
    std::int64_t group_index = 0;           ///< the group that the shown channel is of
    std::shared_ptr<const Workload> group;  ///< as a layer of its own: what the whole-layer arrays are of
    Selection selection;                    ///< where it was automatic: with the map that was found
    std::int64_t opening_row = 0;           ///< of the output: whose block row is taken apart until one is chosen
    ConvShape map_shape;                    ///< n = c = k = 1: the shape of the layouts on screen
    std::vector<float> x, w;                ///< the map h x w and the filter r x s
    double map_sparsity = 0;                ///< zeros of the shown map, 0..1
    MapWork map_work;                       ///< of the shown map and filter
    double flops_effective = 0;             ///< of the whole layer: 2 per multiply-add with a non-zero input
};

/// Ends soon after it was stopped, with null or with Error(failed). Takes 'reuse' instead of building the workload
/// again when only the selection changed.
std::shared_ptr<const Snapshot> make_snapshot(const WorkloadSpec&, const Selection&, const Snapshot* reuse,
                                              const std::stop_token&);

}  // namespace convscope::app
