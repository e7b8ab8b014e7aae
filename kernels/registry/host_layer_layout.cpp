// One image of a whole layer's arrays, from the families' host layouts.
#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/core/host_memory.h"
#include "kernels/cpu/weights_gemm.h"
#include "kernels/ecr/ecr_layout.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/layers/layer_writer.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"

namespace convscope {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t unused = 0xffffffffu;

/// Marks what lies behind the filled slots of each row. 'filled' gives their number, row by row.
template <class Filled>
void blank_unused(std::uint32_t* words, std::int64_t rows, std::int64_t cols, Filled filled) {
    for (std::int64_t row = 0; row < rows; ++row)
        std::fill(words + row * cols + filled(row), words + (row + 1) * cols, unused);
}

/// Memory that writing takes: the rows, the other array of a pair, the matrix behind y.
double bytes_needed(const LayerJob& job) {
    const ConvShape& shape = job.shape;
    const double own = 4.0 * static_cast<double>(job.elements());
    const bool of_a_pair = job.spec.empty_slots;
    const double input = 4.0 * static_cast<double>(shape.c * shape.h * shape.w);
    return (of_a_pair ? 2 * own : own) + 2 * input +
           (job.spec.array == LayerArray::y ? 4.0 * static_cast<double>(shape.im2col_elements()) : 0);
}

/// Rows that the families' layouts make of the job's shape: those that are requested, or some more.
std::int64_t rows_made(const LayerJob& job) {
    switch (job.spec.array) {
        case LayerArray::x:
        case LayerArray::w:
            return job.rows;
        case LayerArray::L:
            return job.shape.q() * job.spec.rows_per_unit;
        default:
            return job.shape.out_h() * job.spec.rows_per_unit;
    }
}

class HostLayerWriter final : public LayerWriter {
public:
    HostLayerWriter(const LayerJob& job, const float* w) : job_(job), rows_made_(rows_made(job)) {
        require_host_memory(bytes_needed(job), std::string("the layer's ") + to_string(job.spec.array));
        if (job.spec.array != LayerArray::y) return;
        gemm_.emplace(job.shape, true);
        weights_.resize(static_cast<std::size_t>(gemm_->elements()));
        gemm_->prepare(w, weights_.data());
    }

    ValueRange write(const std::vector<float>& input, void* out) override {
        auto* words = static_cast<std::uint32_t*>(out);
        if (rows_made_ == job_.rows) {
            fill(input, words);
        } else {
            std::uint32_t* more = scratch(more_, rows_made_ * job_.spec.cols);
            fill(input, more);
            std::copy_n(more, job_.elements(), words);
        }
        return range_of(job_.spec.element, words, job_.elements());
    }

private:
    void fill(const std::vector<float>& input, std::uint32_t* words) {
        const ConvShape& shape = job_.shape;
        auto* values = reinterpret_cast<float*>(words);
        switch (job_.spec.array) {
            case LayerArray::x:
            case LayerArray::w:
                return void(std::memcpy(words, input.data(), input.size() * sizeof(float)));
            case LayerArray::im2col:
                return lower_im2col(shape, input.data(), values);
            case LayerArray::L:
                return lower_mec(shape, input.data(), values);
            case LayerArray::y:
                return convolve(input.data(), values);
            case LayerArray::F_data:
            case LayerArray::K_index:
            case LayerArray::Ptr:
                return compress(shape.p() * shape.q(), LayerArray::F_data, LayerArray::K_index, 1, convert_ecr,
                                input.data(), words);
            case LayerArray::Data:
            case LayerArray::Index:
            case LayerArray::Count: {
                const std::int64_t each = shape.pool_h * shape.pool_w;
                return compress(shape.out_h() * shape.out_w() * each, LayerArray::Data, LayerArray::Index, each,
                                convert_pecr, input.data(), words);
            }
        }
    }

    void convolve(const float* nhwc, float* y) {
        const ConvShape& shape = job_.shape;
        auto* matrix = reinterpret_cast<float*>(scratch(other_, shape.im2col_elements()));
        lower_im2col(shape, nhwc, matrix);
        gemm_->multiply(weights_.data(), {.count = 1,
                                          .rows = shape.p() * shape.q(),
                                          .lda = shape.reduction(),
                                          .a = [&](std::int64_t) { return matrix; },
                                          .c = y});
    }

    /// The wanted one of a format's three arrays goes to 'words', the others into memory of our own. A row of the first
    /// two has the segments of 'windows_per_row' of the 'windows'.
    using Convert = void (*)(const ConvShape&, const float* x, float* values, std::int32_t* positions,
                             std::int32_t* counts);
    void compress(std::int64_t windows, LayerArray values, LayerArray positions, std::int64_t windows_per_row,
                  Convert convert, const float* x, std::uint32_t* words) {
        const std::int64_t slots = windows * job_.shape.reduction();
        const LayerArray wanted = job_.spec.array;
        const bool wants_counts = wanted != values && wanted != positions;
        auto* value = reinterpret_cast<float*>(wanted == values ? words : scratch(other_, slots));
        auto* position = reinterpret_cast<std::int32_t*>(
            wanted == positions ? words : scratch(wants_counts ? second_ : other_, slots));
        auto* count = reinterpret_cast<std::int32_t*>(wants_counts ? words : scratch(counts_, windows));
        convert(job_.shape, x, value, position, count);
        if (wants_counts) return;
        blank_unused(words, rows_made_, job_.spec.cols, [&](std::int64_t row) {
            std::int64_t sum = 0;
            for (std::int64_t i = 0; i < windows_per_row; ++i)
                sum += std::max(0, count[row * windows_per_row + i]);  // -1 stands for none
            return sum;
        });
    }

    static std::uint32_t* scratch(Words& memory, std::int64_t elements) {
        memory.resize(static_cast<std::size_t>(elements));
        return memory.data();
    }

    const LayerJob job_;
    const std::int64_t rows_made_;
    std::optional<WeightsGemm> gemm_;
    std::vector<float> weights_;
    Words more_, other_, second_, counts_;
};

}  // namespace

std::unique_ptr<LayerWriter> make_host_layer_writer(const LayerJob& job, const float* w) {
    return std::make_unique<HostLayerWriter>(job, w);
}

std::vector<std::uint32_t> build_layer_image(const LayerArraySpec& spec, const Workload& workload, std::int64_t image,
                                             std::int64_t rows) {
    const LayerJob job = layer_job(spec, workload.spec.shape, rows);
    const auto writer = make_host_layer_writer(job, workload.w.data.data());
    Words words(static_cast<std::size_t>(job.elements()));
    writer->write(layer_input(job, workload, image), words.data());
    return words;
}

}  // namespace convscope
