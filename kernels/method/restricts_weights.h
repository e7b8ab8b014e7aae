// A method that runs with some weights alone.
#pragma once

#include "kernels/core/launch.h"
#include "kernels/core/tensor.h"
#include "kernels/layers/workload.h"

namespace convscope {

class Method;

/// A method that cannot run with every w derives from this as well. Weights that it does not take it must reject:
/// Execution::stage_inputs() throws Error(usage) with the reason.
class RestrictsWeights {
public:
    virtual ~RestrictsWeights() = default;
    /// 'w' is KCRS.
    virtual Support takes_weights(const Tensor& w, const LaunchConfig&) const = 0;
    /// The same before there is a w: no where the layer says already that its weights are not taken.
    virtual Support may_take_weights(const WorkloadSpec&, const LaunchConfig&) const = 0;
};

/// Yes of a method that takes all weights.
Support takes_weights(const Method&, const Tensor& w, const LaunchConfig&);
Support may_take_weights(const Method&, const WorkloadSpec&, const LaunchConfig&);

}  // namespace convscope
