#include "kernels/tiled/multi2_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/simt/launch_plan.h"

namespace convscope {

const Multi2Values multi2_values;

namespace {

constexpr std::int64_t bytes_of_parts = 24 << 20;  // half of the L2 cache of an H100
constexpr std::int64_t places_per_thread = 4;      // Multi2Pixels::most

bool flattens(const ConvShape& shape) {
    return shape.window() == 1 && shape.pad_h == 0 && shape.pad_w == 0;
}

Multi2Map map_of(const ConvShape& shape, std::int64_t columns) {
    const auto whole = [](std::int64_t value) { return static_cast<int>(value); };
    const std::int64_t input = shape.h * shape.w, output = shape.p() * shape.q();
    if (!flattens(shape))
        return {whole(shape.h), whole(shape.w), whole(shape.p()), whole(shape.q()), whole(input), whole(output)};
    const int rows = whole(ceil_div(output, columns)), width = whole(columns);
    return {rows, width, rows, width, whole(input), whole(output)};
}

/// Copies of 16 bytes: rows and channels of x, and the tile's first column, must start at multiples of four floats.
int load_of(const ConvShape& shape, const Multi2Map& map) {
    return map.w % 4 == 0 && map.input_plane % 4 == 0 && shape.pad_w % 4 == 0 ? 4 : 1;
}

/// Channels copied at a time that are worth a try: enough work between two barriers, and few enough bytes for two
/// blocks of an SM.
std::vector<std::int64_t> slices_of(const ConvShape& shape) {
    if (shape.c <= 4 || shape.window() > 25) return {4};
    if (shape.c <= 8 || shape.window() > 9) return {4, 8};
    return shape.window() > 1 ? std::vector<std::int64_t>{8, 16} : std::vector<std::int64_t>{16};
}

/// Eight threads that load four floats each at the same time take one turn where these lie in different banks, a turn
/// more for each that shares another's. Threads of one line are four floats apart, lines 'line' floats.
std::int64_t turns(std::int64_t quads, std::int64_t places, std::int64_t line) {
    std::int64_t most = 1;
    std::array<std::int64_t, 8> in_bank{};
    for (std::int64_t place = 0; place < std::min<std::int64_t>(places, 8); ++place) {
        const std::int64_t bank = (place / quads * line / 4 + place % quads) % 8;
        most = std::max(most, ++in_bank[static_cast<std::size_t>(bank)]);
    }
    return most;
}

/// The floats between rows of a tile's input, at least 'needed': the fewest with the fewest turns.
std::int64_t pitch_of(std::int64_t needed, std::int64_t quads, std::int64_t places, std::int64_t rows_per_thread) {
    const std::int64_t least = ceil_div(needed, 4) * 4;
    std::int64_t best = least;
    for (std::int64_t pitch = least; pitch < least + 16; pitch += 4)
        if (turns(quads, places, pitch * rows_per_thread) < turns(quads, places, best * rows_per_thread)) best = pitch;
    return best;
}

/// One point of the launch space, every value set. 'support' says whether it can be run.
Multi2Plan at_point(const ConvShape& shape, const DeviceModel& model, const Multi2Choice& choice) {
    Multi2Plan plan;
    Multi2Tiling& tiling = plan.tiling;
    plan.rows_per_thread = choice.sums == 128 ? 4 : 2;
    plan.filters_per_thread = choice.sums == 32 ? 4 : 8;
    const std::int64_t quads = choice.columns / 4, places = quads * choice.lines;
    const std::int64_t filter_groups = choice.filters / plan.filters_per_thread;
    plan.threads = places * filter_groups * choice.groups;
    const auto reject_point = [&](std::string reason) {
        plan.support = Support::no(std::move(reason));
        return plan;
    };
    const std::int64_t max_threads = choice.sums == 128 ? 256 : 512;
    if (plan.threads > max_threads)
        return reject_point(
            fmt::format("{} x {} threads for the outputs, {} for the filters and {} for the channels "
                        "make {}; with {} sums of each a block has {} at most",
                        quads, choice.lines, filter_groups, choice.groups, plan.threads, choice.sums, max_threads));
    const std::int64_t fours = choice.filters / 4;
    if (plan.threads < fours)
        return reject_point(
            fmt::format("{} threads cannot copy {} weights of a tap, four each", plan.threads, choice.filters));

    const std::int64_t tile_rows = choice.lines * plan.rows_per_thread;
    tiling.map = map_of(shape, choice.columns);
    plan.load = load_of(shape, tiling.map);
    tiling.quads = static_cast<int>(quads);
    tiling.lines = static_cast<int>(choice.lines);
    tiling.lanes = static_cast<int>(places % 8 == 0 ? 8 : places);
    tiling.filter_groups = static_cast<int>(filter_groups);
    tiling.channel_groups = static_cast<int>(choice.groups);
    tiling.slice = static_cast<int>(choice.slice);
    tiling.stages = static_cast<int>(choice.stages);
    tiling.rows = static_cast<int>(tile_rows + shape.r - 1);
    tiling.pitch = static_cast<int>(pitch_of(choice.columns + shape.s - 1, quads, places, plan.rows_per_thread));
    plan.turns = static_cast<int>(turns(quads, places, std::int64_t{tiling.pitch} * plan.rows_per_thread));
    tiling.tiles_x = static_cast<int>(ceil_div(tiling.map.q, choice.columns));
    tiling.tiles = tiling.tiles_x * static_cast<int>(ceil_div(tiling.map.p, tile_rows));
    tiling.weights_pitch = static_cast<int>(ceil_div(shape.k, 4) * 4);
    tiling.weight_copiers = static_cast<int>(plan.threads / fours * fours);
    const std::int64_t elements = std::int64_t{tiling.rows} * tiling.pitch / plan.load;
    if (elements > places_per_thread * plan.threads)
        return reject_point(fmt::format("the tile's input has {} places in a channel; {} threads copy {} each at most",
                                        elements, plan.threads, places_per_thread));

    tiling.channels = static_cast<int>(ceil_div(ceil_div(shape.c, choice.splits), choice.slice) * choice.slice);
    plan.splits = choice.splits;
    if (ceil_div(shape.c, tiling.channels) != plan.splits)
        return reject_point(fmt::format("c = {} channels in slices of {} cannot be divided by {}", shape.c,
                                        choice.slice, choice.splits));
    const std::int64_t stage =
        choice.slice * (std::int64_t{tiling.rows} * tiling.pitch + shape.window() * choice.filters);
    const std::int64_t reduction = choice.groups / 2 * choice.sums * places * filter_groups;
    plan.shared_bytes = float_bytes * std::max(choice.stages * stage, reduction);
    plan.blocks_x = shape.n * tiling.tiles;
    plan.blocks_y = ceil_div(shape.k, choice.filters);
    if (plan.shared_bytes > model.shared_per_block_optin)
        return reject_point(fmt::format("{} slices of {} channels take {} bytes of shared memory; a block of {} has {}",
                                        choice.stages, choice.slice, plan.shared_bytes, model.name,
                                        model.shared_per_block_optin));
    return plan;
}

std::vector<std::int64_t> candidates(std::int64_t requested, const std::vector<std::int64_t>& all) {
    return requested > 0 ? std::vector<std::int64_t>{requested} : all;
}

/// Values up to the first that covers 'need': larger ones would be idle.
std::vector<std::int64_t> up_to(std::int64_t requested, std::vector<std::int64_t> all, std::int64_t need) {
    if (requested > 0) return {requested};
    const auto covers = std::lower_bound(all.begin(), all.end(), need);
    if (covers != all.end()) all.erase(covers + 1, all.end());
    return all;
}

}  // namespace

std::int64_t max_splits(const ConvShape& shape) {
    std::int64_t most = 1;
    for (const std::int64_t splits : multi2_values.splits)
        if (splits <= ceil_div(shape.c, 4) && splits * float_bytes * shape.conv_elements() <= bytes_of_parts)
            most = splits;
    return most;
}

Multi2Plan plan_multi2(const ConvShape& shape, const DeviceModel& model, const Multi2Choice& requested) {
    const std::int64_t across = flattens(shape) ? shape.p() * shape.q() : shape.q();
    const std::int64_t stages = requested.stages > 0 ? requested.stages : shape.window() == 1 ? 3 : 2;
    Multi2Plan best;
    best.support = Support::no("no tile fits");
    const auto consider = [&](const Multi2Choice& choice) {
        // A lone warp finds its places for too few outputs. Where everything was requested, it may.
        const std::int64_t threads = choice.columns / 4 * choice.lines * choice.filters * 8 / choice.sums *
                                     (choice.sums == 128 ? 2 : 1) * choice.groups;
        if (best.support && threads < 64) return;
        Multi2Plan plan = at_point(shape, model, choice);
        if (plan.support) plan.cycles = multi2_cycles(shape, model, plan) * (threads < 64 ? 100 : 1);
        // Among points that cannot be run, the last reason stands.
        if (plan.support ? !best.support || plan.cycles < best.cycles : !best.support) best = plan;
    };
    for (const std::int64_t sums : candidates(requested.sums, multi2_values.sums)) {
        const std::int64_t down = flattens(shape) ? 8 : ceil_div(shape.p(), sums == 128 ? 4 : 2);
        for (const std::int64_t columns : up_to(requested.columns, multi2_values.columns, across))
            for (const std::int64_t lines : up_to(requested.lines, multi2_values.lines, down))
                for (const std::int64_t filters : up_to(requested.filters, multi2_values.filters, shape.k))
                    for (const std::int64_t groups : candidates(requested.groups, multi2_values.groups))
                        for (const std::int64_t slice : candidates(requested.slice, slices_of(shape)))
                            for (const std::int64_t splits :
                                 up_to(requested.splits, multi2_values.splits, max_splits(shape)))
                                consider({columns, lines, filters, sums, groups, slice, stages, splits});
    }
    return best;
}

}  // namespace convscope
