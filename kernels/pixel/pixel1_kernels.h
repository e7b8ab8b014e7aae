// pixel1 and pixel2: convolution of maps in which most pixels are zero in every channel, on tensor cores. CUDA-only
// (compute capability 9.0): clusters, bulk copies and mma.sync have no meaning for single threads.
//
// Skipping windows gains little: with 90 % of the pixels empty, 61 % of 3x3 windows (1 - 0.9^9) see one that is not. So
// pixels are skipped. A pixel that is not empty is multiplied by the weights of every tap, and each product is added to
// the window that sees the pixel under that tap: gather, multiply, scatter, as in sparse convolution on point clouds,
// but within a tile of windows whose sums stay in shared memory. There is no list in global memory and no atomic sum:
// under one tap no two pixels belong to the same window, and a barrier separates the taps.
//
// FP32 by three products in FP16 (kernels/hopper/split_halves.h) in pixel1, TF32's 11 bits by one in pixel2; each pixel
// and each filter has a scale of its own.
#pragma once

#include "kernels/hopper/bulk_copy.h"
#include "kernels/hopper/quotient.h"
#include "kernels/hopper/split_halves.h"
#include "kernels/hopper/tile_place.h"
#include "kernels/pixel/pixel1_plan.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr unsigned pixel1_lanes = 0xffffffffu;
constexpr int pixel1_none = -(1 << 24);  ///< a row or column of the box that no window of the tile has under a tap

/// A lane's weights in one product: filter lane / 4, channels 4 (lane % 4) and the next three, as pairs of
/// FP16 and, for three products, their residuals.
template <Pixel1Products Products>
struct __align__(8) Pixel1Factors {
    unsigned front, back;
};
template <>
struct __align__(16) Pixel1Factors<Pixel1Products::three> {
    unsigned front, back, front_lo, back_lo;
};

/// prepared[group of 32 filters][K tile][tap][step of 16 channels][8 filters][lane], from w, KCRS: scaled and rounded,
/// zeros beyond k and c. One thread for each lane's factors.
template <Pixel1Products Products>
KERNEL pixel1_weights(KernelShape shape, Pixel1Tiling tiling, const float* w, const float* inverse_scale,
                      Pixel1Factors<Products>* prepared) {
    constexpr int lanes = 32, of_step = pixel1_filters / 8 * lanes;
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int taps = shape.r * shape.s;
    const long long of_group = static_cast<long long>(tiling.steps) * taps * of_step;
    if (thread >= tiling.padded_k / pixel1_filters * of_group) return;
    const int group = static_cast<int>(thread / of_group), of_k_tile = tiling.k_tile_steps * taps * of_step;
    const int k_tile = static_cast<int>(thread % of_group / of_k_tile);
    const int place = static_cast<int>(thread % of_group % of_k_tile);
    const int steps = min(tiling.k_tile_steps, tiling.steps - k_tile * tiling.k_tile_steps);
    const int tap = place / (steps * of_step), step = k_tile * tiling.k_tile_steps + place / of_step % steps;
    const int lane = place % lanes, eight = place % of_step / lanes;
    const int filter = group * pixel1_filters + eight * 8 + lane / 4, channel = step * pixel1_step + lane % 4 * 4;
    float values[4];
    UNROLL for (int i = 0; i < 4; ++i) {
        values[i] = 0.0f;
        if (filter < shape.k && channel + i < shape.c)
            values[i] = w[(static_cast<long long>(filter) * shape.c + channel + i) * taps + tap];
    }
    const float scale = 1.0f / inverse_scale[filter];
    const hopper::SplitPair front(values[0], values[1], scale), back(values[2], values[3], scale);
    if constexpr (Products == Pixel1Products::three)
        prepared[thread] = {front.hi, back.hi, front.lo, back.lo};
    else
        prepared[thread] = {front.hi, back.hi};
}

/// A block's dynamic shared memory, aligned to 128 bytes.
struct Pixel1Memory {
    unsigned char* weights;   ///< [stages][stage_bytes]
    float* sums;              ///< [windows of the tile][32 filters]; 8 filters i of window j at i ^ j % 4
    float* magnitudes;        ///< of each pixel of the box; 0: empty
    int* list;                ///< pixels that are not empty: row << 16 | column of the box
    hopper::Mbarrier* there;  ///< of each stage
    int* counts;              ///< of each warp, of pixels that are not empty
    int *down, *across;       ///< [r][box_h] and [s][box_w]: the window's index is their sum, negative: none

    DEVICE Pixel1Memory(unsigned char* memory, const KernelShape& shape, const Pixel1Tiling& tiling) {
        const int pixels = (tiling.box_h * tiling.box_w + 3) / 4 * 4;
        weights = memory;
        sums = reinterpret_cast<float*>(weights + tiling.stages * tiling.stage_bytes);
        magnitudes = sums + tiling.tile_h * tiling.tile_w * pixel1_filters;
        list = reinterpret_cast<int*>(magnitudes + pixels);
        there = reinterpret_cast<hopper::Mbarrier*>(list + pixels);
        counts = reinterpret_cast<int*>(there + tiling.stages);
        down = counts + pixel1_warps;
        across = down + shape.r * tiling.box_h;
    }
};

/// Where a pixel of a tile's box begins in x, NHWC; -1 outside of the map.
DEVICE int pixel1_offset(const KernelShape& shape, const hopper::TilePlace& place, int box_row, int box_column) {
    const int h = place.row + box_row, w = place.column + box_column;
    const bool inside = h >= 0 && h < shape.h && w >= 0 && w < shape.w;
    return inside ? ((place.image * shape.h + h) * shape.w + w) * shape.c : -1;
}

/// Four channels from x[at] on; zeros beyond 'channels' that are left.
template <bool Quads>
DEVICE float4 pixel1_channels(const float* x, int at, int channels) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if constexpr (Quads) {
        if (channels > 0) four = *reinterpret_cast<const float4*>(x + at);
    } else {
        if (channels > 0) four.x = x[at];
        if (channels > 1) four.y = x[at + 1];
        if (channels > 2) four.z = x[at + 2];
        if (channels > 3) four.w = x[at + 3];
    }
    return four;
}

/// The larger of two magnitudes; a NaN is larger than all.
DEVICE float pixel1_larger(float magnitude, float value) {
    float larger;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(magnitude), "f"(fabsf(value)));
    return larger;
}

/// magnitudes: the largest magnitude of every pixel of the box, for the quads of pixels that are this block's: of b
/// blocks every b-th. A thread has Pixels x Chunks loads in flight.
template <bool Quads, int Pixels, int Chunks>
DEVICE void pixel1_search(const KernelShape& shape, const Pixel1Tiling& tiling, const hopper::TilePlace& place,
                          const float* x, float* magnitudes) {
    constexpr int width = Quads ? 4 : 1;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int pixels = tiling.box_h * tiling.box_w, quads = (pixels + 3) / 4, blocks = gridDim.z, rank = blockIdx.z;
    const int own = (quads - rank + blocks - 1) / blocks * 4, of_warp = 32 / tiling.span;
    const int first_channel = lane % tiling.span * width, step = tiling.span * width;
    NO_UNROLL for (int first = warp * of_warp * Pixels; first < own; first += pixel1_warps * of_warp * Pixels) {
        int pixel[Pixels], offset[Pixels];
        float most[Pixels];
        UNROLL for (int i = 0; i < Pixels; ++i) {
            const int index = first + i * of_warp + lane / tiling.span;
            pixel[i] = index < own ? (rank + index / 4 * blocks) * 4 + index % 4 : pixels;
            const int row = static_cast<int>(hopper::quotient(pixel[i], tiling.per_box_w));
            offset[i] = pixel[i] < pixels ? pixel1_offset(shape, place, row, pixel[i] - row * tiling.box_w) : -1;
            if (index >= own) pixel[i] = -1;
            most[i] = 0.0f;
        }
        NO_UNROLL for (int channel = first_channel; channel < shape.c; channel += Chunks * step) {
            float4 four[Chunks][Pixels];
            UNROLL for (int chunk = 0; chunk < Chunks; ++chunk) {
                UNROLL for (int i = 0; i < Pixels; ++i) {
                    const int at = channel + chunk * step, left = offset[i] >= 0 && at < shape.c ? width : 0;
                    four[chunk][i] = pixel1_channels<Quads>(x, offset[i] + at, left);
                }
            }
            UNROLL for (int chunk = 0; chunk < Chunks; ++chunk) {
                UNROLL for (int i = 0; i < Pixels; ++i) {
                    most[i] = pixel1_larger(most[i], four[chunk][i].x);
                    if constexpr (Quads) {
                        most[i] = pixel1_larger(most[i], four[chunk][i].y);
                        most[i] = pixel1_larger(most[i], four[chunk][i].z);
                        most[i] = pixel1_larger(most[i], four[chunk][i].w);
                    }
                }
            }
        }
        UNROLL for (int i = 0; i < Pixels; ++i) {
            unsigned bits = __float_as_uint(most[i]);  // which compare as magnitudes do
            if (tiling.span == 32)
                bits = __reduce_max_sync(pixel1_lanes, bits);
            else
                for (int other = tiling.span / 2; other > 0; other /= 2)
                    bits = max(bits, __shfl_xor_sync(pixel1_lanes, bits, other));
            if (lane % tiling.span == 0 && pixel[i] >= 0) magnitudes[pixel[i]] = __uint_as_float(bits);
        }
    }
}

/// Fetches the magnitudes of the cluster's other blocks. Ends with a barrier.
DEVICE void pixel1_share(const Pixel1Tiling& tiling, float* magnitudes) {
    if (gridDim.z == 1) {
        __syncthreads();
        return;
    }
    const int quads = (tiling.box_h * tiling.box_w + 3) / 4, blocks = gridDim.z, rank = blockIdx.z;
    __syncwarp();  // whose lanes may have left a loop one after the other
    wait_for_cluster();
    for (int quad = threadIdx.x; quad < quads; quad += pixel1_threads) {
        const int owner = quad % blocks;
        if (owner != rank)
            *reinterpret_cast<float4*>(magnitudes + 4 * quad) = from_cluster(magnitudes, 4 * quad, owner);
    }
    __syncwarp();
    wait_for_cluster();  // and nobody leaves while others read its shared memory
}

/// Lists the pixels that are not empty, in their order; returns how many there are. Ends with a barrier.
DEVICE int pixel1_list(const Pixel1Tiling& tiling, const Pixel1Memory& memory) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pixels = tiling.box_h * tiling.box_w;
    const int of_warp = (pixels + pixel1_threads - 1) / pixel1_threads * 32;
    const int first = warp * of_warp, last = min(first + of_warp, pixels);
    int count = 0;
    for (int at = first; at < last; at += 32) {
        const int pixel = at + lane;
        const bool any = pixel < last && __float_as_uint(memory.magnitudes[pixel]) != 0;
        count += __popc(__ballot_sync(pixel1_lanes, any));
    }
    if (lane == 0) memory.counts[warp] = count;
    __syncthreads();
    int place = 0, all = 0;
    UNROLL for (int other = 0; other < pixel1_warps; ++other) {
        const int theirs = memory.counts[other];
        if (other < warp) place += theirs;
        all += theirs;
    }
    for (int at = first; at < last; at += 32) {
        const int pixel = at + lane;
        const bool any = pixel < last && __float_as_uint(memory.magnitudes[pixel]) != 0;
        const unsigned of_lanes = __ballot_sync(pixel1_lanes, any);
        const int row = static_cast<int>(hopper::quotient(pixel, tiling.per_box_w));
        if (any) memory.list[place + __popc(of_lanes & ((1u << lane) - 1))] = row << 16 | (pixel - row * tiling.box_w);
        place += __popc(of_lanes);
    }
    __syncthreads();
    return all;
}

/// The ring of stages, through which a block's weights go past once for each pass. One thread fetches; all use them.
struct Pixel1Ring {
    const unsigned char* from;  ///< of the block's filters
    long long offset = 0;       ///< of the stage to fetch next
    int k_tile = 0, tap = 0;    ///< likewise
    int unfetched;              ///< stages
    hopper::RingPosition fetched, used;

    DEVICE Pixel1Ring(const unsigned char* weights, int stages) : from(weights), unfetched(stages) {}

    template <Pixel1Products Products>
    DEVICE void fetch(const Pixel1Tiling& tiling, int taps, const Pixel1Memory& memory) {
        if (unfetched == 0) return;
        --unfetched;
        const int bytes =
            min(tiling.k_tile_steps, tiling.steps - k_tile * tiling.k_tile_steps) * pixel1_step_bytes(Products);
        hopper::Mbarrier& there = memory.there[fetched.stage];
        there.arrive_expect_tx(bytes);
        hopper::copy_bulk(memory.weights + fetched.stage * tiling.stage_bytes, from + offset, bytes, there);
        fetched.advance(tiling.stages);
        offset += bytes;
        if (++tap < taps) return;
        tap = 0;
        if (++k_tile * tiling.k_tile_steps < tiling.steps) return;
        k_tile = 0;
        offset = 0;
    }
};

/// sums[16][8] += a[16][16] b[16][8], FP16 factors, as mma.sync has them.
DEVICE void pixel1_multiply(float (&sums)[4], const unsigned (&a)[4], unsigned b_front, unsigned b_back) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_front), "r"(b_back));
}

/// A warp's sums of one tap: of 16 pixels and 8 Eights filters. A tensor core's sum waits for the one before, so with
/// few filters there are several, which are added at the end.
template <int Eights, Pixel1Products Products>
struct Pixel1Sums {
    static constexpr bool exact = Products == Pixel1Products::three;
    static constexpr int kinds = exact && Eights < 4 ? 3 : 1;
    static constexpr int turns = exact ? (Eights == 1 ? 2 : 1) : 4 / Eights;
    float sums[turns][kinds][Eights][4] = {};

    /// Adds the products of 'steps' steps of 16 channels; Full: of all that there is place for.
    template <bool Full, int Steps>
    DEVICE void multiply(const unsigned (&hi)[Steps][4], const unsigned (&lo)[exact ? Steps : 1][4],
                         const Pixel1Factors<Products>* factors, int steps) {
        UNROLL for (int step = 0; step < Steps; ++step) {
            if (!Full && step >= steps) break;
            auto& own = sums[step % turns];
            UNROLL for (int n = 0; n < Eights; ++n) {
                const Pixel1Factors<Products> b = factors[(step * 4 + n) * 32];
                if constexpr (exact) {  // the small ones first
                    pixel1_multiply(own[0][n], lo[step], b.front, b.back);
                    pixel1_multiply(own[1 % kinds][n], hi[step], b.front_lo, b.back_lo);
                }
                pixel1_multiply(own[kinds - 1][n], hi[step], b.front, b.back);
            }
        }
    }
    /// The sums of the n-th eight filters, of this lane's upper pixel or of that below.
    DEVICE float2 pair(int n, int below) const {
        float2 pair = make_float2(0.0f, 0.0f);
        UNROLL for (int turn = 0; turn < turns; ++turn) {
            UNROLL for (int kind = 0; kind < kinds; ++kind) {
                pair.x += sums[turn][kind][n][2 * below];
                pair.y += sums[turn][kind][n][2 * below + 1];
            }
        }
        return pair;
    }
};

/// Multiplies 32 Eights listed pixels from 'first' on by all weights, and adds the products at their windows. A warp
/// has 16 of the pixels, whose channels of a K tile stay in its registers for all taps, and 8 Eights of the 32 filters.
template <int Eights, int Steps, bool Quads, Pixel1Products Products>
DEVICE void pixel1_add_products(const KernelShape& shape, const Pixel1Tiling& tiling, const Pixel1Memory& memory,
                                const hopper::TilePlace& place, const float* x, int first, int listed,
                                Pixel1Ring& ring) {
    constexpr bool exact = Products == Pixel1Products::three;
    constexpr int sharing = 4 / Eights;  // warps that have the same pixels
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, taps = shape.r * shape.s;
    const int row = first + warp / sharing * 16 + lane / 4, eight = warp % sharing * Eights;
    const bool busy = first + warp / sharing * 16 < listed;
    int offset[2], box_row[2], box_column[2];
    float scale[2], inverse_scale[2];
    UNROLL for (int below = 0; below < 2; ++below) {
        const bool exists = row + 8 * below < listed;
        const int at = exists ? memory.list[row + 8 * below] : 0;
        box_row[below] = at >> 16;
        box_column[below] = at & 0xffff;
        const float magnitude = exists ? memory.magnitudes[box_row[below] * tiling.box_w + box_column[below]] : 0.0f;
        const hopper::Scale own(static_cast<int>(__float_as_uint(magnitude) >> 23));
        scale[below] = own.scale;
        inverse_scale[below] = own.inverse_scale;
        offset[below] = exists ? pixel1_offset(shape, place, box_row[below], box_column[below]) : -1;
    }
    for (int k_tile = 0; k_tile * Steps < tiling.steps; ++k_tile) {
        const int steps = min(Steps, tiling.steps - k_tile * Steps);
        unsigned hi[Steps][4], lo[exact ? Steps : 1][4];
        if (busy) {
            constexpr int at_once = 4;  // steps that are loaded: with the registers of more, no second block would fit
            UNROLL for (int begin = 0; begin < Steps; begin += at_once) {
                float4 four[at_once][2];
                UNROLL for (int step = 0; step < at_once; ++step) {
                    UNROLL for (int below = 0; below < 2; ++below) {
                        const int channel = (k_tile * Steps + begin + step) * pixel1_step + lane % 4 * 4;
                        const int left = offset[below] >= 0 ? shape.c - channel : 0;
                        four[step][below] = pixel1_channels<Quads>(x, offset[below] + channel, left);
                    }
                }
                UNROLL for (int step = 0; step < at_once; ++step) {
                    UNROLL for (int below = 0; below < 2; ++below) {
                        const float4& own = four[step][below];
                        const hopper::SplitPair front(own.x, own.y, scale[below]), back(own.z, own.w, scale[below]);
                        hi[begin + step][below] = front.hi;
                        hi[begin + step][2 + below] = back.hi;
                        if constexpr (exact) {
                            lo[begin + step][below] = front.lo;
                            lo[begin + step][2 + below] = back.lo;
                        }
                    }
                }
            }
        }
        NO_UNROLL for (int tap = 0, i = 0, j = 0; tap < taps; ++tap) {
            memory.there[ring.used.stage].wait(ring.used.parity);
            const unsigned char* stage = memory.weights + ring.used.stage * tiling.stage_bytes;
            __syncthreads();  // the sums of the tap before are there, and its stage is free
            if (threadIdx.x == 0) ring.fetch<Products>(tiling, taps, memory);
            ring.used.advance(tiling.stages);
            if (busy) {
                const auto* factors = reinterpret_cast<const Pixel1Factors<Products>*>(stage) + eight * 32 + lane;
                Pixel1Sums<Eights, Products> sums;
                if (steps == Steps)
                    sums.template multiply<true>(hi, lo, factors, steps);
                else
                    sums.template multiply<false>(hi, lo, factors, steps);
                UNROLL for (int below = 0; below < 2; ++below) {
                    const int window = memory.down[i * tiling.box_h + box_row[below]] +
                                       memory.across[j * tiling.box_w + box_column[below]];
                    if (window >= 0 && offset[below] >= 0) {
                        UNROLL for (int n = 0; n < Eights; ++n) {
                            const int at = window * pixel1_filters + ((eight + n) ^ (window & 3)) * 8;
                            float2* to = reinterpret_cast<float2*>(memory.sums + at) + lane % 4;
                            const float2 product = sums.pair(n, below), before = *to;
                            *to = make_float2(fmaf(product.x, inverse_scale[below], before.x),
                                              fmaf(product.y, inverse_scale[below], before.y));
                        }
                    }
                }
            }
            if (++j == shape.s) {
                j = 0;
                ++i;
            }
        }
    }
}

/// y: the tile's windows, all of them, of the block's filters.
DEVICE void pixel1_store(const KernelShape& shape, const Pixel1Tiling& tiling, const hopper::TilePlace& place,
                         const float* sums, const float* filter_inverse_scale, int group, float* y) {
    constexpr int quads = pixel1_filters / 4;
    const int quad = threadIdx.x % quads, filter = group * pixel1_filters + quad * 4;
    const float4 inverse_scale = *reinterpret_cast<const float4*>(filter_inverse_scale + filter);
    for (int window = threadIdx.x / quads; window < tiling.tile_h * tiling.tile_w; window += pixel1_threads / quads) {
        const int down = static_cast<int>(hopper::quotient(window, tiling.per_tile_w)), p = place.p + down,
                  q = place.q + window - down * tiling.tile_w;
        if (p >= shape.p || q >= shape.q) continue;
        float4 four = *reinterpret_cast<const float4*>(sums + window * pixel1_filters +
                                                       ((quad / 2) ^ (window & 3)) * 8 + quad % 2 * 4);
        four.x *= inverse_scale.x;
        four.y *= inverse_scale.y;
        four.z *= inverse_scale.z;
        four.w *= inverse_scale.w;
        float* to = y + ((static_cast<long long>(place.image) * shape.p + p) * shape.q + q) * shape.k + filter;
        if (shape.k % 4 == 0) {
            if (filter < shape.k) *reinterpret_cast<float4*>(to) = four;
        } else {
            if (filter < shape.k) to[0] = four.x;
            if (filter + 1 < shape.k) to[1] = four.y;
            if (filter + 2 < shape.k) to[2] = four.z;
            if (filter + 3 < shape.k) to[3] = four.w;
        }
    }
}

/// x, y: NHWC. weights, filter_inverse_scale: as pixel1_weights() and filter_scales() leave them. Block: 256, for a
/// tile and 32 filters. Grid: x tiles; y, z groups of 32 filters; those along z are a cluster, and each of its blocks
/// looks at a part of the pixels under the tile. Steps: of 16 channels of a K tile. Quads: c is a multiple of 4.
template <int Steps, bool Quads, Pixel1Products Products>
__launch_bounds__(pixel1_threads, pixel1_blocks_per_sm) KERNEL
    pixel1(KernelShape shape, Pixel1Tiling tiling, const float* x, const unsigned char* weights,
           const float* filter_inverse_scale, float* y) {
    extern __shared__ __align__(128) unsigned char pixel1_memory[];
    const Pixel1Memory memory(pixel1_memory, shape, tiling);
    const hopper::TilePlace place(shape, tiling, blockIdx.x);
    const int group = blockIdx.y * gridDim.z + blockIdx.z, taps = shape.r * shape.s;
    const bool needed = group * pixel1_filters < tiling.padded_k;  // the last cluster may have blocks too many
    const int stages = (tiling.steps + Steps - 1) / Steps * taps, early = needed ? min(stages, tiling.stages - 1) : 0;
    Pixel1Ring ring(weights + static_cast<long long>(group) * tiling.steps * taps * pixel1_step_bytes(Products), early);
    if (threadIdx.x == 0) {
        for (int i = 0; i < tiling.stages; ++i) memory.there[i].init(1);
        hopper::fence_mbarrier_init();
        for (int i = 0; i < early; ++i) ring.fetch<Products>(tiling, taps, memory);
    }
    if (shape.c <= tiling.span * (Quads ? 4 : 1))
        pixel1_search<Quads, 8, 1>(shape, tiling, place, x, memory.magnitudes);
    else
        pixel1_search<Quads, 4, 2>(shape, tiling, place, x, memory.magnitudes);
    float4* sums = reinterpret_cast<float4*>(memory.sums);
    for (int i = threadIdx.x; i < tiling.tile_h * tiling.tile_w * pixel1_filters / 4; i += pixel1_threads)
        sums[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = threadIdx.x; i < shape.r * tiling.box_h; i += pixel1_threads) {
        const int from = i % tiling.box_h - i / tiling.box_h * tiling.dilation_h, p = from / shape.stride_h;
        const bool exists = from >= 0 && from % shape.stride_h == 0 && p < tiling.tile_h;
        memory.down[i] = exists ? p * tiling.tile_w : pixel1_none;
    }
    for (int i = threadIdx.x; i < shape.s * tiling.box_w; i += pixel1_threads) {
        const int from = i % tiling.box_w - i / tiling.box_w * tiling.dilation_w, q = from / shape.stride_w;
        const bool exists = from >= 0 && from % shape.stride_w == 0 && q < tiling.tile_w;
        memory.across[i] = exists ? q : pixel1_none;
    }
    pixel1_share(tiling, memory.magnitudes);
    if (!needed) return;
    const int listed = pixel1_list(tiling, memory);
    if (listed == 0) {  // no copy may be under way when the block ends
        for (int i = 0; i < early; ++i) memory.there[i].wait(0);
    } else {
        ring.unfetched = (listed + pixel1_pass - 1) / pixel1_pass * stages - early;
        if (threadIdx.x == 0)
            for (int i = early; i < tiling.stages - 1; ++i) ring.fetch<Products>(tiling, taps, memory);
    }
    for (int first = 0; first < listed; first += pixel1_pass) {
        const int left = listed - first;
        if (left > pixel1_pass / 2)
            pixel1_add_products<4, Steps, Quads, Products>(shape, tiling, memory, place, x, first, listed, ring);
        else if (left > pixel1_pass / 4)
            pixel1_add_products<2, Steps, Quads, Products>(shape, tiling, memory, place, x, first, listed, ring);
        else
            pixel1_add_products<1, Steps, Quads, Products>(shape, tiling, memory, place, x, first, listed, ring);
    }
    __syncthreads();
    pixel1_store(shape, tiling, place, memory.sums, filter_inverse_scale, group, y);
}

}  // namespace convscope::CONVSCOPE_DIALECT
