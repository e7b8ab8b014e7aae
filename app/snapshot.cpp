#include "app/snapshot.h"

#include <algorithm>
#include <atomic>

#include "kernels/measure/flops.h"

namespace convscope::app {
namespace {

std::vector<float> plane(const Tensor& tensor, std::int64_t outer, std::int64_t inner) {
    const std::int64_t size = tensor.h * tensor.w;
    const float* from = tensor.data.data() + (outer * tensor.c + inner) * size;
    return {from, from + size};
}

}  // namespace

double WorkFigures::skipped() const {
    if (dense_multiplications == 0) return 0;
    return 1.0 - static_cast<double>(needed_multiplications) / static_cast<double>(dense_multiplications);
}

ConvShape map_shape(const ConvShape& shape) {
    ConvShape one = shape;
    one.n = one.c = one.k = 1;
    return one;
}

WorkFigures count_work(const ConvShape& shape, const std::vector<float>& x, const std::stop_token& stop) {
    WorkFigures work;
    work.dense_multiplications = shape.multiplications_per_map();
    work.dense_additions = shape.additions_per_map();
    for (std::int64_t oh = 0; oh < shape.p() && !stop.stop_requested(); ++oh)
        for (std::int64_t ow = 0; ow < shape.q(); ++ow) {
            std::int64_t products = 0;
            for (std::int64_t i = 0; i < shape.r; ++i) {
                const std::int64_t ih = oh * shape.stride_h + i - shape.pad_h;
                if (ih < 0 || ih >= shape.h) continue;
                for (std::int64_t j = 0; j < shape.s; ++j) {
                    const std::int64_t iw = ow * shape.stride_w + j - shape.pad_w;
                    if (iw >= 0 && iw < shape.w && x[static_cast<std::size_t>(ih * shape.w + iw)] != 0.0F) ++products;
                }
            }
            work.needed_multiplications += products;
            work.needed_additions += std::max<std::int64_t>(0, products - 1);
        }
    return work;
}

std::shared_ptr<const Snapshot> make_snapshot(const WorkloadSpec& spec, const Selection& selection,
                                              const Snapshot* reuse, const std::stop_token& stop) {
    static std::atomic<std::uint64_t> numbers = 0;
    auto snapshot = std::make_shared<Snapshot>();
    if (reuse && same_workload(reuse->workload->spec, spec)) {
        snapshot->workload = reuse->workload;
        snapshot->flops_effective = reuse->flops_effective;
    } else {
        snapshot->workload = std::make_shared<const Workload>(make_workload(spec));
        if (stop.stop_requested()) return nullptr;
        snapshot->flops_effective = convscope::flops_effective(*snapshot->workload, stop);
    }
    if (stop.stop_requested()) return nullptr;
    snapshot->selection = selection;
    snapshot->map_shape = map_shape(spec.shape);
    snapshot->x = plane(snapshot->workload->x, selection.image, selection.channel);
    snapshot->w = plane(snapshot->workload->w, selection.filter, selection.channel);
    const auto zeros = std::ranges::count(snapshot->x, 0.0F);
    snapshot->map_sparsity = static_cast<double>(zeros) / static_cast<double>(snapshot->x.size());
    snapshot->map_work = count_work(snapshot->map_shape, snapshot->x, stop);
    if (stop.stop_requested()) return nullptr;
    snapshot->number = ++numbers;
    return snapshot;
}

}  // namespace convscope::app
