// The LayerWriter whose arrays the methods' own kernels write. Compiled once per dialect (kernels/simt/dialect.h).
#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/range_kernel.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

constexpr std::int64_t word = 4;  // bytes of every element

class GpuLayerWriter final : public LayerWriter {
public:
    GpuLayerWriter(Gpu& gpu, const DeviceModel& model, const LayerJob& job, const float* filters)
        : gpu_(gpu), model_(model), job_(job), range_(gpu, 2 * word) {
        using enum LayerArray;
        const ConvShape& shape = job.shape;
        const std::int64_t x_bytes = word * shape.c * shape.h * shape.w;
        switch (job.spec.array) {
            case x:
            case w:
                break;
            case im2col:
            case L:
                input_ = GpuMemory(gpu, x_bytes);
                break;
            case y:
                input_ = GpuMemory(gpu, x_bytes);
                matrix_ = GpuMemory(gpu, word * job.rows * shape.reduction());
                prepare_weights(filters);
                break;
            case F_data:
            case K_index:
            case Ptr:
                input_ = GpuMemory(gpu, x_bytes);
                take_format(job.units() * shape.q());
                break;
            case Data:
            case Index:
            case Count:
                input_ = GpuMemory(gpu, x_bytes);
                take_format(job.rows * shape.pool_h * shape.pool_w);
                break;
        }
    }

    ValueRange write(const std::vector<float>& input, void* out) override {
        const bool is_the_array = !input_.get();
        const std::size_t bytes = input.size() * sizeof(float);
        if (bytes != (is_the_array ? static_cast<std::size_t>(word * job_.elements()) : input_.bytes()))
            throw std::logic_error("LayerWriter::write: 'input' is not of this job");
        gpu_.upload(is_the_array ? out : input_.get(), input.data(), bytes);
        if (!is_the_array) build(out);
        return range(out);
    }

private:
    void prepare_weights(const float* filters) {
        const std::int64_t bytes = word * job_.shape.w_elements();
        const GpuMemory kcrs(gpu_, bytes);
        weights_ = GpuMemory(gpu_, bytes);
        gpu_.upload(kcrs.get(), filters, kcrs.bytes());
        GpuBuffers buffers;
        buffers.w = kcrs.floats();
        buffers.prepared_weights = weights_.floats();
        transpose_weights(gpu_, job_.shape, buffers, WeightOrder::rsc_k);
        gpu_.synchronize();  // before 'kcrs' goes
    }

    /// The kernels write three arrays of 'windows' windows: memory for those that 'out' does not get as they are.
    void take_format(std::int64_t windows) {
        using enum LayerArray;
        const std::int64_t segments = word * windows * job_.shape.reduction();
        const LayerArray shown = job_.spec.array;
        if (shown != F_data) values_ = GpuMemory(gpu_, segments);
        if (shown != K_index) positions_ = GpuMemory(gpu_, segments);
        if (shown != Ptr && shown != Count) counts_ = GpuMemory(gpu_, word * windows);
    }

    CompressedLayer format(void* out) const {
        const auto or_out = [out](const GpuMemory& memory) { return memory.get() ? memory.get() : out; };
        return {static_cast<float*>(or_out(values_)), static_cast<int*>(or_out(positions_)),
                static_cast<int*>(or_out(counts_))};
    }

    void build_pecr(const float* image, void* out) {
        const CompressedLayer made = format(out);
        build_pecr_layer(gpu_, job_.shape, model_, job_.units(), image, made);
        if (job_.spec.array == LayerArray::Count) return;
        const GpuMemory& shown = job_.spec.array == LayerArray::Data ? values_ : positions_;
        pack_pecr_layer(gpu_, job_.shape, model_, job_.units(), static_cast<const int*>(shown.get()), made.counts,
                        static_cast<int*>(out));
    }

    /// Enqueues.
    void build(void* out) {
        using enum LayerArray;
        const ConvShape& shape = job_.shape;
        const std::int64_t units = job_.units();
        const float* image = input_.floats();
        constexpr int empty = 0xff;  // slots that no kernel fills hold the 'empty' value
        if (job_.spec.empty_slots) gpu_.fill_bytes(out, empty, static_cast<std::size_t>(word * job_.elements()));
        switch (job_.spec.array) {
            case x:
            case w:
                return;
            case im2col:
                return build_im2col_layer(gpu_, shape, model_, units, image, static_cast<float*>(out));
            case L:
                return build_mec_layer(gpu_, shape, model_, units, image, static_cast<float*>(out));
            case F_data:
            case K_index:
            case Ptr:
                return build_ecr_layer(gpu_, shape, model_, units, image, format(out));
            case Data:
            case Index:
            case Count:
                return build_pecr(image, out);
            case y: {
                build_im2col_layer(gpu_, shape, model_, units, image, matrix_.floats());
                const std::int64_t reduction = shape.reduction(), k = shape.k;
                gpu_.gemm({job_.rows, k, reduction, reduction, k, k}, matrix_.floats(), weights_.floats(),
                          static_cast<float*>(out));
                return;
            }
        }
    }

    /// Waits for everything before it.
    ValueRange range(const void* out) {
        constexpr std::int64_t max_blocks = 1024, elements_per_thread = 16;
        const std::int64_t blocks = ceil_div(job_.elements(), range_threads * elements_per_thread);
        const bool integers = job_.spec.element == convscope::Element::i32;
        gpu_.fill_bytes(range_.get(), 0, range_.bytes());
        launch(gpu_, range_of_words,
               kernel_launch("range_of_words", "range", {std::min(blocks, max_blocks), 1, 1}, {range_threads, 1, 1}),
               static_cast<const int*>(out), static_cast<long long>(job_.elements()), integers,
               static_cast<int*>(range_.get()));
        std::array<std::int32_t, 2> bits{};
        gpu_.download(bits.data(), range_.get(), range_.bytes());
        if (integers) return {0, static_cast<float>(bits[0])};
        std::array<float, 2> values{};
        std::memcpy(values.data(), bits.data(), sizeof values);
        return {0 - values[1], values[0]};
    }

    Gpu& gpu_;
    const DeviceModel model_;
    const LayerJob job_;
    GpuMemory range_;                        ///< of range_of_words()
    GpuMemory input_;                        ///< one image; none where the input is the array itself
    GpuMemory matrix_, weights_;             ///< of y: im2col's matrix, the filters as [r s c][k]
    GpuMemory values_, positions_, counts_;  ///< of ECR or PECR: see take_format()
};

}  // namespace

std::unique_ptr<LayerWriter> make_gpu_layer_writer(Gpu& gpu, const DeviceModel& model, const LayerJob& job,
                                                   const float* w) {
    return std::make_unique<GpuLayerWriter>(gpu, model, job, w);
}

}  // namespace convscope::CONVSCOPE_DIALECT
