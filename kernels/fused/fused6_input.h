// Fetches the input of fused6's tiles into shared memory and rounds it to TF32.
#pragma once

#include "kernels/fused/fused6_memory.h"
#include "kernels/hopper/bulk_copy.h"
#include "kernels/hopper/rounding.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int fused6_input_threads = 96;  // warps 1 to 3

/// x, NHWC, with its tensor map. TMA needs c to be a multiple of 4; otherwise 'map' is unused and threads gather x.
struct Fused6Input {
    const CUtensorMap& map;
    const float* x;
};

/// Rounds a slice of input to TF32 in place.
DEVICE void round_input(unsigned char* input, int bytes, int thread) {
    float4* fours = reinterpret_cast<float4*>(input);
    _Pragma("unroll 4") for (int i = thread; i < bytes / 16; i += fused6_input_threads) fours[i] =
        hopper::rounded_to_tf32(fours[i]);
}

/// Does by ordinary loads and stores what TMA and round_input() do: 4 channels at a time, the 16 bytes i of pixel j at
/// i ^ j % 8.
DEVICE void gather_input(const KernelShape& shape, const Fused6Tiling& tiling, const float* x, int image, int first_row,
                         int first_column, int first_channel, unsigned char* input, int thread) {
    constexpr int chunks = fused6_slice / 4;
    float4* fours = reinterpret_cast<float4*>(input);
    for (int i = thread; i < tiling.box_rows * tiling.box_columns * chunks; i += fused6_input_threads) {
        const int pixel = i / chunks, chunk = i % chunks, channel = first_channel + chunk * 4;
        const int row = first_row + pixel / tiling.box_columns, column = first_column + pixel % tiling.box_columns;
        const bool inside = row >= 0 && row < shape.h && column >= 0 && column < shape.w;
        const long long place =
            ((static_cast<long long>(image) * shape.h + row) * shape.w + column) * shape.c + channel;
        float four[4];
        UNROLL
        for (int j = 0; j < 4; ++j) four[j] = inside && channel + j < shape.c ? x[place + j] : 0.0f;
        fours[pixel * chunks + (chunk ^ pixel % 8)] =
            hopper::rounded_to_tf32(make_float4(four[0], four[1], four[2], four[3]));
    }
}

/// Fetches the input slice by slice, tile by tile. Three warps call this.
template <int Filters, int Columns>
DEVICE void fetch_input(const KernelShape& shape, const Fused6Tiling& tiling, const Fused6Input& from,
                        const Fused6Memory<Filters>& memory) {
    const int thread = threadIdx.x - 32, bytes = tiling.box_rows * tiling.box_columns * fused6_slice * 4;
    const bool boxes = shape.c % 4 == 0;
    hopper::RingPosition at;
    for (int tile = blockIdx.x; tile < tiling.tiles; tile += gridDim.x) {
        const Fused6Place<Columns> place(tiling, tile);
        const int row = place.row - shape.pad_h, column = place.column - shape.pad_w;
        for (int slice = 0; slice < tiling.slices; ++slice, at.advance(fused6_inputs)) {
            hopper::Mbarrier& there = memory.input_there[at.stage];
            unsigned char* input = memory.inputs + at.stage * tiling.input_bytes;
            const int channel = slice * fused6_slice;
            if (boxes) {
                if (thread == 0) {
                    memory.input_free[at.stage].wait(at.parity ^ 1);
                    there.arrive_expect_tx(bytes);
                    hopper::copy_box(input, from.map, channel, column, row, place.image, there);
                }
                there.wait(at.parity);
                round_input(input, bytes, thread);
            } else {
                memory.input_free[at.stage].wait(at.parity ^ 1);
                gather_input(shape, tiling, from.x, place.image, row, column, channel, input, thread);
            }
            hopper::fence_proxy_async();
            __syncwarp();
            if (thread % 32 == 0) memory.input_rounded[at.stage].arrive();
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
