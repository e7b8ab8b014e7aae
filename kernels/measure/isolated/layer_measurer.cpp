#include "kernels/measure/isolated/layer_measurer.h"

#include <utility>

namespace convscope {

NetworkRun::Measurer layer_measurer(PointMeasurer& measurer, std::string device) {
    return [&measurer, device = std::move(device)](const LayerRequest& layer, const MeasureSinks& sinks,
                                                   const NetworkRun::Phase& phase, std::stop_token stop) {
        PointRequest request{layer.spec, device, layer.candidates, layer.options};
        if (layer.chained_x) request.chained_x = *layer.chained_x;
        return measurer.measure(request, {sinks, phase, {}}, std::move(stop));
    };
}

}  // namespace convscope
