// Worked examples with another share of zeros than their paper's.
#pragma once

#include "kernels/layers/preset.h"
#include "kernels/layers/workload.h"

namespace convscope {

/// The worked example among the presets with this spec's shape and weights; null when there is none.
const Preset* example_of(const WorkloadSpec&);

/// Gives a worked example (Source::example) spec.sparsity zeros, rounded to the nearest, and keeps its weights: some of
/// its paper's values become zero, or some of its zeros become values that it has elsewhere. The order of the places is
/// fixed: a zero stays zero while the share grows. At the paper's own share it is the preset again, name included,
/// unless zeros are requested in its weights.
void thin_or_fill(WorkloadSpec&);

}  // namespace convscope
