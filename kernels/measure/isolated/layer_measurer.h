// Measures a network's layers as points of a sweep.
#pragma once

#include <string>
#include <utility>

#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/network_run.h"

namespace convscope {

/// 'measurer' outlives what is returned.
inline NetworkRun::Measurer layer_measurer(PointMeasurer& measurer, std::string device) {
    return [&measurer, device = std::move(device)](const LayerRequest& layer, const MeasureSinks& sinks,
                                                   const NetworkRun::Phase& phase, std::stop_token stop) {
        PointRequest request{layer.spec, device, layer.candidates, layer.options};
        if (layer.chained_x) request.chained_x = *layer.chained_x;
        return measurer.measure(request, {sinks, phase, {}}, std::move(stop));
    };
}

}  // namespace convscope
