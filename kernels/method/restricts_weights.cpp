#include "kernels/method/restricts_weights.h"

#include "kernels/method/method.h"

namespace convscope {

Support takes_weights(const Method& method, const Tensor& w, const LaunchConfig& config) {
    const auto* restricts = dynamic_cast<const RestrictsWeights*>(&method);
    return restricts ? restricts->takes_weights(w, config) : Support{};
}

Support may_take_weights(const Method& method, const WorkloadSpec& layer, const LaunchConfig& config) {
    const auto* restricts = dynamic_cast<const RestrictsWeights*>(&method);
    return restricts ? restricts->may_take_weights(layer, config) : Support{};
}

}  // namespace convscope
