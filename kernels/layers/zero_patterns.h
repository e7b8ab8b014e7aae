// Places the zeros of a feature map: exact counts in each pattern.
#pragma once

#include <cstdint>
#include <stop_token>

#include "kernels/core/tensor.h"

namespace convscope {

/// Throws Error(failed) after a stop request, to end making data that is no longer wanted.
void end_when_stopped(const std::stop_token&);

/// The number of zeros in 'elements' values at this sparsity: rounded to the nearest.
std::int64_t zero_count(double sparsity, std::int64_t elements);

// All of these end soon after a stop request: they throw Error(failed) then.

/// Values in (-1, 1) drawn from the seed, none of them zero. 'weights' picks the stream.
void fill_nonzero(Tensor&, std::uint64_t seed, bool weights, const std::stop_token& = {});

// Each puts exactly 'zeros' zeros into a tensor (NCHW) that has none.

/// Places the zeros uniformly at random.
void zero_uniformly(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& = {});

/// Whole channels (over all of the batch) while the count lasts, the rest uniformly in one more channel.
void zero_channels(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& = {});

/// Whole pixels (all channels at a place of an image) while the count lasts, at uniformly random places, as a mask or a
/// point cloud leaves them; the rest uniformly among the channels of one more pixel.
void zero_pixels(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& = {});

/// Every map becomes relu(field - threshold) of a smooth random field: its lowest values, as connected regions, become
/// zero, and the rest is in (0, 1]. The count is shared evenly among the n * c maps.
void fill_blobs(Tensor& x, std::int64_t zeros, std::uint64_t seed, const std::stop_token& = {});

}  // namespace convscope
