#include "kernels/layers/layer_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace convscope {
namespace {

bool copied(LayerArray array) {
    return array == LayerArray::x || array == LayerArray::w;
}

bool of_pecr(LayerArray array) {
    return array == LayerArray::Data || array == LayerArray::Index || array == LayerArray::Count;
}

/// The first rows of an array need only the top (or, in L, the left) of the image: the layer that ends there. What
/// lies below would meet padding in the smaller layer, but no row that is kept reaches down to it.
ConvShape enough_of(const LayerArraySpec& spec, ConvShape one, std::int64_t units) {
    if (spec.array == LayerArray::L) {
        one.w = std::clamp<std::int64_t>((units - 1) * one.stride_w + one.span_w() - one.pad_w, 1, one.w);
        return one;
    }
    const std::int64_t outputs = of_pecr(spec.array) ? (units - 1) * one.pool_stride + one.pool_h : units;
    one.h = std::clamp<std::int64_t>((outputs - 1) * one.stride_h + one.span_h() - one.pad_h, 1, one.h);
    return one;
}

/// Image 'image' of x, cut to the shape's height and width; NCHW.
Tensor cut_image(const Tensor& x, std::int64_t image, const ConvShape& shape) {
    Tensor cut(1, shape.c, shape.h, shape.w);
    for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t h = 0; h < shape.h; ++h)
            std::copy_n(x.data.begin() + x.offset(image, c, h, 0), shape.w, cut.data.begin() + cut.offset(0, c, h, 0));
    return cut;
}

/// The first 'rows' rows of the mosaic of image 'image' of x.
std::vector<float> mosaic(const LayerArraySpec& spec, const Tensor& x, std::int64_t image, std::int64_t rows) {
    std::vector<float> words(static_cast<std::size_t>(rows * spec.cols));
    const std::int64_t across = spec.cols / x.w;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t map = 0; map < across; ++map)
            std::copy_n(x.data.begin() + x.offset(image, row / x.h * across + map, row % x.h, 0), x.w,
                        words.begin() + row * spec.cols + map * x.w);
    return words;
}

}  // namespace

LayerJob layer_job(const LayerArraySpec& spec, const ConvShape& layer, std::int64_t rows) {
    LayerJob job{spec, rows, layer};
    job.shape.n = 1;
    if (!of_pecr(spec.array)) job.shape.pool_h = job.shape.pool_w = job.shape.pool_stride = 0;
    if (!copied(spec.array) && rows < spec.rows_per_image) job.shape = enough_of(spec, job.shape, job.units());
    return job;
}

std::vector<float> layer_input(const LayerJob& job, const Workload& workload, std::int64_t image) {
    const LayerArray array = job.spec.array;
    if (array == LayerArray::x) return mosaic(job.spec, workload.x, image, job.rows);
    if (array == LayerArray::w) return {workload.w.data.begin(), workload.w.data.begin() + job.elements()};
    Tensor cut = cut_image(workload.x, image, job.shape);
    const bool channels_last = array == LayerArray::im2col || array == LayerArray::L || array == LayerArray::y;
    return channels_last ? to_layout(cut, Layout::nhwc).data : std::move(cut.data);
}

ValueRange range_of(Element element, const std::uint32_t* words, std::int64_t count) {
    ValueRange range{0, 0};
    for (std::int64_t i = 0; i < count; ++i) {
        const float value = element == Element::i32 ? static_cast<float>(std::bit_cast<std::int32_t>(words[i]))
                                                    : std::bit_cast<float>(words[i]);
        if (!std::isfinite(value)) continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    if (element == Element::i32) range.low = 0;
    return range;
}

}  // namespace convscope
