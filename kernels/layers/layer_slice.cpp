#include "kernels/layers/layer_slice.h"

#include <algorithm>

#include "kernels/layers/one_map.h"

namespace convscope {

std::vector<ConvShape> slices_of(const ConvShape& shape) {
    std::vector<ConvShape> slices;
    for (const std::int64_t channels : {4, 1}) {
        ConvShape slice = map_shape(shape);
        slice.c = std::min(channels, shape.group_channels());
        if (slice != shape && (slices.empty() || slice != slices.back())) slices.push_back(slice);
    }
    return slices;
}

Workload slice_of(const Workload& workload, const ConvShape& slice) {
    Workload part;
    part.spec = workload.spec;
    part.spec.shape = slice;
    part.spec.name = "slice of " + (workload.spec.name == "custom" ? "a layer" : workload.spec.name);
    part.x = Tensor(1, slice.c, slice.h, slice.w);
    part.w = Tensor(1, slice.c, slice.r, slice.s);
    std::copy_n(workload.x.data.begin(), part.x.elements(), part.x.data.begin());
    std::copy_n(workload.w.data.begin(), part.w.elements(), part.w.data.begin());
    part.sparsity_measured = share_of_zeros(part.x);
    part.weight_sparsity_measured = share_of_zeros(part.w);
    return part;
}

}  // namespace convscope
