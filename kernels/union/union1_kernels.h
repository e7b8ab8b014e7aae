// union1's kernels, in the order in which they run: union1_mark finds the channels that are not all zero under a tile,
// union1_multiply multiplies those, union1_sum adds up their slices. CUDA-only (compute capability 9.0): wgmma has no
// meaning for single threads.
#pragma once

#include "kernels/hopper/bulk_copy.h"
#include "kernels/hopper/matrix_product.h"
#include "kernels/hopper/mbarrier.h"
#include "kernels/hopper/split_halves.h"
#include "kernels/hopper/tile_place.h"
#include "kernels/simt/dependent_launch.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/union/union1_tiling.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr unsigned union1_lanes = 0xffffffffu;
constexpr int union1_threads = 128;                      ///< of a block that multiplies: a warpgroup
constexpr int union1_marks = 4;                          ///< channels that a thread looks at together, for the list
constexpr int union1_row_halves = 2 * union1_channels;   ///< of a pixel: 32 FP16 and 32 residuals, 128 bytes
constexpr int union1_row_bytes = 2 * union1_row_halves;  ///< of weights too: a channel's 64 filters
constexpr int union1_factor_bytes = union1_channels * union1_row_bytes;  ///< weights of a tap; residuals take as many

/// The offsets of a lane's pixels of the box (lane, lane + 32, + 64, + 96) in a map of x; -1 outside of it.
struct Union1Pixels {
    static constexpr int count = union1_pixels / 32;
    int offset[count];
    DEVICE Union1Pixels(const KernelShape& shape, const Union1Tiling& tiling, const hopper::TilePlace& place,
                        int lane) {
        UNROLL for (int i = 0; i < count; ++i) {
            const int pixel = lane + 32 * i, down = pixel * tiling.per_box_w >> 16;
            const int row = place.row + down, column = place.column + pixel - down * tiling.box_w;
            const bool inside = down < tiling.box_h && row >= 0 && row < shape.h && column >= 0 && column < shape.w;
            offset[i] = inside ? row * shape.w + column : -1;
        }
    }
};

/// Writes largest[tile][c], the bits of the largest finite magnitude of a channel in a tile's box; 0: it is all zero.
/// x: NCHW. Block: 256; a warp for each channel. Grid: x tiles, y groups of 8 channels.
KERNEL union1_mark(KernelShape shape, Union1Tiling tiling, const float* x, unsigned* largest) {
    launch_dependents();
    const int lane = threadIdx.x % 32, channel = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32;
    if (channel >= shape.c) return;
    const hopper::TilePlace place(shape, tiling, blockIdx.x);
    const Union1Pixels pixels(shape, tiling, place, lane);
    const float* map = x + (place.image * shape.c + channel) * shape.h * shape.w;
    unsigned most = 0;
    UNROLL for (int i = 0; i < Union1Pixels::count; ++i) {
        const float value = pixels.offset[i] >= 0 ? map[pixels.offset[i]] : 0.0f;
        // A channel of only infinities or NaNs is kept, but sets no scale.
        if (value != 0.0f) most = max(most, max(hopper::finite_magnitude(value), 1u));
    }
    most = __reduce_max_sync(union1_lanes, most);
    if (lane == 0) largest[blockIdx.x * shape.c + channel] = most;
}

/// Writes the slice's channels to 'list': 32 of those that are alive in the tile, -1 behind the last. Returns how many
/// the tile has in all. All 128 threads call it, and must synchronise before they read the list.
DEVICE int union1_list(const KernelShape& shape, const unsigned* largest, int slice, int* list, int* counts) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < union1_channels) list[threadIdx.x] = -1;
    int all = 0;
    for (int first = 0; first < shape.c; first += union1_marks * union1_threads) {
        bool alive[union1_marks];  // loaded together
        UNROLL for (int i = 0; i < union1_marks; ++i) {
            const int channel = first + i * union1_threads + threadIdx.x;
            alive[i] = channel < shape.c && largest[channel] != 0;
        }
        __syncthreads();  // the list is empty, and nobody reads the counts of before
        unsigned of_warp[union1_marks];
        UNROLL for (int i = 0; i < union1_marks; ++i) {
            of_warp[i] = __ballot_sync(union1_lanes, alive[i]);
            if (lane == 0) counts[i * union1_threads / 32 + warp] = __popc(of_warp[i]);
        }
        __syncthreads();
        UNROLL for (int i = 0; i < union1_marks; ++i) {
            int place = all + __popc(of_warp[i] & ((1u << lane) - 1)) - slice * union1_channels;
            UNROLL for (int other = 0; other < union1_threads / 32; ++other) {
                const int count = counts[i * union1_threads / 32 + other];
                if (other < warp) place += count;
                all += count;
            }
            if (alive[i] && place >= 0 && place < union1_channels)
                list[place] = first + i * union1_threads + threadIdx.x;
        }
    }
    return all;
}

/// Loads four 8 x 8 matrices of FP16 from shared memory; each lane gives the address of one row's 16 bytes.
DEVICE void load_matrices(unsigned (&matrices)[4], unsigned address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(matrices[0]), "=r"(matrices[1]), "=r"(matrices[2]), "=r"(matrices[3])
                 : "r"(address)
                 : "memory");
}

/// Writes partial[slice][n p q][leading], the products of 32 channels that are alive in the tile, and used[tile], its
/// slices. Filters are S x S. weights: the output of union1_weights. Block: 128, a warpgroup. Grid: x tiles, y groups
/// of 64 filters, z slices; blocks without channels exit.
/// Dynamic shared memory, aligned to 1024 bytes:
///     taps   for each tap 32 channels' 64 weights, then their residuals
///     box    for each pixel 32 channels, then their residuals; 16 bytes i of row j at i ^ j % 8, in both
template <int S>
LAUNCH_BOUNDS(union1_threads)
KERNEL union1_multiply(KernelShape shape, Union1Tiling tiling, const float* x, const unsigned short* weights,
                       const unsigned* largest, int* used, float* partial) {
    constexpr int taps = S * S, steps = union1_channels / 16;
    extern __shared__ __align__(1024) unsigned char union1_memory[];
    __shared__ int list[union1_channels];
    __shared__ int counts[union1_marks * union1_threads / 32];
    unsigned char* const box = union1_memory + taps * 2 * union1_factor_bytes;
    const int lane = threadIdx.x % 32, warp = __shfl_sync(union1_lanes, threadIdx.x / 32, 0);
    const int slice = blockIdx.z, group = blockIdx.y;
    grid_dependency_wait();
    launch_dependents();
    largest += blockIdx.x * shape.c;
    const int alive = union1_list(shape, largest, slice, list, counts);
    if (group == 0 && slice == 0 && threadIdx.x == 0)
        used[blockIdx.x] = (alive + union1_channels - 1) / union1_channels;
    const int here = min(union1_channels, alive - slice * union1_channels);
    if (here <= 0) return;
    __syncthreads();

    // A warp's eight channels of all pixels: 16 bytes of each row.
    constexpr int own = union1_channels / 4;
    const hopper::TilePlace place(shape, tiling, blockIdx.x);
    const Union1Pixels pixels(shape, tiling, place, lane);
    const int plane = shape.h * shape.w;
    float values[own][Union1Pixels::count];
    UNROLL for (int c = 0; c < own; ++c) {
        const int channel = list[warp * own + c];
        const float* map = x + (place.image * shape.c + max(channel, 0)) * plane;
        UNROLL for (int i = 0; i < Union1Pixels::count; ++i) {
            values[c][i] = 0.0f;
            if (channel >= 0 && pixels.offset[i] >= 0) values[c][i] = map[pixels.offset[i]];
        }
    }
    const int scaled = list[lane];
    unsigned most = scaled >= 0 ? largest[scaled] : 0;
    UNROLL for (int step = 0; step < steps; ++step) {
        const int row = step * 16 + threadIdx.x / 8, chunk = threadIdx.x % 8, channel = list[row];
        if (step * 16 >= here) break;
        unsigned to = hopper::shared_address(union1_memory + row * union1_row_bytes + (chunk ^ row % 8) * 16);
        const unsigned short* from =
            weights + (static_cast<long long>(group) * taps * shape.c + max(channel, 0)) * 2 * union1_filters +
            chunk * 8;
        const int bytes = channel >= 0 ? 16 : 0;  // the rest of the 16 is filled with zeros
        UNROLL for (int tap = 0; tap < taps; ++tap) {
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to + union1_factor_bytes),
                         "l"(from + union1_filters), "r"(bytes)
                         : "memory");
            to += 2 * union1_factor_bytes;
            from += shape.c * 2 * union1_filters;
        }
    }
    most = __reduce_max_sync(union1_lanes, most);
    const hopper::Scale scale(static_cast<int>(most >> 23));
    UNROLL for (int i = 0; i < Union1Pixels::count; ++i) {
        const int pixel = lane + 32 * i;
        if (pixel >= tiling.box_h * tiling.box_w) break;
        hopper::SplitPair pairs[own / 2]{{values[0][i], values[1][i], scale.scale},
                                         {values[2][i], values[3][i], scale.scale},
                                         {values[4][i], values[5][i], scale.scale},
                                         {values[6][i], values[7][i], scale.scale}};
        uint4* row = reinterpret_cast<uint4*>(box + pixel * union1_row_bytes);
        row[warp ^ pixel % 8] = make_uint4(pairs[0].hi, pairs[1].hi, pairs[2].hi, pairs[3].hi);
        row[(warp + 4) ^ pixel % 8] = make_uint4(pairs[0].lo, pairs[1].lo, pairs[2].lo, pairs[3].lo);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    hopper::fence_proxy_async();
    __syncthreads();

    // Window i of the tile is row i of the product. A lane gives the address of one window's pixel.
    const auto down_of = [&](int window) { return window * tiling.per_tile_w >> 16; };
    int first_pixel = 0;
    {
        const int window = warp * 16 + lane % 16, down = down_of(window);
        if (down < tiling.tile_h)
            first_pixel = down * shape.stride_h * tiling.box_w + (window - down * tiling.tile_w) * shape.stride_w;
    }
    const unsigned pixel_rows = hopper::shared_address(box), factors = hopper::shared_address(union1_memory);
    float sum[union1_filters / 2];
    UNROLL for (int i = 0; i < union1_filters / 2; ++i) sum[i] = 0.0f;
    NO_UNROLL for (int step = 0; step * 16 < here; ++step) {
        unsigned hi[S][S][4], lo[S][S][4];
        UNROLL for (int r = 0; r < S; ++r) {
            UNROLL for (int s = 0; s < S; ++s) {
                const int pixel = first_pixel + r * tiling.box_w + s;
                const unsigned address =
                    pixel_rows + pixel * union1_row_bytes + ((step * 2 + lane / 16) ^ pixel % 8) * 16;
                load_matrices(hi[r][s], address);
                load_matrices(lo[r][s], address ^ (union1_row_bytes / 2));
            }
            hopper::warpgroup_arrive();
            UNROLL for (int s = 0; s < S; ++s) {
                const unsigned at = factors + (r * S + s) * 2 * union1_factor_bytes + step * 16 * union1_row_bytes;
                const std::uint64_t w_hi = hopper::make_descriptor(at, 8 * union1_row_bytes);
                const std::uint64_t w_lo = hopper::make_descriptor(at + union1_factor_bytes, 8 * union1_row_bytes);
                hopper::multiply_halves_turned(sum, hi[r][s], w_hi);
                hopper::multiply_halves_turned(sum, hi[r][s], w_lo);
                hopper::multiply_halves_turned(sum, lo[r][s], w_hi);
            }
            hopper::warpgroup_commit();
            if (r > 0) hopper::warpgroup_wait<1>();
        }
        hopper::warpgroup_wait<0>();
    }
    UNROLL for (int below = 0; below < 2; ++below) {
        const int window = warp * 16 + lane / 4 + below * 8, down = down_of(window);
        const int p = place.p + down, q = place.q + window - down * tiling.tile_w;
        if (down >= tiling.tile_h || p >= shape.p || q >= shape.q) continue;
        const long long output = (static_cast<long long>(slice * shape.n + place.image) * shape.p + p) * shape.q + q;
        float2* to = reinterpret_cast<float2*>(partial + output * tiling.leading + group * union1_filters) + lane % 4;
        UNROLL for (int eight = 0; eight < union1_filters / 8; ++eight) to[eight * 4] = make_float2(
            sum[4 * eight + 2 * below] * scale.inverse_scale, sum[4 * eight + 2 * below + 1] * scale.inverse_scale);
    }
}

/// Adds up the slices of each window's tile in their order and writes y, NCHW. A tile of 32 filters x 8 windows is
/// transposed in shared memory. Block: 32 x 8. Grid: x groups of 8 windows, y of 32 filters, z images.
KERNEL union1_sum(KernelShape shape, Union1Tiling tiling, const float* partial, const float* inverse_scale,
                  const int* used, float* y) {
    constexpr int filters = 32, windows = 8, pitch = filters + 1, loads = 8;
    __shared__ float turned[windows * pitch];
    const int outputs = shape.p * shape.q, image = blockIdx.z;
    {
        const int output = blockIdx.x * windows + threadIdx.y, filter = blockIdx.y * filters + threadIdx.x;
        float total = 0.0f;
        if (output < outputs) {
            const int p = output / shape.q, q = output - p * shape.q;
            const int tile = (image * tiling.tiles_h + p / tiling.tile_h) * tiling.tiles_w + q / tiling.tile_w;
            const float factor = inverse_scale[filter];
            const long long step = static_cast<long long>(shape.n) * outputs * tiling.leading;
            const float* from = partial + (static_cast<long long>(image) * outputs + output) * tiling.leading + filter;
            grid_dependency_wait();
            const int slices = used[tile];
            for (int slice = 0; slice < slices; slice += loads) {
                float loaded[loads];
                UNROLL for (int load = 0; load < loads; ++load) {
                    loaded[load] = 0.0f;
                    if (slice + load < slices) loaded[load] = from[0];
                    from += step;
                }
                UNROLL for (int load = 0; load < loads; ++load) total += loaded[load];
            }
            total *= factor;
        }
        turned[threadIdx.y * pitch + threadIdx.x] = total;
    }
    __syncthreads();
    const int thread = threadIdx.y * filters + threadIdx.x;
    const int output = blockIdx.x * windows + thread % windows, filter = blockIdx.y * filters + thread / windows;
    if (output < outputs && filter < shape.k)
        y[(image * shape.k + filter) * outputs + output] = turned[thread % windows * pitch + thread / windows];
}

/// prepared, [group of 64 filters][tap][c][64 FP16, 64 residuals], from w, KCRS: scaled and split, zeros beyond k. One
/// thread per weight.
KERNEL union1_weights(KernelShape shape, Union1Tiling tiling, const float* w, const float* inverse_scale,
                      unsigned short* prepared) {
    const int taps = shape.r * shape.s;
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (thread >= static_cast<long long>(tiling.leading) * taps * shape.c) return;
    const int within = static_cast<int>(thread % union1_filters);
    const long long row = thread / union1_filters;
    const int channel = static_cast<int>(row % shape.c), tap = static_cast<int>(row / shape.c % taps);
    const int filter = static_cast<int>(row / shape.c / taps) * union1_filters + within;
    const float value = filter < shape.k ? w[(static_cast<long long>(filter) * shape.c + channel) * taps + tap] : 0.0f;
    const hopper::SplitPair split(value, 0.0f, 1.0f / inverse_scale[filter]);
    prepared[row * 2 * union1_filters + within] = static_cast<unsigned short>(split.hi);
    prepared[row * 2 * union1_filters + union1_filters + within] = static_cast<unsigned short>(split.lo);
}

}  // namespace convscope::CONVSCOPE_DIALECT
