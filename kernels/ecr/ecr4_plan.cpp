#include "kernels/ecr/ecr4_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
    return ceil_div(value, multiple) * multiple;
}

// A chunk's slab stays small against what L1 needs for the weights.
constexpr std::int64_t max_slab_floats = 20 * 1024;

/// Filters that a lane loads at once: 1, 2 or 4, no more than k needs.
std::int64_t vector_length(std::int64_t k) {
    return k <= 32 ? 1 : k <= 64 ? 2 : 4;
}

std::int64_t warps_of(const Ecr4Choice& choice) {
    return ceil_div(choice.tile_h * choice.tile_w, choice.windows_per_warp) * choice.channel_warps;
}

/// Inputs under a tile, of one channel.
std::int64_t slab_area(const ConvShape& shape, std::int64_t tile_h, std::int64_t tile_w) {
    return ((tile_h - 1) * shape.stride_h + shape.r) * ((tile_w - 1) * shape.stride_w + shape.s);
}

/// The largest allowed value that is at most 'value'.
std::int64_t power_of_two(std::int64_t value, std::int64_t most) {
    std::int64_t power = 1;
    while (2 * power <= std::min(value, most)) power *= 2;
    return power;
}

/// Whether ecr4_rows takes the layer: filters that are compiled into it.
bool fits_rows(const ConvShape& shape) {
    const bool known = (shape.r == 1 && shape.s == 1) || (shape.r == 3 && shape.s == 3);
    return known && shape.stride_h == 1 && shape.stride_w == 1;
}

// The tile of ecr4_rows (kernels/ecr/ecr4_rows_kernel.h): 8 warps with 4 / V rows of 14 windows each, and 16 inputs
// in a row of the slab.
constexpr std::int64_t row_warps = 8, row_windows = 14, row_floats = 16;

/// Blocks of ecr4_rows without slices.
std::int64_t row_blocks(const ConvShape& shape) {
    const std::int64_t tiles_h = ceil_div(shape.p(), row_warps * 4 / ecr4_vector(shape));
    return shape.n * tiles_h * ceil_div(shape.q(), row_windows) * ceil_div(shape.k, 32 * ecr4_vector(shape));
}

/// Large maps, which are those early in a network and have few zeros, as long as they fill some part of the GPU.
bool rows_pay(const ConvShape& shape) {
    constexpr std::int64_t large_map = 56 * 56, fewest_blocks = 28;
    return fits_rows(shape) && shape.p() * shape.q() >= large_map && row_blocks(shape) >= fewest_blocks;
}

Ecr4Choice default_rows(const ConvShape& shape) {
    constexpr std::int64_t blocks_wanted = 264;  // two to an SM
    Ecr4Choice choice{.rows = true, .tile_h = row_warps * 4 / ecr4_vector(shape), .tile_w = row_windows};
    choice.split_k = power_of_two(std::min(blocks_wanted / row_blocks(shape), shape.c / 16), 64);
    choice.chunk = 8;
    return choice;
}

// ecr4_staged (kernels/ecr/ecr4_staged_kernel.h).
constexpr std::int64_t max_staged_warps = 28, max_staged_filters = 2;

/// Whether ecr4_staged takes the layer: filters that are compiled into it, and channels that its threads can share.
bool fits_staged(const ConvShape& shape) {
    const bool known = shape.r == shape.s && (shape.r == 1 || shape.r == 3);
    return known && shape.stride_h == 1 && shape.stride_w == 1 &&
           shape.c % ecr4_staged_channels(static_cast<int>(shape.r)) == 0;
}

/// Channels of a block, and lanes that share a column's.
std::int64_t staged_slice(const ConvShape& shape, const Ecr4Choice& choice) {
    return round_up(ceil_div(shape.c, choice.split_k), ecr4_staged_channels(static_cast<int>(shape.r)));
}
std::int64_t staged_lanes(const ConvShape& shape, const Ecr4Choice& choice) {
    std::int64_t lanes = 1;
    while (lanes * ecr4_staged_channels(static_cast<int>(shape.r)) < staged_slice(shape, choice)) lanes *= 2;
    return lanes;
}

Ecr4Tiling staged_tiling(const ConvShape& shape, const Ecr4Choice& choice) {
    const std::int64_t slice = staged_slice(shape, choice), segments = ceil_div(shape.q(), choice.tile_w);
    const auto to_int = [](std::int64_t size) { return static_cast<int>(size); };
    Ecr4Tiling tiling{};
    tiling.leading = to_int(ecr4_leading(shape));
    tiling.slices = to_int(choice.split_k);
    tiling.slice = to_int(slice);
    // Even, so that pairs of entries lie aligned, but not a multiple of four: lanes on adjacent columns then meet
    // different banks.
    tiling.list = to_int(slice * shape.r + (slice * shape.r % 4 == 2 ? 0 : 2));
    tiling.tile_h = to_int(choice.tile_h);
    tiling.tile_w = to_int(choice.tile_w);
    tiling.tiles_h = to_int(ceil_div(shape.p(), choice.tile_h));
    tiling.tiles_w = 1;
    tiling.segments = to_int(segments);
    tiling.column_lanes = to_int(staged_lanes(shape, choice));
    tiling.partial = true;
    tiling.per_slab_w = 1.0f / static_cast<float>(shape.w);
    tiling.per_segments = 1.0f / static_cast<float>(segments);
    return tiling;
}

std::int64_t staged_warps(const ConvShape& shape, const Ecr4Choice& choice) {
    return choice.tile_h * ceil_div(shape.q(), choice.tile_w);
}
std::int64_t staged_floats(const ConvShape& shape, const Ecr4Choice& choice) {
    const Ecr4Tiling tiling = staged_tiling(shape, choice);
    const std::int64_t columns = choice.tile_h * shape.w;
    return tiling.slice * shape.window() * 32 * choice.filters_per_lane + columns * (2 * tiling.list + 1);
}

/// Why ecr4_staged cannot take a choice, as a sentence; empty where it can.
std::string staged_reason(const ConvShape& shape, const Ecr4Choice& choice) {
    if (!fits_staged(shape))
        return fmt::format(
            "staged is 1, which takes filters of 1x1 with 8, 16, 24 ... channels and of 3x3 with 4, 8, "
            "12 ..., with stride 1; this one is {}x{} with {} channels and stride {},{}",
            shape.r, shape.s, shape.c, shape.stride_h, shape.stride_w);
    if (choice.filters_per_lane > std::min(max_staged_filters, ecr4_vector(shape)))
        return fmt::format("staged is 1, which takes up to {} filters per lane for this layer, not {}",
                           std::min(max_staged_filters, ecr4_vector(shape)), choice.filters_per_lane);
    if (staged_lanes(shape, choice) > 32)
        return fmt::format("split_k={} gives a block {} channels; the 32 lanes of a warp list up to {}", choice.split_k,
                           staged_slice(shape, choice), 32 * ecr4_staged_channels(static_cast<int>(shape.r)));
    if (staged_warps(shape, choice) > max_staged_warps)
        return fmt::format("{} rows of {} windows, {} to a warp, make {} warps; a block takes {}", choice.tile_h,
                           shape.q(), choice.tile_w, staged_warps(shape, choice), max_staged_warps);
    return {};
}

/// Where ecr4_staged is the fastest way, and how: found on an H200 (docs/kernels/ecr4.md) for up to 256 windows. With
/// more a large tile of lists shares its weights as well. Two blocks to an SM are wanted, so that one lists
/// while the other multiplies.
std::optional<Ecr4Choice> default_staged(const ConvShape& shape) {
    constexpr std::int64_t max_windows = 256, half_an_sm = 113 * 1024;
    const std::int64_t p = shape.p(), q = shape.q();
    if (!fits_staged(shape) || shape.n * p * q > max_windows) return {};
    Ecr4Choice choice{.staged = true};
    choice.filters_per_lane = std::min(max_staged_filters, ecr4_vector(shape));
    const bool small = p * q <= 64;
    const std::int64_t blocks_wanted = shape.r == 1 ? 336 : 256;
    if (shape.r == 1)
        choice.split_k = shape.c < 1024 ? 8 : 16;
    else
        choice.split_k = small ? (shape.c < 256 ? 8 : 16) : std::min<std::int64_t>(16, ceil_div(shape.c, 16));
    const std::int64_t blocks = shape.n * ceil_div(shape.k, 32 * choice.filters_per_lane) * choice.split_k;
    const std::int64_t max_tiles = shape.r == 3 && small && blocks >= 32 ? std::min<std::int64_t>(2, p) : p;
    choice.tile_h = ceil_div(p, std::clamp<std::int64_t>(blocks_wanted / blocks, 1, max_tiles));
    const std::int64_t segments = shape.r == 3 && choice.tile_h > 1 ? 2 : 8 / choice.tile_h;
    choice.tile_w = ceil_div(q, std::clamp<std::int64_t>(segments, 1, std::min<std::int64_t>(q, 7)));
    // Where only one block fits an SM, it takes all rows, as far as it can: no weights are copied twice.
    if (staged_floats(shape, choice) * std::int64_t{sizeof(float)} > half_an_sm) {
        choice.tile_h = p;
        choice.tile_w = q;
    }
    if (!staged_reason(shape, choice).empty()) return {};
    return choice;
}

/// Without ecr4_staged.
Ecr4Choice default_lists(const ConvShape& shape) {
    // Found on an H100 (docs/kernels/ecr4.md). Large maps are those early in a network, with few zeros: they go by
    // rows. Of the others, a layer whose weights would be read from L2 too often takes large tiles, which share them in
    // L1, and fills the GPU with slices of the channels. Any other takes small tiles, whose warps share the channels of
    // a window, and needs no second kernel.
    constexpr std::int64_t blocks_wanted = 128, warps_wanted = 3136;
    constexpr double much_traffic = 3e8;  // bytes of weights if each window read its own, zeros included
    if (rows_pay(shape)) return default_rows(shape);
    Ecr4Choice choice;
    const std::int64_t windows = shape.n * shape.p() * shape.q();
    const double traffic = 4 * static_cast<double>(windows) * static_cast<double>(shape.reduction() * shape.k);
    if (traffic > much_traffic && slab_area(shape, 7, 7) <= max_slab_floats) {
        choice.tile_h = std::min<std::int64_t>(7, shape.p());
        choice.tile_w = std::min<std::int64_t>(7, shape.q());
        choice.windows_per_warp = choice.tile_h * choice.tile_w > ecr4_max_warps ? 2 : 1;
        choice.filters_per_lane = shape.k > (windows < 784 ? 256 : 128) && windows > 100 ? 8 : vector_length(shape.k);
        const std::int64_t tiles = shape.n * ceil_div(shape.p(), choice.tile_h) * ceil_div(shape.q(), choice.tile_w);
        const std::int64_t blocks = tiles * ceil_div(shape.k, 32 * choice.filters_per_lane);
        choice.split_k = power_of_two(std::min(ceil_div(blocks_wanted, blocks), shape.c / 8 + 1), 64);
        choice.chunk = 32;
        return choice;
    }
    choice.filters_per_lane = shape.k > 128 && windows > 128 ? 8 : vector_length(shape.k);
    const std::int64_t warps = windows * ceil_div(shape.k, 32 * choice.filters_per_lane);
    choice.channel_warps = power_of_two(std::min(warps_wanted / warps + 1, shape.reduction() / 32 + 1), 16);
    if (choice.channel_warps < 8) choice.tile_w = choice.channel_warps == 4 ? 2 : 7;
    choice.tile_w = std::min(choice.tile_w, shape.q());
    return choice;
}

std::vector<Tunable> tunables_from(const Ecr4Choice& default_value) {
    std::vector<std::int64_t> sides{1, 2, 4, 5, 6, 7, 8, 14, 16, 32};
    for (const std::int64_t side : {default_value.tile_h, default_value.tile_w})
        if (std::find(sides.begin(), sides.end(), side) == sides.end()) sides.push_back(side);
    std::sort(sides.begin(), sides.end());
    std::vector<std::int64_t> split_k{1, 2, 4, 8, 16, 32, 64};
    if (std::find(split_k.begin(), split_k.end(), default_value.split_k) == split_k.end())
        split_k.insert(std::upper_bound(split_k.begin(), split_k.end(), default_value.split_k), default_value.split_k);
    return {
        {"rows",
         "1: by rows of 14 windows, not by lists; leaves only split_k and chunk to be set",
         {0, 1},
         default_value.rows ? 1 : 0},
        {"staged",
         "1: weights in shared memory, tile_w windows to a warp; leaves tile_h, tile_w, filters_per_lane and split_k",
         {0, 1},
         default_value.staged ? 1 : 0},
        {"tile_h", "windows of a block from top to bottom", sides, default_value.tile_h},
        {"tile_w", "windows of a block from left to right", sides, default_value.tile_w},
        {"filters_per_lane", "filters that one lane sums", {1, 2, 4, 8, 16}, default_value.filters_per_lane},
        {"windows_per_warp", "windows that one warp sums", {1, 2}, default_value.windows_per_warp},
        {"channel_warps", "warps that share a window's channels", {1, 2, 4, 8, 16}, default_value.channel_warps},
        {"split_k", "blocks that share a tile's channels", split_k, default_value.split_k},
        {"chunk",
         "channels in shared memory at a time, at most",
         {8, 16, 32, 64, 128, 512, 2048},
         default_value.chunk}};
}

}  // namespace

std::int64_t ecr4_vector(const ConvShape& shape) {
    return vector_length(shape.k);
}

Ecr4Choice ecr4_default(const ConvShape& shape) {
    if (const std::optional<Ecr4Choice> staged = default_staged(shape)) return *staged;
    return default_lists(shape);
}

std::vector<Tunable> ecr4_tunables(const ConvShape& shape) {
    return tunables_from(ecr4_default(shape));
}

Ecr4Choice ecr4_choice(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
    Ecr4Choice default_value = ecr4_default(shape);
    const bool too_large = default_value.staged && staged_floats(shape, default_value) * std::int64_t{sizeof(float)} >
                                                       model.shared_per_block_optin;
    if (too_large && !config.tunables.contains("staged")) default_value = default_lists(shape);
    const LaunchSpace space{false, false, tunables_from(default_value)};
    const auto value = [&](const char* name) { return tunable(space, config, name); };
    return {value("rows") == 1,     value("staged") == 1,      value("tile_h"),
            value("tile_w"),        value("filters_per_lane"), value("windows_per_warp"),
            value("channel_warps"), value("split_k"),          value("chunk")};
}

std::int64_t ecr4_leading(const ConvShape& shape) {
    return round_up(shape.k, 32 * vector_length(shape.k));
}

std::int64_t ecr4_partial_bytes(const ConvShape& shape, std::int64_t slices) {
    return slices * shape.n * shape.p() * shape.q() * ecr4_leading(shape) * std::int64_t{sizeof(float)};
}

const char* ecr4_kernel_name(const Ecr4Choice& choice) {
    return choice.staged ? "ecr4_staged" : choice.rows ? "ecr4_rows" : "ecr4";
}

Ecr4Tiling ecr4_tiling(const ConvShape& shape, const Ecr4Choice& requested, bool partial) {
    if (requested.staged) return staged_tiling(shape, requested);
    Ecr4Choice choice = requested;
    if (choice.rows) {
        choice.tile_h = row_warps * 4 / ecr4_vector(shape);
        choice.tile_w = row_windows;
        choice.channel_warps = 1;
    }
    constexpr std::int64_t longest_list = 288;
    const std::int64_t slice = ceil_div(shape.c, choice.split_k);
    const std::int64_t slab_h = (choice.tile_h - 1) * shape.stride_h + shape.r;
    const std::int64_t slab_w = choice.rows ? row_floats : (choice.tile_w - 1) * shape.stride_w + shape.s;
    // Odd for lists: lanes on adjacent channels then meet different banks.
    const std::int64_t plane = choice.rows ? slab_h * slab_w : slab_h * slab_w | 1;
    const std::int64_t staged = choice.rows ? 32 * ecr4_vector(shape) * shape.window() : 0;  // weights of a channel
    const std::int64_t chunk =
        std::clamp<std::int64_t>(std::min(choice.chunk, max_slab_floats / (plane + staged)), 1, slice);
    // A list is used and begun again when it may not hold the next 32; with padding it ends at a multiple of 8.
    const std::int64_t elements = ceil_div(chunk, choice.channel_warps) * shape.window() + 32;
    const auto to_int = [](std::int64_t size) { return static_cast<int>(size); };
    const auto inverse = [](std::int64_t size) { return 1.0f / static_cast<float>(size); };
    return {.leading = to_int(ecr4_leading(shape)),
            .slices = to_int(choice.split_k),
            .slice = to_int(slice),
            .chunk = to_int(chunk),
            .channel_warps = to_int(choice.channel_warps),
            .list = to_int(std::min(longest_list, round_up(elements, 32))),
            .tile_h = to_int(choice.tile_h),
            .tile_w = to_int(choice.tile_w),
            .tiles_h = to_int(ceil_div(shape.p(), choice.tile_h)),
            .tiles_w = to_int(ceil_div(shape.q(), choice.tile_w)),
            .slab_h = to_int(slab_h),
            .slab_w = to_int(slab_w),
            .slab_plane = to_int(plane),
            .slab_floats = to_int(round_up(chunk * plane, 4)),
            .partial = partial,
            .per_slab_area = inverse(slab_h * slab_w),
            .per_slab_w = inverse(slab_w),
            .per_tile_w = inverse(choice.tile_w),
            .per_channel_warps = inverse(choice.channel_warps)};
}

bool ecr4_partial(const ConvShape& shape, const Ecr4Choice& choice, bool pools) {
    // Adjacent lanes hold adjacent filters, a plane of y apart: 58 G such stores a second were seen on an H100. So a
    // large y is better turned over by ecr4_sum, even where there is one slice only.
    constexpr std::int64_t large_y = 1 << 18;
    return pools || choice.split_k > 1 || choice.rows || choice.staged || shape.conv_elements() >= large_y;
}

ResolvedLaunch ecr4_launches(const ConvShape& shape, const Ecr4Choice& choice, bool pools) {
    if (choice.rows && choice.staged) return reject("rows and staged are both 1; a launch takes one of them");
    if (choice.rows && !fits_rows(shape))
        return reject(
            fmt::format("rows is 1, which takes filters of 1x1 and 3x3 with stride 1; this one is {}x{} with "
                        "stride {},{}",
                        shape.r, shape.s, shape.stride_h, shape.stride_w));
    if (const std::string reason = choice.staged ? staged_reason(shape, choice) : ""; !reason.empty())
        return reject(reason);
    const std::int64_t warps = choice.staged ? staged_warps(shape, choice) : choice.rows ? row_warps : warps_of(choice);
    if (!choice.staged && warps > ecr4_max_warps)
        return reject(fmt::format("{}x{} windows, {} to a warp, with {} warps each make {} warps; a block takes {}",
                                  choice.tile_h, choice.tile_w, choice.windows_per_warp, choice.channel_warps, warps,
                                  ecr4_max_warps));
    const bool partial = ecr4_partial(shape, choice, pools);
    const Ecr4Tiling tiling = ecr4_tiling(shape, choice, partial);
    const std::int64_t sums =
        choice.channel_warps > 1 ? warps * 32 * choice.filters_per_lane * choice.windows_per_warp : 0;
    const std::int64_t filters = 32 * (choice.rows ? ecr4_vector(shape) : choice.filters_per_lane);
    const std::int64_t floats = choice.staged
                                    ? staged_floats(shape, choice)
                                    : tiling.slab_floats + (choice.rows ? tiling.chunk * shape.window() * filters
                                                                        : 2 * warps * tiling.list + sums);
    const Dim3 grid{shape.n * tiling.tiles_h * tiling.tiles_w, ceil_div(shape.k, filters), choice.split_k};
    ResolvedLaunch resolved;
    resolved.kernels.push_back(kernel_launch(ecr4_kernel_name(choice), "multiply", grid, {32 * warps, 1, 1},
                                             floats * std::int64_t{sizeof(float)}));
    if (partial) {
        const std::int64_t outputs = pools ? shape.out_h() * shape.out_w() : shape.p() * shape.q();
        constexpr std::int64_t turned = 8 * 33 * std::int64_t{sizeof(float)};
        resolved.kernels.push_back(kernel_launch(
            "ecr4_sum", "multiply", {ceil_div(outputs, 8), ceil_div(shape.k, 32), shape.n}, {32, 8, 1}, turned));
    }
    return resolved;
}

}  // namespace convscope
