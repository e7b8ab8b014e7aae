// nm1's kernels, in the order in which they run: the weights, once; x to FP16; the products. share_sum
// (wcsr_kernels.h) adds those of a layer that blocks share.
// For CUDA alone, and as nvcc compiles it (compute capability 8.0): tensor cores have no meaning for single threads.
//
// An implicit GEMM: y[filter][pixel] = sum over taps and channels of w[filter][tap, channel] x[tap, channel][pixel].
// The weights are the sparse factor of mma.sp: two of each four channels are stored, with 2 bits that say which, and
// the tensor core picks the inputs that they meet (Mishra et al., "Accelerating Sparse Deep Neural Networks", 2021).
// The dense twin multiplies all channels with mma; its tiles, copies and sums are the same.
#pragma once

#include <cuda_fp16.h>

#include "kernels/simt/async_copy.h"
#include "kernels/simt/dependent_launch.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/weights/nm_tiling.h"

namespace convscope::CONVSCOPE_DIALECT {

DEVICE unsigned nm_halves(float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&pair);
}

/// w, KCRS, to tiles (nm_layout.h) [K tile][row tile], a K tile being a tap's 64 channels. One thread for each lane of
/// each tile's blocks and, where they are sparse, of its metadata. Grid: x K tiles, y covers a K tile's tiles.
template <bool Sparse>
KERNEL nm_weights(KernelShape shape, NmTiling tiling, const float* w, unsigned char* tiles) {
    constexpr int blocks = Sparse ? 3 : 4;  // the last of the sparse ones is the metadata
    const int item = blockIdx.y * blockDim.x + threadIdx.x, k_tile = blockIdx.x;
    if (item >= tiling.row_tiles * blocks * 32) return;
    const int lane = item % 32, block = item / 32 % blocks, tile = item / (32 * blocks);
    const int taps = shape.r * shape.s, per_tap = tiling.padded_c / nm_channels;
    const int tap = k_tile / per_tap, first_channel = k_tile % per_tap * nm_channels;
    const auto weight = [&](int filter, int channel) {
        filter += tile * nm_filters;
        channel += first_channel;
        if (filter >= shape.k || channel >= shape.c) return 0.0f;
        return w[(static_cast<long long>(filter) * shape.c + channel) * taps + tap];
    };
    unsigned char* const to =
        tiles + (static_cast<long long>(k_tile) * tiling.row_tiles + tile) * nm_tile_bytes(Sparse);
    if (Sparse && block == 2) {
        reinterpret_cast<unsigned*>(to + 2 * nm_block_bytes)[lane] = nm_metadata(weight, lane);
        return;
    }
    float value[8];
    UNROLL for (int i = 0; i < 8; ++i) {
        const NmPlace place = Sparse ? nm_sparse_place(weight, block, lane, i) : nm_dense_place(block, lane, i);
        value[i] = weight(place.filter, place.channel);
    }
    reinterpret_cast<uint4*>(to + block * nm_block_bytes)[lane] =
        make_uint4(nm_halves(value[0], value[1]), nm_halves(value[2], value[3]), nm_halves(value[4], value[5]),
                   nm_halves(value[6], value[7]));
}

/// x, NHWC, to FP16 [n h w][padded_c], zeros behind the last channel. One thread for eight channels.
KERNEL nm_convert(KernelShape shape, NmTiling tiling, const float* x, uint4* halves) {
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int eights = tiling.padded_c / 8;
    const long long pixel = place / eights;
    const int channel = static_cast<int>(place % eights) * 8;
    if (pixel >= static_cast<long long>(shape.n) * shape.h * shape.w) return;
    const float* from = x + pixel * shape.c + channel;
    float value[8];
    if (shape.c % 4 == 0) {
        UNROLL for (int i = 0; i < 8; i += 4) {
            float4 four{0.0f, 0.0f, 0.0f, 0.0f};
            if (channel + i < shape.c) four = *reinterpret_cast<const float4*>(from + i);
            value[i] = four.x;
            value[i + 1] = four.y;
            value[i + 2] = four.z;
            value[i + 3] = four.w;
        }
    } else {
        UNROLL for (int i = 0; i < 8; ++i) value[i] = channel + i < shape.c ? from[i] : 0.0f;
    }
    halves[place] = make_uint4(nm_halves(value[0], value[1]), nm_halves(value[2], value[3]),
                               nm_halves(value[4], value[5]), nm_halves(value[6], value[7]));
}

/// 16 bytes from global to shared memory, or zeros.
DEVICE void nm_copy(unsigned to, const void* from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

/// Four 8 x 8 matrices of FP16 from shared memory; each lane gives the address of one row's 16 bytes.
DEVICE void nm_load_matrices(unsigned (&matrices)[4], unsigned address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(matrices[0]), "=r"(matrices[1]), "=r"(matrices[2]), "=r"(matrices[3])
                 : "r"(address)
                 : "memory");
}

// Metadata whose columns ascend has an instruction of its own from PTX 8.5 on, which later GPUs run faster.
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1205
#define CONVSCOPE_MMA_SP "mma.sp::ordered_metadata.sync.aligned"
#else
#define CONVSCOPE_MMA_SP "mma.sp.sync.aligned"
#endif

/// 16 filters x 32 channels, two of each four, times 32 channels x 8 pixels.
template <int Selector>
DEVICE void nm_multiply_sparse(float (&sums)[4], const uint4& a, const unsigned (&b)[4], unsigned metadata) {
    asm volatile(CONVSCOPE_MMA_SP
                 ".m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, "
                 "{%0, %1, %2, %3}, %12, %13;"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(metadata),
                   "n"(Selector));
}
#undef CONVSCOPE_MMA_SP

/// 16 filters x 16 channels times 16 channels x 8 pixels.
DEVICE void nm_multiply_dense(float (&sums)[4], const uint4& a, unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1));
}

/// Sums over a share of the K tiles, for Filters filters and Pixels outputs. While a K tile is multiplied the next two
/// are in flight.
///
/// Block: nm_threads(). Grid: x groups of pixels, y groups of filters, z shares of the K tiles. Dynamic shared memory:
/// for each of nm_stages the weights' tiles, then for each pixel 64 channels, 16 bytes i of row j at i ^ j % 8.
/// halves: as nm_convert leaves them; sums: [share][n p q][k], of one share y before pooling.
template <bool Sparse, int Filters, int Pixels>
LAUNCH_BOUNDS(nm_threads(Filters, Pixels))
KERNEL nm_multiply(KernelShape shape, NmTiling tiling, const unsigned short* halves, const unsigned char* weights,
                   float* sums) {
    constexpr int threads = nm_threads(Filters, Pixels), tile_bytes = nm_tile_bytes(Sparse);
    constexpr int weight_bytes = Filters / nm_filters * tile_bytes, row_bytes = nm_channels * 2;
    constexpr int stage_bytes = nm_stage_bytes(Sparse, Filters, Pixels);
    constexpr int filter_tiles = nm_warp_filters(Filters, Pixels) / nm_filters, pixel_tiles = 4;  // of a warp
    constexpr int copied_rows = Pixels * 8 / threads;                                             // of a thread
    extern __shared__ __align__(128) unsigned char nm_memory[];
    const unsigned memory = static_cast<unsigned>(__cvta_generic_to_shared(nm_memory));
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int warp_row = warp / (Pixels / 32) * filter_tiles, warp_pixel = warp % (Pixels / 32) * 32;
    const int first_pixel = blockIdx.x * Pixels, first_tile = blockIdx.y * (Filters / nm_filters);
    const int k_tile = static_cast<int>(static_cast<long long>(blockIdx.z) * tiling.k_tiles / tiling.split);
    const int end_k_tile = static_cast<int>((static_cast<long long>(blockIdx.z) + 1) * tiling.k_tiles / tiling.split);
    launch_dependents();

    // The pixels that this thread copies 16 bytes of: their first inputs.
    int first_down[copied_rows], first_right[copied_rows], image[copied_rows];
    UNROLL for (int i = 0; i < copied_rows; ++i) {
        const int pixel = first_pixel + threadIdx.x / 8 + i * (threads / 8), outputs = shape.p * shape.q;
        const int within = pixel % outputs;
        image[i] = pixel / outputs;
        first_down[i] = within / shape.q * shape.stride_h - shape.pad_h;
        first_right[i] = within % shape.q * shape.stride_w - shape.pad_w;
        if (pixel >= tiling.pixels) first_down[i] = -(1 << 30);  // outside of the map, whatever the tap
    }
    // The K tile that is requested next.
    const int per_tap = tiling.padded_c / nm_channels;
    int next = k_tile, channels = k_tile % per_tap, down = k_tile / per_tap / shape.s * tiling.dilation_h,
        right = k_tile / per_tap % shape.s * tiling.dilation_w;
    const auto request = [&](int stage) {
        const unsigned to = memory + stage * stage_bytes;
        const unsigned char* tiles =
            weights + (static_cast<long long>(next) * tiling.row_tiles + first_tile) * tile_bytes;
        UNROLL for (int at = threadIdx.x * 16; at < weight_bytes; at += threads * 16)
            nm_copy(to + at, tiles + at, true);
        const int chunk = threadIdx.x % 8;
        UNROLL for (int i = 0; i < copied_rows; ++i) {
            const int row = threadIdx.x / 8 + i * (threads / 8);
            const int h = first_down[i] + down, w = first_right[i] + right;
            const bool inside = h >= 0 && h < shape.h && w >= 0 && w < shape.w;
            const long long pixel = inside ? (static_cast<long long>(image[i]) * shape.h + h) * shape.w + w : 0;
            nm_copy(to + weight_bytes + row * row_bytes + (chunk ^ row % 8) * 16,
                    halves + pixel * tiling.padded_c + channels * nm_channels + chunk * 8, inside);
        }
        ++next;
        if (++channels < per_tap) return;
        channels = 0;
        right += tiling.dilation_w;
        if (right < shape.s * tiling.dilation_w) return;
        right = 0;
        down += tiling.dilation_h;
    };

    float own[filter_tiles][pixel_tiles][4];
    UNROLL for (int i = 0; i < filter_tiles; ++i) {
        UNROLL for (int j = 0; j < pixel_tiles; ++j) {
            UNROLL for (int e = 0; e < 4; ++e) own[i][j][e] = 0.0f;
        }
    }
    UNROLL for (int stage = 0; stage < nm_stages - 1; ++stage) {
        if (next < end_k_tile) request(stage);
        end_copy_group();
    }
    int stage = 0;
    NO_UNROLL for (int done = k_tile; done < end_k_tile; ++done) {
        arrive_copies<nm_stages - 2>();
        __syncthreads();  // this K tile is there, and nobody reads the one before
        if (next < end_k_tile) request(stage == 0 ? nm_stages - 1 : stage - 1);
        end_copy_group();
        const unsigned char* tiles = nm_memory + stage * stage_bytes + warp_row * tile_bytes;
        const unsigned rows = memory + stage * stage_bytes + weight_bytes + (warp_pixel + lane % 8) * row_bytes;
        unsigned metadata[filter_tiles];
        UNROLL for (int i = 0; i < filter_tiles; ++i) {
            metadata[i] = 0;
            if (Sparse)
                metadata[i] = reinterpret_cast<const unsigned*>(tiles + i * tile_bytes + 2 * nm_block_bytes)[lane];
        }
        UNROLL for (int step = 0; step < nm_channels / nm_step; ++step) {
            unsigned b[pixel_tiles][4];
            UNROLL for (int j = 0; j < pixel_tiles; ++j)
                nm_load_matrices(b[j], rows + j * 8 * row_bytes + ((step * 4 + lane / 8) ^ lane % 8) * 16);
            UNROLL for (int i = 0; i < filter_tiles; ++i) {
                const unsigned char* blocks = tiles + i * tile_bytes;
                if constexpr (Sparse) {
                    const uint4 a = reinterpret_cast<const uint4*>(blocks + step * nm_block_bytes)[lane];
                    UNROLL for (int j = 0; j < pixel_tiles; ++j) {
                        if (step == 0)
                            nm_multiply_sparse<0>(own[i][j], a, b[j], metadata[i]);
                        else
                            nm_multiply_sparse<1>(own[i][j], a, b[j], metadata[i]);
                    }
                } else {
                    UNROLL for (int half = 0; half < 2; ++half) {
                        const uint4 a =
                            reinterpret_cast<const uint4*>(blocks + (2 * step + half) * nm_block_bytes)[lane];
                        UNROLL for (int j = 0; j < pixel_tiles; ++j)
                            nm_multiply_dense(own[i][j], a, b[j][2 * half], b[j][2 * half + 1]);
                    }
                }
            }
        }
        stage = stage + 1 == nm_stages ? 0 : stage + 1;
    }

    sums += static_cast<long long>(blockIdx.z) * tiling.pixels * shape.k;
    UNROLL for (int i = 0; i < filter_tiles; ++i) {
        UNROLL for (int j = 0; j < pixel_tiles; ++j) {
            UNROLL for (int e = 0; e < 4; ++e) {
                const int filter = (first_tile + warp_row + i) * nm_filters + lane / 4 + e / 2 * 8;
                const int pixel = first_pixel + warp_pixel + j * 8 + lane % 4 * 2 + e % 2;
                if (filter < shape.k && pixel < tiling.pixels)
                    sums[static_cast<long long>(pixel) * shape.k + filter] = own[i][j][e];
            }
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
