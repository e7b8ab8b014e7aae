// One image of a whole layer's arrays, from the families' host layouts.
#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "kernels/core/host_memory.h"
#include "kernels/core/layer_layout.h"
#include "kernels/cpu/weights_gemm.h"
#include "kernels/ecr/ecr_layout.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"

namespace convscope {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t unused = 0xffffffffu;

float* floats(Words& words) {
    return reinterpret_cast<float*>(words.data());
}
std::int32_t* integers(Words& words) {
    return reinterpret_cast<std::int32_t*>(words.data());
}

/// The first rows of an array need only the top (or, in L, the left) of the image: the layer that ends there. What
/// lies below would meet padding in the smaller layer, but no row that is kept reaches down to it.
ConvShape enough_of(const LayerArraySpec& spec, const ConvShape& layer, std::int64_t rows) {
    ConvShape one = layer;
    one.n = 1;
    if (rows == spec.rows_per_image) return one;
    const std::int64_t units = rows / spec.rows_per_unit;
    if (spec.array == LayerArray::L) {
        one.w = std::clamp<std::int64_t>((units - 1) * one.stride_w + one.s - one.pad_w, 1, one.w);
        return one;
    }
    const bool pooled = spec.row_shape.starts_with("n out");
    const std::int64_t outputs = pooled ? (units - 1) * one.pool_stride + one.pool_h : units;
    one.h = std::clamp<std::int64_t>((outputs - 1) * one.stride_h + one.r - one.pad_h, 1, one.h);
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

/// Marks what lies behind the filled slots of each row. 'filled' gives their number, row by row.
template <class Filled>
void blank_unused(Words& words, std::int64_t cols, Filled filled) {
    for (std::int64_t row = 0; row * cols < static_cast<std::int64_t>(words.size()); ++row)
        std::fill(words.begin() + row * cols + filled(row), words.begin() + (row + 1) * cols, unused);
}

Words ecr(const LayerArraySpec& spec, const ConvShape& shape, const Tensor& x) {
    const auto windows = static_cast<std::size_t>(shape.p() * shape.q());
    const auto slots = windows * static_cast<std::size_t>(shape.reduction());
    Words values(slots), positions(slots), ptr(windows);
    convert_ecr(shape, x.data.data(), floats(values), integers(positions), integers(ptr));
    if (spec.array == LayerArray::Ptr) return ptr;
    Words& wanted = spec.array == LayerArray::F_data ? values : positions;
    blank_unused(wanted, spec.cols,
                 [&](std::int64_t row) { return std::max(0, integers(ptr)[static_cast<std::size_t>(row)]); });
    return std::move(wanted);
}

Words pecr(const LayerArraySpec& spec, const ConvShape& shape, const Tensor& x) {
    const std::int64_t per_pool = shape.pool_h * shape.pool_w;
    const auto pools = static_cast<std::size_t>(shape.out_h() * shape.out_w());
    const auto slots = pools * static_cast<std::size_t>(per_pool * shape.reduction());
    Words values(slots), positions(slots), counts(pools * static_cast<std::size_t>(per_pool));
    convert_pecr(shape, x.data.data(), floats(values), integers(positions), integers(counts));
    if (spec.array == LayerArray::Count) return counts;
    Words& wanted = spec.array == LayerArray::Data ? values : positions;
    blank_unused(wanted, spec.cols, [&](std::int64_t row) {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < per_pool; ++i) sum += integers(counts)[row * per_pool + i];
        return sum;
    });
    return std::move(wanted);
}

Words convolution(const ConvShape& shape, const Tensor& nhwc, const Tensor& w) {
    std::vector<float> matrix(static_cast<std::size_t>(shape.im2col_elements()));
    lower_im2col(shape, nhwc.data.data(), matrix.data());
    const WeightsGemm gemm(shape, true);
    std::vector<float> weights(static_cast<std::size_t>(gemm.elements()));
    gemm.prepare(w.data.data(), weights.data());
    Words y(static_cast<std::size_t>(shape.conv_elements()));
    gemm.multiply(weights.data(), {.count = 1,
                                   .rows = shape.p() * shape.q(),
                                   .lda = shape.reduction(),
                                   .a = [&](std::int64_t) { return matrix.data(); },
                                   .c = floats(y)});
    return y;
}

/// Memory that building takes beside the result: the other array of a pair, or the matrix behind y.
double bytes_needed(const LayerArraySpec& spec, const ConvShape& shape, std::int64_t rows) {
    const double own = 4.0 * static_cast<double>(rows) * static_cast<double>(spec.cols);
    const bool of_a_pair = spec.empty_slots;
    const double input = 4.0 * static_cast<double>(shape.c * shape.h * shape.w);
    return (of_a_pair ? 2 * own : own) + 2 * input +
           (spec.array == LayerArray::y ? 4.0 * static_cast<double>(shape.im2col_elements()) : 0);
}

}  // namespace

std::vector<std::uint32_t> build_layer_image(const LayerArraySpec& spec, const Workload& workload, std::int64_t image,
                                             std::int64_t rows) {
    const auto kept = static_cast<std::size_t>(rows * spec.cols);
    Words words;
    if (spec.array == LayerArray::x || spec.array == LayerArray::w) {
        const std::vector<float>& from = spec.array == LayerArray::x ? workload.x.data : workload.w.data;
        words.resize(kept);
        std::memcpy(words.data(), from.data() + image * spec.rows_per_image * spec.cols, 4 * kept);
        return words;
    }
    ConvShape shape = enough_of(spec, workload.spec.shape, rows);
    require_host_memory(bytes_needed(spec, shape, rows), std::string("the layer's ") + to_string(spec.array));
    const Tensor x = cut_image(workload.x, image, shape);
    switch (spec.array) {
        case LayerArray::im2col:
            words.resize(static_cast<std::size_t>(shape.im2col_elements()));
            lower_im2col(shape, to_layout(x, Layout::nhwc).data.data(), floats(words));
            break;
        case LayerArray::L:
            words.resize(static_cast<std::size_t>(shape.mec_elements()));
            lower_mec(shape, to_layout(x, Layout::nhwc).data.data(), floats(words));
            break;
        case LayerArray::y:
            shape.pool_h = shape.pool_w = shape.pool_stride = 0;
            words = convolution(shape, to_layout(x, Layout::nhwc), workload.w);
            break;
        case LayerArray::Data:
        case LayerArray::Index:
        case LayerArray::Count:
            words = pecr(spec, shape, x);
            break;
        default:
            words = ecr(spec, shape, x);
    }
    words.resize(kept);
    return words;
}

}  // namespace convscope
