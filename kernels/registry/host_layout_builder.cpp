// The layout builder in host memory, from the families' host layouts.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "kernels/ecr/ecr_layout.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/layers/layer_writer.h"
#include "kernels/layers/layout_builder.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"
#include "kernels/reference/reference_result.h"

namespace convscope {
namespace {

template <class T>
void store(const std::vector<T>& values, void* to) {
    std::ranges::copy(values, static_cast<T*>(to));
}

/// Ragged rows into rows of 'slots' slots of 4 bytes; unused slots get the 'empty' value, all bits set.
template <class T>
void store_slots(const std::vector<T>& ragged, const std::vector<std::int64_t>& offsets, std::int64_t slots, void* to) {
    static_assert(sizeof(T) == 4);
    auto* slot = static_cast<T*>(to);
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row, slot += slots) {
        const std::int64_t filled = offsets[row + 1] - offsets[row];
        std::copy_n(ragged.begin() + offsets[row], filled, slot);
        std::memset(slot + filled, 0xFF, static_cast<std::size_t>(slots - filled) * sizeof(T));
    }
}

/// The convolution before pooling.
Tensor convolution(Workload workload) {
    ConvShape& shape = workload.spec.shape;
    shape.pool_h = shape.pool_w = shape.pool_stride = 0;
    return reference_output(workload);
}

Workload single_map(const ConvShape& shape, const float* x, const float* w) {
    Workload workload;
    workload.spec.shape = shape;
    workload.x = Tensor(1, 1, shape.h, shape.w);
    workload.w = Tensor(1, 1, shape.r, shape.s);
    std::copy_n(x, shape.x_elements(), workload.x.data.begin());
    std::copy_n(w, shape.w_elements(), workload.w.data.begin());
    return workload;
}

void build_ecr(const Workload& workload, const std::vector<void*>& out) {
    const EcrLayout layout = make_ecr_layout(workload.spec.shape, workload.x);
    const std::int64_t slots = workload.spec.shape.window();
    store_slots(layout.F_data, layout.offsets, slots, out[2]);
    store_slots(layout.gather_K_data(workload.w.data.data()), layout.offsets, slots, out[3]);
    store(layout.Ptr, out[4]);
    store(convolution(workload).data, out[5]);
}

void build_pecr(const Workload& workload, const std::vector<void*>& out) {
    const PecrLayout layout = make_pecr_layout(workload.spec.shape, workload.x);
    const std::int64_t slots = layout.windows_per_pool() * workload.spec.shape.window();
    store_slots(layout.Data, layout.offsets, slots, out[2]);
    store_slots(layout.Index, layout.offsets, slots, out[3]);
    store(layout.Count, out[4]);
    store(convolution(workload).data, out[5]);
    store(reference_output(workload).data, out[6]);
}

class HostLayoutBuilder final : public LayoutBuilder {
public:
    bool on_gpu() const override { return false; }
    std::string describe() const override { return "built on the CPU"; }
    std::unique_ptr<LayerWriter> make_layer_writer(const LayerJob& job, const float* w) override {
        return make_host_layer_writer(job, w);
    }

    void build(Format format, const ConvShape& shape, const float* x, const float* w,
               const std::vector<void*>& out) override {
        if (out.size() != layout_arrays(format, shape).size() + 2)
            throw std::logic_error("LayoutBuilder::build: 'out' must hold x, w and every array of the format");
        const Workload workload = single_map(shape, x, w);
        store(workload.x.data, out[0]);
        store(workload.w.data, out[1]);
        if (format == Format::ecr) return build_ecr(workload, out);
        if (format == Format::pecr) return build_pecr(workload, out);
        store(format == Format::im2col ? make_im2col_layout(shape, workload.x).matrix
                                       : make_mec_layout(shape, workload.x).L,
              out[2]);
        store(convolution(workload).data, out[3]);
    }
};

}  // namespace

std::unique_ptr<LayoutBuilder> make_host_layout_builder() {
    return std::make_unique<HostLayoutBuilder>();
}

}  // namespace convscope
