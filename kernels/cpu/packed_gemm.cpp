#include "kernels/cpu/packed_gemm.h"

#include <omp.h>

#include <algorithm>

#include "kernels/core/ceil_div.h"
#include "kernels/core/parallel.h"

namespace convscope {
namespace {

constexpr std::int64_t block_bytes = 512 << 10;  // of packed B: half of a usual second-level cache
constexpr std::int64_t min_depth = 256;          // of a block, so that sums are not reloaded too often
constexpr std::int64_t few_tiles = 16;

}  // namespace

struct PackedGemm::Plan {
    bool shared = false;      // tiles run across products
    std::int64_t rows = 0;    // that are cut into tiles: of one product, or of all
    std::int64_t parts = 0;   // how often: once per product, or once
    std::int64_t tiles = 0;   // of a part
    std::int64_t groups = 1;  // of slabs, for different threads where there are few tiles
    std::int64_t depth_step = 0;
    std::int64_t units() const { return tiles * parts * groups; }
};

struct PackedGemm::Tile {
    const float* a[tile_rows];  // the first 'count' are set
    float* c[tile_rows];
    std::int64_t count = 0;
};

PackedGemm::PackedGemm(std::int64_t depth, std::int64_t columns, Isa isa)
    : depth_(depth),
      columns_(columns),
      width_(columns <= narrow_columns ? narrow_columns : tile_columns),
      slabs_(ceil_div(columns, width_)),
      isa_(isa) {}

void PackedGemm::pack(const float* b, float* packed) const {
#pragma omp parallel for if (worth_threads(elements()))
    for (std::int64_t slab = 0; slab < slabs_; ++slab)
        for (std::int64_t d = 0; d < depth_; ++d) {
            const std::int64_t first = slab * width_, filled = std::min(width_, columns_ - first);
            float* to = std::copy_n(b + d * columns_ + first, filled, packed + (slab * depth_ + d) * width_);
            std::fill_n(to, width_ - filled, 0.0f);
        }
}

PackedGemm::Plan PackedGemm::plan(const Products& products) const {
    Plan plan;
    // Products of few rows share tiles, which would be half empty otherwise; for long ones that would scatter what
    // is written.
    plan.shared = products.rows < 2 * tile_rows;
    plan.rows = plan.shared ? products.count * products.rows : products.rows;
    plan.parts = plan.shared ? 1 : products.count;
    plan.tiles = ceil_div(plan.rows, tile_rows);
    // Few tiles: each slab, kept whole, stays in the cache for all of them. Many: all slabs do, for part of the depth.
    const bool few = plan.tiles * plan.parts < std::max<std::int64_t>(few_tiles, 2 * omp_get_max_threads());
    plan.groups = few ? slabs_ : 1;
    const std::int64_t fits = block_bytes / (slabs_ * width_ * std::int64_t{sizeof(float)});
    plan.depth_step = few ? depth_ : ceil_div(depth_, ceil_div(depth_, std::max(fits, min_depth)));
    return plan;
}

/// Tiles of equal height: 13 rows are 6 and 7, not 12 and 1.
PackedGemm::Tile PackedGemm::tile(const Products& products, const Plan& plan, std::int64_t index) const {
    const std::int64_t t = index / plan.parts, part = index % plan.parts;
    const std::int64_t first = plan.rows * t / plan.tiles, last = plan.rows * (t + 1) / plan.tiles;
    Tile tile;
    const float* a = plan.shared ? nullptr : products.a(part);
    for (std::int64_t at = first; at < last; ++at) {
        // In shared tiles products run fastest: those of MEC overlap, so a tile reads little more of L than a row.
        const std::int64_t i = plan.shared ? at % products.count : part;
        const std::int64_t row = plan.shared ? at / products.count : at;
        tile.a[tile.count] = (plan.shared ? products.a(i) : a) + row * products.lda;
        tile.c[tile.count++] = products.c + (i * products.rows + row) * columns_;
    }
    return tile;
}

// Every thread has a run of units. Outermost, as much of B's depth as stays in its cache; then its tiles, products
// running faster than tiles because those of MEC share most of what they read of L; innermost the slabs, which share
// a tile.
void PackedGemm::multiply(const float* packed, const Products& products) const {
    const Plan plan = this->plan(products);
#pragma omp parallel if (worth_threads(products.count * products.rows * depth_ * columns_))
    {
        const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
        const std::int64_t begin = plan.units() * thread / threads, end = plan.units() * (thread + 1) / threads;
        for (std::int64_t depth = 0; depth < depth_; depth += plan.depth_step)
            for (std::int64_t unit = begin; unit < end; ++unit) {
                const std::int64_t group = unit / (plan.tiles * plan.parts);
                const Tile rows = tile(products, plan, unit % (plan.tiles * plan.parts));
                const std::int64_t last = slabs_ * (group + 1) / plan.groups;
                for (std::int64_t slab = slabs_ * group / plan.groups; slab < last; ++slab)
                    multiply_tile(packed, slab, depth, std::min(depth + plan.depth_step, depth_), rows);
            }
    }
}

void PackedGemm::multiply_tile(const float* packed, std::int64_t slab, std::int64_t depth_begin, std::int64_t depth_end,
                               const Tile& rows) const {
    const TileFunction run = tile_function(isa_, rows.count, width_ == tile_columns);
    const float* b = packed + (slab * depth_ + depth_begin) * width_;
    const float* a[tile_rows];
    for (std::int64_t r = 0; r < rows.count; ++r) a[r] = rows.a[r] + depth_begin;
    const bool accumulate = depth_begin > 0;
    const std::int64_t first = slab * width_, filled = columns_ - first;
    if (filled >= width_) return run(depth_end - depth_begin, a, b, rows.c, first, accumulate);
    // The last slab is wider than what is left of C.
    float sums[tile_rows][tile_columns] = {};
    float* aside[tile_rows];
    for (std::int64_t r = 0; r < rows.count; ++r) {
        aside[r] = sums[r];
        if (accumulate) std::copy_n(rows.c[r] + first, filled, sums[r]);
    }
    run(depth_end - depth_begin, a, b, aside, 0, accumulate);
    for (std::int64_t r = 0; r < rows.count; ++r) std::copy_n(sums[r], filled, rows.c[r] + first);
}

}  // namespace convscope
