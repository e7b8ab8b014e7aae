// Worked examples with another share of zeros than their paper's.
#pragma once

#include "kernels/core/preset.h"
#include "kernels/core/workload.h"

namespace convscope {

/// The worked example among the presets that has this spec's shape and weights; null when there is none.
const Preset* example_of(const WorkloadSpec&);

/// Gives a worked example (Source::example) spec.sparsity zeros, rounded to the nearest, and leaves it its weights: of
/// its paper's values some become zero, or some of its zeros become values that it has elsewhere. The places come in an
/// order that is always the same: what is zero stays zero while the share grows. At the paper's own share it is the
/// preset again, name included.
void thin_or_fill(WorkloadSpec&);

}  // namespace convscope
