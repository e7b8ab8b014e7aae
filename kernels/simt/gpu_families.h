// What families do for each other and for the layouts, in the present dialect.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/layers/layer_writer.h"
#include "kernels/method/registry.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

// Fill out[2..], the arrays of layout_arrays(), from x in out[0] and w in out[1], for one map and one filter. Enqueued.
// Throw Error(usage) with the reason when the kernel's standard launch does not fit the device.
void build_im2col_layout(Gpu&, const ConvShape&, const DeviceModel&, const std::vector<void*>& out);
void build_mec_layout(Gpu&, const ConvShape&, const DeviceModel&, const std::vector<void*>& out);
void build_ecr_layout(Gpu&, const ConvShape&, const DeviceModel&, const std::vector<void*>& out);
void build_pecr_layout(Gpu&, const ConvShape&, const DeviceModel&, const std::vector<void*>& out);

// The first 'units' output rows (of L: output columns) of one image of a whole layer's arrays, by the kernels of
// im2col, mec2, ecr3 and pecr3. The shape has n = 1 and at least so many. Enqueued. Throw as above.
void build_im2col_layer(Gpu&, const ConvShape&, const DeviceModel&, std::int64_t units, const float* x, float* matrix);
void build_mec_layer(Gpu&, const ConvShape&, const DeviceModel&, std::int64_t units, const float* x, float* L);
/// F_data, K_index and Ptr, or Data, Index and Count.
struct CompressedLayer {
    float* values = nullptr;
    int* positions = nullptr;
    int* counts = nullptr;
};
void build_ecr_layer(Gpu&, const ConvShape&, const DeviceModel&, std::int64_t units, const float* x, CompressedLayer);
void build_pecr_layer(Gpu&, const ConvShape&, const DeviceModel&, std::int64_t units, const float* x, CompressedLayer);
/// From pecr3's segments of each window, the words of values or of positions, to rows of Data or Index: without the
/// gaps between the windows of a pooling window. Unused slots are left alone.
void pack_pecr_layer(Gpu&, const ConvShape&, const DeviceModel&, std::int64_t units, const int* segments,
                     const int* counts, int* packed);

/// Writes whole layers for GpuLayoutBuilder.
std::unique_ptr<LayerWriter> make_gpu_layer_writer(Gpu&, const DeviceModel&, const LayerJob&, const float* w);

/// The convolution of one map and one filter by ecr1, without pooling; enqueued.
void convolve_single_map(Gpu&, const ConvShape&, const DeviceModel&, const float* x, const float* w, float* y);

/// The kernel of im2col alone, by its planned launch: x, NHWC, to matrix [n p q][r s c]; enqueued.
void lower_windows(Gpu&, const KernelLaunch&, const ConvShape&, const float* x, float* matrix);

/// The input of csr1's compaction: a dense matrix, row by row, in tiles of so many elements. The three steps are
/// the kernels of csr1 (csr_kernels.h) by their planned launches; enqueued.
struct CompactedMatrix {
    const float* elements = nullptr;
    std::int64_t rows = 0, row_length = 0, tile = 0;
};
/// The non-zeros of each tile.
void count_nonzeros(Gpu&, const KernelLaunch&, const CompactedMatrix&, int* counts);
/// Replaces each count by the sum of those before it.
void sum_counts(Gpu&, const KernelLaunch&, const CompactedMatrix&, int* counts, int* total);
/// 'starts' are those sums; row_offsets[rows], the total, is not written.
void move_nonzeros(Gpu&, const KernelLaunch&, const CompactedMatrix&, const int* starts, float* values, int* columns,
                   int* row_offsets);

/// The main kernel's standard launch. Throws Error(usage) as above.
KernelLaunch default_launch(const Method&, const ConvShape&, const DeviceModel&);
/// The same of another of its kernels.
KernelLaunch default_launch(const Method&, const ConvShape&, const DeviceModel&, const char* kernel);

}  // namespace convscope::CONVSCOPE_DIALECT
