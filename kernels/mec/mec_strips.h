// Slices of MEC's strips on their way to shared memory: from L (mec3), or from the input as if L were there (mec4).
#pragma once

#include "kernels/mec/mec_tiling.h"
#include "kernels/simt/async_copy.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Rows of memory that strips lie in. A strip (n, q) is, in L, padded_h rows of s c floats; in x, which is NHWC, it is
/// the floats from (q stride_w - pad_w) c on of an image's h rows of w c.
struct StripSource {
    Global<const float> data;
    int height;  ///< rows of one image in x, of one strip in L; rows outside are padding
    int length;  ///< floats of a row; floats outside are padding
};

DEVICE StripSource strip_source(const KernelShape& shape, bool lowered, Global<const float> data) {
    if (lowered) return {data, shape.h + 2 * shape.pad_h, shape.s * shape.c};
    return {data, shape.h, shape.w * shape.c};
}

/// Where one row of a strip comes from and goes to: x the row in its image or strip, y the index of that image's first
/// row, z the strip's first float in the row, w the place in the stage.
struct alignas(16) StripRow {
    int x, y, z, w;
};

/// Lists the rows of a block's strips, once for all stages: rows[strips][strip_rows]. Strips beyond the last one
/// have no rows.
DEVICE void list_strip_rows(const KernelShape& shape, const MecTiling& tiling, bool lowered, int first_strip,
                            int first_output_row, Shared<StripRow> rows) {
    const int count = tiling.strips * tiling.strip_rows;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int strip = first_strip + i / tiling.strip_rows, row = i % tiling.strip_rows;
        StripRow entry{first_output_row * shape.stride_h + row, 0, 0,
                       i / tiling.strip_rows * tiling.pitch + row * tiling.depth};
        if (lowered) {
            entry.y = strip * (shape.h + 2 * shape.pad_h);
        } else {
            entry.x -= shape.pad_h;
            entry.y = strip / shape.q * shape.h;
            entry.z = (strip % shape.q * shape.stride_w - shape.pad_w) * shape.c;
        }
        if (strip >= shape.n * shape.q) entry.x = -(1 << 30);
        rows[i] = entry;
    }
}

/// Begins to copy floats [column, column + depth) of the strips' rows, filter_row rows further down than listed.
template <int Width>
DEVICE void copy_strips(const KernelShape& shape, const MecTiling& tiling, const StripSource& source,
                        Shared<const StripRow> rows, int filter_row, int column, Shared<float> to) {
    const int bits = tiling.depth_bits - (Width == 4 ? 2 : 0), columns = shape.s * shape.c;
    const int count = (tiling.strips * tiling.strip_rows) << bits;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const StripRow entry = rows[i >> bits];
        const int along = (i & ((1 << bits) - 1)) * Width;
        const int row = entry.x + filter_row, place = entry.z + column + along;
        const bool inside =
            row >= 0 && row < source.height && place >= 0 && place < source.length && column + along < columns;
        copy_async<Width>(to, entry.w + along, source.data,
                          static_cast<long long>(entry.y + row) * source.length + place, inside);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
