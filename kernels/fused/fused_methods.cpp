#include "kernels/fused/fused_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/fused/fused5_plan.h"
#include "kernels/fused/fused_extent.h"

namespace convscope {
namespace {

struct Version {
    const char *id, *title, *follows;
};
constexpr std::array<Version, fused_versions> versions{
    {{"fused0", "Convolution, ReLU and max-pooling in one kernel", "Section 4, Table 2, baseline"},
     {"fused1", "Fused, the input tiled in shared memory", "Figs. 1-2, Table 2, V1"},
     {"fused2", "Fused, the 2x2 pooling written out", "Figs. 3-4, Table 2, V2"},
     {"fused3", "Fused, index helpers const", "Section 4, Table 2, V3"},
     {"fused4", "Fused, filter loops under #pragma unroll", "Section 2, Table 2, V4"}}};

const Tunable static_tile{
    "static_tile", "1: the tile's size is compiled in (blocks 16x16xZ and 16x8xZ); 0: it follows the block", {0, 1}, 0};

/// The filter size that is compiled in for this shape; 0 when none is.
int compiled_filter(const ConvShape& shape) {
    return has_compiled_sizes(shape) ? static_cast<int>(shape.r) : 0;
}

bool has_static_tile(const ConvShape& shape, const Dim3& block) {
    return compiled_filter(shape) > 0 && block.x == 16 && (block.y == 16 || block.y == 8);
}

/// In double, since a block that will be rejected may ask for more than an integer holds.
struct TileSize {
    double height, width;
    double bytes() const { return height * width * sizeof(float); }
};

TileSize tile_size(const ConvShape& shape, const Dim3& block) {
    const auto extent = [&](std::int64_t threads, std::int64_t pool, std::int64_t stride, std::int64_t filter) {
        const auto real = [](std::int64_t value) { return static_cast<double>(value); };
        return fused_tile_extent(real(threads), real(pool), real(shape.pool_stride), real(stride), real(filter));
    };
    return {extent(block.y, shape.pool_h, shape.stride_h, shape.r),
            extent(block.x, shape.pool_w, shape.stride_w, shape.s)};
}

/// The least grid that has a thread for every output: x columns, y rows, z groups of filters, image after image.
Dim3 covering_grid(const ConvShape& shape, const Dim3& block) {
    return {ceil_div(shape.out_w(), block.x), ceil_div(shape.out_h(), block.y), ceil_div(shape.k, block.z) * shape.n};
}

class Fused final : public GpuMethod {
public:
    /// 'pool': the separate pooling stage of what fuses none.
    Fused(MethodInfo info, MakeGpuProgram program, MakeGpuProgram pool, bool tiled)
        : GpuMethod(std::move(info), program, pool), fuses_(pool == nullptr), tiled_(tiled) {}

    bool fuses_pooling() const override { return fuses_; }
    LaunchSpace launch_space(const ConvShape&) const override {
        if (!tiled_) return {true, true, {}};
        return {true, true, {static_tile}};
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.pooled() || !fuses_) return {};
        return Support::no(info().id + " pools in the kernel that convolves; this shape has no pooling");
    }

    // A multiply-add with its two loads, and the loading of tiles. Overlapping pooling windows compute the windows
    // that they share several times.
    double thread_steps(const ConvShape& shape) const override {
        if (!fuses_) return shape.flops_dense();
        const std::int64_t windows = shape.y_elements() * shape.pool_h * shape.pool_w;
        return 2 * static_cast<double>(windows) * static_cast<double>(shape.reduction());
    }

    // 16x8x4 is the fastest that the report found (Table 1). A smaller map has smaller tiles and more filters in a
    // block; a layer with few outputs has smaller blocks, so that every SM gets some.
    Dim3 default_block(const ConvShape& shape, const DeviceModel& model) const {
        constexpr std::int64_t widest = 16, layer = 128, threads = 512, min_threads = 64;
        Dim3 block;
        block.x = ceil_div(shape.out_w(), ceil_div(shape.out_w(), widest));
        const std::int64_t highest = layer / block.x;
        block.y = ceil_div(shape.out_h(), ceil_div(shape.out_h(), highest));
        if (tiled_) {
            while (block.y > 1 && tile_size(shape, block).bytes() > model.shared_per_block) --block.y;
            while (block.x > 1 && tile_size(shape, block).bytes() > model.shared_per_block_optin) --block.x;
        }
        block.z = std::clamp<std::int64_t>(threads / (block.x * block.y), 1, std::min(shape.k, model.max_block.z));
        while (block.z > 1 && block.count() / 2 >= min_threads && covering_grid(shape, block).count() < model.sms)
            block.z /= 2;
        return block;
    }

    Support covers(const ConvShape& shape, const Dim3& block, const Dim3& grid) const {
        constexpr std::int64_t max_surplus = 16;
        const Dim3 least = covering_grid(shape, block);
        const auto reason = [&](const std::string& wanted) {
            return Support::no(fmt::format("grid is {} and block {}; {} needs {} for {}x{} outputs, k = {} and n = {}",
                                           to_string(grid), to_string(block), info().id, wanted, shape.out_h(),
                                           shape.out_w(), shape.k, shape.n));
        };
        if (grid.x < least.x || grid.y < least.y || grid.z < least.z)
            return reason("a grid of at least " + to_string(least));
        if (grid.x > max_surplus * least.x || grid.y > max_surplus * least.y || grid.z > max_surplus * least.z)
            return reason(fmt::format("a grid of {}, and takes at most {} times that along each axis,",
                                      to_string(least), max_surplus));
        return {};
    }

    Support tile_fits(const ConvShape& shape, const Dim3& block, const DeviceModel& model) const {
        const TileSize tile = tile_size(shape, block);
        if (tile.bytes() <= model.shared_per_block_optin) return {};
        return Support::no(fmt::format(
            "a block of {} needs a tile of {:.0f}x{:.0f} input elements, {:.0f} bytes of shared memory; "
            "{} has at most {} per block",
            to_string(block), tile.height, tile.width, tile.bytes(), model.name, model.shared_per_block_optin));
    }

    ResolvedLaunch plan(const ConvShape& layer, const LaunchConfig& config, const DeviceModel& model) const override {
        const ConvShape shape = fuses_ ? layer : without_pooling(layer);
        const Dim3 block = config.block.value_or(default_block(shape, model));
        const Dim3 grid = config.grid.value_or(covering_grid(shape, block));
        if (Support covered = covers(shape, block, grid); !covered) return reject(covered.reason);
        std::int64_t shared_bytes = 0;
        if (tiled_) {
            if (Support fit = tile_fits(shape, block, model); !fit) return reject(fit.reason);
            if (tunable(launch_space(shape), config, static_tile.name) == 1 && !has_static_tile(shape, block))
                return reject(
                    fmt::format("static_tile is 1 with block {}; the static tile is compiled for blocks of "
                                "16x16xZ and 16x8xZ, 5x5 and 3x3 filters at stride 1 and 2x2 pooling with "
                                "stride 2, and static_tile=0 takes any",
                                to_string(block)));
            shared_bytes = static_cast<std::int64_t>(tile_size(shape, block).bytes());
        }
        return {{}, {kernel_launch(info().id.c_str(), "multiply", grid, block, shared_bytes)}, 0};
    }

    const bool fuses_, tiled_;
};

}  // namespace

ConvShape without_pooling(const ConvShape& shape) {
    ConvShape convolution = shape;
    convolution.pool_h = convolution.pool_w = convolution.pool_stride = 0;
    return convolution;
}

std::unique_ptr<Method> make_fused(int version, DeviceKind device, MakeGpuProgram program) {
    const Version& v = versions.at(static_cast<std::size_t>(version));
    return std::make_unique<Fused>(MethodInfo{.id = v.id,
                                              .family = "fused",
                                              .title = v.title,
                                              .paper = "Grisett",
                                              .follows = v.follows,
                                              .device = device,
                                              .flops_executed = dense_pooled_flops,
                                              .stages = {"multiply"}},
                                   program, nullptr, version > 0);
}

std::unique_ptr<Method> make_unfused0(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Fused>(MethodInfo{.id = "unfused0",
                                              .family = "fused",
                                              .title = "fused0's convolution, ReLU and max-pooling in a second kernel",
                                              .paper = "Grisett",
                                              .follows = "Section 4, what the baseline fuses",
                                              .device = device,
                                              .stages = {"multiply", "pool"}},
                                   program, pool, false);
}

FusedInstance fused_instance(const GpuPlan& plan) {
    FusedInstance instance{compiled_filter(plan.shape), 0, 0};
    const auto requested = plan.config.tunables.find(static_tile.name);
    if (requested == plan.config.tunables.end() || requested->second == 0) return instance;
    const Dim3& block = plan.kernels.front().block;
    instance.block_x = static_cast<int>(block.x);
    instance.block_y = static_cast<int>(block.y);
    return instance;
}

}  // namespace convscope
