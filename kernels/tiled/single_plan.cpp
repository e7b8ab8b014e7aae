#include "kernels/tiled/single_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

constexpr std::int64_t blocks_per_sm = 2, threads_per_block = 512;  // Section 4

/// The paper's symbols. K x K is r x s here, and padding belongs to the map.
struct Layer {
    std::int64_t M, W_x, W_y, taps, halo;  ///< halo: the K - 1 additional lines
    std::int64_t N_sm, S_shared;
    std::int64_t p, q;
};

Layer layer_of(const ConvShape& shape, const DeviceModel& model) {
    return {shape.k,   shape.padded_w(),    shape.padded_h(), shape.window(), shape.r - 1,
            model.sms, model.shared_per_sm, shape.p(),        shape.q()};
}

/// Step 2's lower bound: whole / (room for one piece), or none when there is no room.
std::optional<std::int64_t> min_pieces(std::int64_t whole, std::int64_t room) {
    if (room <= 0) return std::nullopt;
    return ceil_div(whole, room);
}

/// Shared memory of a block: that which lets the paper's two blocks live on an SM, or else all that one can have.
std::array<std::int64_t, 2> rooms_of_a_block(const DeviceModel& model) {
    const std::int64_t half = model.shared_per_sm / blocks_per_sm - model.shared_reserved_per_block;
    return {std::min(model.shared_per_block_optin, half), model.shared_per_block_optin};
}

/// How many threads work on a block's tile, and how: lanes along its pixels, the rest along its filters.
void add_threads(SingleTiling& tiling, std::int64_t q) {
    tiling.rows_per_thread = tiling.rows >= 3 ? 4 : tiling.rows;
    const std::int64_t items = ceil_div(tiling.rows, tiling.rows_per_thread) * q;
    const std::int64_t rounds = ceil_div(items, threads_per_block);
    const std::int64_t lanes = ceil_div(ceil_div(items, rounds), 32) * 32;
    const std::int64_t groups = std::clamp<std::int64_t>(threads_per_block / lanes, 1, tiling.filters);
    tiling.lanes = static_cast<int>(lanes);
    tiling.threads = static_cast<int>(lanes * groups);
}

/// The kernel's tiling for a number of pieces. Both ways are the same with filters and rows exchanged: 'kept' of 'whole
/// kept' stay in a block, and the pieces of the others are cut once more, for the blocks that share a part.
void tile(Division& division, const Layer& layer, bool by_filters, std::int64_t pieces) {
    const std::int64_t all_kept = by_filters ? layer.M : layer.p;
    const std::int64_t all_sliced = by_filters ? layer.p : layer.M;
    const std::int64_t kept = ceil_div(all_kept, layer.N_sm);
    division.parts = ceil_div(all_kept, kept);
    const std::int64_t sharers = std::max<std::int64_t>(1, blocks_per_sm * layer.N_sm / division.parts);
    const std::int64_t sliced = ceil_div(all_sliced, std::min(all_sliced, pieces * sharers));
    const std::int64_t slices = ceil_div(all_sliced, sliced);
    division.sharers = std::min(sharers, slices);

    SingleTiling& tiling = division.tiling;
    tiling.by_filters = by_filters;
    tiling.filters = static_cast<int>(by_filters ? kept : sliced);
    tiling.rows = static_cast<int>(by_filters ? sliced : kept);
    tiling.slices = static_cast<int>(slices);
    tiling.buffers = slices > division.sharers ? 2 : 1;
    tiling.window_pitch = static_cast<int>(ceil_div(layer.taps, 4) * 4);
    add_threads(tiling, layer.q);

    const std::int64_t filters = (by_filters ? kept : sliced) * tiling.window_pitch;
    const std::int64_t map = (tiling.rows + layer.halo) * layer.W_x;
    division.shared_bytes =
        float_bytes * (by_filters ? filters + tiling.buffers * map : tiling.buffers * filters + map);
}

/// The first number of pieces, from the paper's lower bound on, whose tiling fits a block: the paper's 'one more
/// requirement to decide this lower bound', for our kernel. A number that was requested is taken as it is.
void choose_pieces(Division& division, const Layer& layer, bool by_filters, std::int64_t requested, std::int64_t room) {
    const std::int64_t limit = by_filters ? layer.p : layer.M;
    std::int64_t pieces =
        requested > 0 ? requested : std::clamp<std::int64_t>(division.least.value_or(limit), 1, limit);
    tile(division, layer, by_filters, pieces);
    while (requested == 0 && division.shared_bytes > room && pieces < limit)
        tile(division, layer, by_filters, ++pieces);
    if (requested > 0 || division.shared_bytes <= room) division.pieces = pieces;
}

Division divide_filters(const Layer& l, const LatencyHiding& hiding, std::int64_t requested, std::int64_t room) {
    Division division;
    const std::int64_t filters = ceil_div(l.M, l.N_sm);
    division.most = std::min(l.taps * filters * l.W_y * l.W_x / hiding.n_fma, l.W_y);
    division.least = min_pieces(float_bytes * l.W_y * l.W_x,
                                l.S_shared - float_bytes * l.taps * filters - l.halo * float_bytes * l.W_x);
    choose_pieces(division, l, true, requested, room);
    if (!division.pieces) return division;
    const std::int64_t rows = ceil_div(l.W_y, *division.pieces);
    division.bytes = float_bytes * (l.taps * filters + (rows + l.halo) * l.W_x);  // Eq. 5
    division.fma = l.taps * filters * rows * l.W_x;                               // Eq. 6
    return division;
}

Division divide_maps(const Layer& l, const LatencyHiding& hiding, std::int64_t requested, std::int64_t room) {
    Division division;
    const std::int64_t rows = ceil_div(l.W_y, l.N_sm);
    division.most = std::min(l.taps * l.M * rows * l.W_x / hiding.n_fma, l.M);
    division.least = min_pieces(float_bytes * l.M * l.taps, l.S_shared - float_bytes * l.W_x * (rows + l.halo));
    choose_pieces(division, l, false, requested, room);
    if (!division.pieces) return division;
    const std::int64_t filters = ceil_div(l.M, *division.pieces);
    division.bytes = float_bytes * (l.taps * filters + (rows + l.halo) * l.W_x);  // Eq. 8
    division.fma = l.taps * filters * rows * l.W_x;                               // Eq. 9
    return division;
}

std::string counted(std::int64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

Support runs(const SinglePlan& plan, const Layer& layer, const DeviceModel& model, std::int64_t P, std::int64_t Q) {
    if (P > 0 && Q > 0)
        return Support::no(fmt::format(
            "P is {} and Q is {}; either the map is divided into P pieces or the filters into Q: leave one at 0", P,
            Q));
    const Division& chosen = plan.chosen();
    const std::int64_t room = model.shared_per_block_optin;
    if (chosen.shared_bytes <= room) return {};
    const char* ahead = chosen.tiling.buffers == 1 ? "" : plan.by_filters ? ", these twice" : ", the filters twice";
    return Support::no(
        fmt::format("a block needs {} bytes of shared memory for {} and {} of the map{}; {} has at most {}",
                    chosen.shared_bytes, counted(chosen.tiling.filters, "filter"),
                    counted(chosen.tiling.rows + layer.halo, "row"), ahead, model.name, room));
}

void choose_way(SinglePlan& plan, std::int64_t P, std::int64_t Q) {
    if (P > 0 || Q > 0)
        plan.by_filters = P > 0;
    else if (plan.filters.pieces && plan.maps.pieces)
        plan.by_filters = plan.filters.bytes < plan.maps.bytes;  // step 4
    else if (plan.filters.pieces || plan.maps.pieces)
        plan.by_filters = plan.filters.pieces.has_value();
    else
        plan.by_filters = plan.filters.shared_bytes < plan.maps.shared_bytes;
}

}  // namespace

int SinglePlan::approach() const {
    if (chosen().fma >= hiding.n_fma) return 1;
    return volume >= hiding.v_s ? 2 : 0;
}

SinglePlan plan_single(const ConvShape& shape, const DeviceModel& model, std::int64_t P, std::int64_t Q) {
    SinglePlan plan;
    plan.support = has_rates(model);
    if (!plan.support) return plan;
    const Layer layer = layer_of(shape, model);
    plan.hiding = latency_hiding(model);
    for (const std::int64_t room : rooms_of_a_block(model)) {
        plan.filters = divide_filters(layer, plan.hiding, P, room);
        plan.maps = divide_maps(layer, plan.hiding, Q, room);
        if (plan.filters.pieces || plan.maps.pieces) break;
    }
    choose_way(plan, P, Q);
    plan.volume = plan.chosen().bytes * plan.chosen().parts;
    plan.support = runs(plan, layer, model, P, Q);
    return plan;
}

std::vector<Quantity> quantities(const SinglePlan& plan) {
    std::vector<Quantity> all = quantities(plan.hiding);
    const auto add = [&](const char* symbol, std::int64_t value, const char* unit, const char* meaning) {
        all.push_back({symbol, static_cast<double>(value), unit, meaning});
    };
    const Division& filters = plan.filters;
    if (filters.least) add("P_min", *filters.least, "", "fewest pieces of the map that fit (3.1, step 2)");
    add("P_max", filters.most, "",
        "most pieces of the map with N_FMA operations each (3.1, step 1); 0: too little work");
    if (filters.pieces) {
        add("P", *filters.pieces, "", "pieces of the map when the filters are divided over the SMs");
        add("D1", filters.bytes, "B", "an SM's data with P pieces (Eq. 5)");
        add("Th1", filters.fma, "FMA", "an SM's operations on them (Eq. 6)");
    }
    const Division& maps = plan.maps;
    if (maps.least) add("Q_min", *maps.least, "", "fewest pieces of the filters that fit (3.1, step 2)");
    add("Q_max", maps.most, "",
        "most pieces of the filters with N_FMA operations each (3.1, step 1); 0: too little work");
    if (maps.pieces) {
        add("Q", *maps.pieces, "", "pieces of the filters when the map is divided over the SMs");
        add("D2", maps.bytes, "B", "an SM's data with Q pieces (Eq. 8)");
        add("Th2", maps.fma, "FMA", "an SM's operations on them (Eq. 9)");
    }
    add("way", plan.by_filters ? 1 : 2, "",
        plan.by_filters ? "1: the filters are divided over the SMs, Q is reset to 1 (3.1, step 4)"
                        : "2: the map is divided over the SMs, P is reset to 1 (3.1, step 4)");
    add("approach", plan.approach(), "", "latency is hidden by 1: N_FMA operations, 2: V_s bytes, 0: neither (2.2)");
    add("M/block", plan.chosen().tiling.filters, "", "filters that a block holds at a time");
    add("rows/block", plan.chosen().tiling.rows, "", "output rows that a block holds the input of at a time");
    return all;
}

}  // namespace convscope
