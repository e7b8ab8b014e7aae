// ecr5 on the CPU: ECR with the sums of a row of outputs in registers.
//
// ecr3 gives each window its list and multiplies it by all weights of a slab of filters: for every window, hundreds of
// kilobytes of weights come from the L2 cache, a load for each multiply-add. Here the channels go by in blocks whose
// weights stay in the L1 cache while all outputs meet them. A list holds the non-zero elements that a row of outputs
// meets in one column of x, over the block's channels and the filter's rows; an element is compressed r times, not r s
// times, for it meets the s outputs around its column at once. Their sums for a slab of filters are in registers, and
// move on with the column:
//
//     for each block of channels: for each row p of outputs: for each column of x:
//         for each (value, weights) of the list: live[0 .. s - 1] += value * weights[0 .. s - 1]
//         the oldest of 'live' is done with this block
//
// so a multiply-add takes one load, of a weight, from the L1 cache, and the lists are shared by all filters.
//
// Zeros of x are skipped: a non-finite weight that meets only zeros leaves no trace
// (kernels/reference/reference_result.h).
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "kernels/core/ceil_div.h"
#include "kernels/core/parallel.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/ecr/ecr5_compress.h"
#include "kernels/ecr/ecr5_cpu.h"
#include "kernels/ecr/ecr5_row.h"

namespace convscope {
namespace {

/// Sums of a band of rows, which pass through the L1 cache once per block of channels and stay in the L2 cache.
constexpr std::int64_t band_bytes = 128 * 1024;
/// Weights of a block of channels. More leave the L1 cache, fewer make lists so short that the sums that come and go
/// with each cost more than the products.
constexpr std::int64_t block_bytes = 36 * 1024;

/// Rows of outputs of a band, at most 'most': the split whose largest share of 'others' x bands, done by 'threads', has
/// the fewest rows; of equal ones the largest bands.
std::int64_t rows_of_band(std::int64_t rows, std::int64_t most, std::int64_t others, std::int64_t threads) {
    std::int64_t best = 1, fewest = ceil_div(others * rows, threads);
    for (std::int64_t band = 2; band <= std::min(most, rows); ++band) {
        const std::int64_t share = ceil_div(others * ceil_div(rows, band), threads) * band;
        if (share > fewest) continue;
        best = band;
        fewest = share;
    }
    return best;
}

class Ecr5 final : public CpuExecution {
public:
    explicit Ecr5(const ConvShape& shape)
        : CpuExecution(shape, Layout::nchw),
          isa_(best_isa()),
          vectors_(vectors_of_slab(isa_, shape)),
          width_(vectors_ * ecr5_lanes(isa_)),
          slabs_(ceil_div(shape.k, width_)),
          steps_(steps_of_block(shape, width_)),
          blocks_(ceil_div(shape.c, block_channels())),
          row_places_(shape.w + shape.s - 1),
          band_(rows_of_band(shape.p(), std::max<std::int64_t>(1, band_bytes / (bytes_of(width_) * row_places_)),
                             slabs_ * shape.n, omp_get_max_threads())),
          capacity_(block_channels() * shape.r * shape.w + ecr5_channels),
          multiply_(ecr5_multiply(isa_, shape.s, vectors_)),
          interleave_(ecr5_interleave(isa_)),
          compress_(ecr5_compress(isa_)),
          together_(omp_get_max_threads() * shape.h * shape.w * block_channels()),
          values_(shape.n * blocks_ * shape.p() * capacity_),
          offsets_(values_.size()),
          begin_(shape.n * blocks_ * shape.p() * (shape.w + 1)),
          sums_(omp_get_max_threads() * band_ * row_places_ * width_),
          packed_(slabs_ * blocks_ * block_weights()) {
        for (RawBuffer* buffer :
             {static_cast<RawBuffer*>(&together_), static_cast<RawBuffer*>(&values_),
              static_cast<RawBuffer*>(&offsets_), static_cast<RawBuffer*>(&begin_), static_cast<RawBuffer*>(&sums_)})
            use_workspace(*buffer);
        use_weights(packed_);
    }

    /// KCRS to [slab][block of channels][channel][r][s][filter of the slab]; 0 beyond c and k.
    void prepare_weights() override {
        const std::int64_t window = shape().window();
#pragma omp parallel for collapse(2) if (worth_threads(packed_.size()))
        for (std::int64_t slab = 0; slab < slabs_; ++slab)
            for (std::int64_t c = 0; c < blocks_ * block_channels(); ++c) {
                float* to = packed_.data() + (slab * blocks_ * block_channels() + c) * window * width_;
                for (std::int64_t tap = 0; tap < window; ++tap)
                    for (std::int64_t f = 0; f < width_; ++f) {
                        const std::int64_t filter = slab * width_ + f;
                        const bool there = filter < shape().k && c < shape().c;
                        *to++ = there ? w()[(filter * shape().c + c) * window + tap] : 0.0f;
                    }
            }
    }

private:
    static std::int64_t bytes_of(std::int64_t floats) {
        return floats * std::int64_t{sizeof(float)};
    }
    /// The fewest slabs that hold k, all of one width.
    static std::int64_t vectors_of_slab(Isa isa, const ConvShape& shape) {
        const std::int64_t vectors = ceil_div(shape.k, ecr5_lanes(isa));
        return ceil_div(vectors, ceil_div(vectors, ecr5_max_vectors(shape.s)));
    }
    /// The fewest blocks whose weights fit, all of one size.
    static std::int64_t steps_of_block(const ConvShape& shape, std::int64_t width) {
        const std::int64_t steps = ceil_div(shape.c, ecr5_channels);
        const std::int64_t most =
            std::max<std::int64_t>(1, block_bytes / (bytes_of(width) * shape.window() * ecr5_channels));
        return ceil_div(steps, ceil_div(steps, most));
    }
    std::int64_t block_channels() const {
        return steps_ * ecr5_channels;
    }
    std::int64_t block_weights() const {
        return block_channels() * shape().window() * width_;
    }

    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        const std::int64_t bands = ceil_div(shape().p(), band_);
        // One team for both: to gather it costs as much as a small layer's products.
#pragma omp parallel if (worth_threads(shape().conv_elements() * shape().reduction()))
        {
#pragma omp for collapse(2)
            for (std::int64_t n = 0; n < shape().n; ++n)
                for (std::int64_t block = 0; block < blocks_; ++block) {
                    float* together =
                        together_.data() + omp_get_thread_num() * shape().h * shape().w * block_channels();
                    bring_channels_together(n, block, together);
                    for (std::int64_t p = 0; p < shape().p(); ++p) make_lists(n, block, p, together);
                }
#pragma omp master
            mark(stages, "multiply");
#pragma omp for collapse(3)
            for (std::int64_t slab = 0; slab < slabs_; ++slab)
                for (std::int64_t n = 0; n < shape().n; ++n)
                    for (std::int64_t band = 0; band < bands; ++band) multiply_band(slab, n, band * band_, y);
        }
    }

    /// A block's channels of x to [step][h w][channel of the step], 0 beyond c.
    void bring_channels_together(std::int64_t n, std::int64_t block, float* together) const {
        const std::int64_t plane = shape().h * shape().w;
        for (std::int64_t step = 0; step < steps_; ++step) {
            const std::int64_t c = block * block_channels() + step * ecr5_channels;
            const std::int64_t channels = std::clamp<std::int64_t>(shape().c - c, 0, ecr5_channels);
            interleave_(x() + (n * shape().c + std::min(c, shape().c)) * plane, channels, plane,
                        together + step * plane * ecr5_channels);
        }
    }

    /// The lists of output row p, one for each column of x.
    void make_lists(std::int64_t n, std::int64_t block, std::int64_t p, const float* together) const {
        const std::int64_t row = list_row(n, block, p), top = p - shape().pad_h;
        const std::int64_t first = std::max<std::int64_t>(0, -top), last = std::min(shape().r, shape().h - top);
        float* values = values_.data() + row * capacity_;
        std::int32_t* offsets = offsets_.data() + row * capacity_;
        std::int32_t* begin = begin_.data() + row * (shape().w + 1);
        const auto row_weights = static_cast<std::int32_t>(shape().s * width_);
        const auto channel_weights = static_cast<std::int32_t>(shape().r * row_weights);
        std::int32_t count = 0;
        for (std::int64_t column = 0; column < shape().w; ++column) {
            begin[column] = count;
            for (std::int64_t r = first; r < last; ++r)
                count += compress_(
                    {together + ((top + r) * shape().w + column) * ecr5_channels, shape().h * shape().w * ecr5_channels,
                     steps_, static_cast<std::int32_t>(r) * row_weights, channel_weights},
                    values + count, offsets + count);
        }
        begin[shape().w] = count;
    }

    void multiply_band(std::int64_t slab, std::int64_t n, std::int64_t first, float* y) {
        const std::int64_t last = std::min(first + band_, shape().p());
        float* sums = sums_.data() + omp_get_thread_num() * band_ * row_places_ * width_;
        std::fill(sums, sums + band_ * row_places_ * width_, 0.0f);
        for (std::int64_t block = 0; block < blocks_; ++block) {
            const float* weights = packed_.data() + (slab * blocks_ + block) * block_weights();
            for (std::int64_t p = first; p < last; ++p) {
                const std::int64_t row = list_row(n, block, p);
                const Ecr5Row lists{begin_.data() + row * (shape().w + 1), values_.data() + row * capacity_,
                                    offsets_.data() + row * capacity_, shape().w};
                multiply_(lists, weights, sums + (p - first) * row_places_ * width_);
            }
        }
        for (std::int64_t p = first; p < last; ++p) store_row(slab, n, p, sums + (p - first) * row_places_ * width_, y);
    }

    /// Output q is at q + s - 1 - pad_w of a row's sums; those that see only padding have none.
    void store_row(std::int64_t slab, std::int64_t n, std::int64_t p, const float* sums, float* y) const {
        const std::int64_t shift = shape().s - 1 - shape().pad_w;
        const std::int64_t filters = std::min(width_, shape().k - slab * width_);
        for (std::int64_t f = 0; f < filters; ++f) {
            float* to = y + ((n * shape().k + slab * width_ + f) * shape().p() + p) * shape().q();
            for (std::int64_t q = 0; q < shape().q(); ++q) {
                const std::int64_t place = q + shift;
                to[q] = place >= 0 && place < row_places_ ? sums[place * width_ + f] : 0.0f;
            }
        }
    }

    std::int64_t list_row(std::int64_t n, std::int64_t block, std::int64_t p) const {
        return (n * blocks_ + block) * shape().p() + p;
    }

    const Isa isa_;
    const std::int64_t vectors_, width_, slabs_;  ///< of a slab, filters of a slab, slabs
    const std::int64_t steps_, blocks_;           ///< 16 channels each in a block, blocks
    const std::int64_t row_places_;               ///< sums of a row of outputs, as the lists' columns meet them
    const std::int64_t band_;                     ///< rows of outputs whose sums are kept together
    const std::int64_t capacity_;                 ///< of the lists of one row of outputs in one block of channels
    const Ecr5Multiply multiply_;
    const Ecr5Interleave interleave_;
    const Ecr5Compress compress_;
    AlignedBuffer<float> together_;  ///< a block of channels for each thread
    AlignedBuffer<float> values_;
    AlignedBuffer<std::int32_t> offsets_, begin_;
    AlignedBuffer<float> sums_;  ///< a band for each thread
    AlignedBuffer<float> packed_;
};

Support accepts(const ConvShape& shape) {
    if (shape.stride_h != 1 || shape.stride_w != 1)
        return Support::no(
            fmt::format("ecr5 takes stride 1, not {},{}; ecr3 takes any", shape.stride_h, shape.stride_w));
    if (shape.s > ecr5_max_columns)
        return Support::no(
            fmt::format("ecr5 takes filters of up to {} columns, whose sums fit the registers, not s = {}; "
                        "ecr3 takes any",
                        ecr5_max_columns, shape.s));
    return {};
}

}  // namespace

std::unique_ptr<Method> make_ecr5() {
    MethodInfo info;
    info.id = "ecr5";
    info.family = "ecr";
    info.title = "ECR, sums of a row in registers, weights in the L1 cache";
    info.paper = "Xu 2022";
    info.follows = "after Section 7";
    info.flops_executed = nonzero_flops;
    info.stages = {"convert", "multiply", "pool"};
    return make_cpu_method(
        {info, {}, accepts, [](const ConvShape& shape, const LaunchConfig&) { return std::make_unique<Ecr5>(shape); }});
}

}  // namespace convscope
