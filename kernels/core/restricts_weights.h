// A method that runs with some weights alone.
#pragma once

#include "kernels/core/launch.h"
#include "kernels/core/tensor.h"

namespace convscope {

class Method;

/// A method that cannot run with every w derives from this as well. Weights that it does not take it must reject:
/// Execution::stage_inputs() throws Error(usage) with the reason.
class RestrictsWeights {
public:
    virtual ~RestrictsWeights() = default;
    /// 'w' is KCRS.
    virtual Support takes_weights(const Tensor& w, const LaunchConfig&) const = 0;
};

/// Yes of a method that takes all weights.
Support takes_weights(const Method&, const Tensor& w, const LaunchConfig&);

}  // namespace convscope
