// Places zeros among the weights of a layer, as pruning does.
#pragma once

#include <stop_token>

#include "kernels/core/tensor.h"
#include "kernels/layers/workload.h"

namespace convscope {

/// Makes weights zero as spec.weight_pattern says, w being k x (c / groups) x r x s with any values. After it
/// round(spec.weight_sparsity * size) of them are zero where w had no zeros before:
/// - uniform: each of the non-zero weights is as likely. Zeros that w has count: it is exact, unless w has more.
/// - 2:4 (Mishra et al. 2021, 'Accelerating sparse deep neural networks'): the channels of one filter and tap in groups
///   of four, from channel 0 on; the two largest |w| of a group survive. A last group of fewer than four channels keeps
///   at most two too: one or two channels lose nothing, and of three one goes.
/// - rows, blocks: drawn whole, whatever is in them; of the last one only as many as the count still takes.
/// - magnitude (Han et al. 2015, 'Learning both weights and connections'): the smallest |w|, over the whole layer.
///   Zeros that w has are the first of them.
/// Among equal |w| the first in memory goes (magnitude) or stays (2:4); NaN counts as the largest. The seed decides
/// what is drawn: the same bits on every machine. Throws Error(failed) soon after a stop request.
void prune_weights(Tensor& w, const WorkloadSpec&, const std::stop_token& = {});

}  // namespace convscope
