#include "app/lessons/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/lessons/recorded_values.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/layers/weight_patterns.h"
#include "kernels/measure/sample_counts.h"

namespace convscope::lessons {
namespace {

double number(auto value) {
    return static_cast<double>(value);
}

std::int64_t whole(double value) {
    if (!(std::abs(value) < 9e15)) throw NotKnown{"an index is not a whole number"};
    return static_cast<std::int64_t>(std::llround(value));
}

/// The memory of a matrix of the whole layer; unset for arrays of one map.
std::optional<std::int64_t> layer_elements(const std::string& array, const ConvShape& shape) {
    if (array == "x") return shape.x_elements();
    if (array == "w") return shape.w_elements();
    if (array == "y") return shape.y_elements();
    if (array == "im2col") return shape.im2col_elements();
    if (array == "L" || array == "mec") return shape.mec_elements();
    return std::nullopt;
}

/// The method that a lesson's word stands for: 'vendor' is the one that ours are compared with.
std::string method_of(const std::string& word, const LiveState& state) {
    const Method* vendor = word == "vendor" ? state.registry->vendor_best(state.kind) : nullptr;
    return vendor ? vendor->info().id : word;
}

/// Throws NotKnown where no sample counts.
void require_samples_that_count(const Measured& seen) {
    const Record& record = seen.record;
    if (is_too_busy(record))
        throw NotKnown{fmt::format("{}: {}", record.method, record.status_reason), !seen.complete, seen.complete};
}

}  // namespace

void Facts::update(LiveState state) {
    const bool other = state.workload.get() != arrays_of_ || state.map != map_;
    if (other) arrays_.reset();
    if (state.workload.get() != arrays_of_) weights_kept_.clear();
    if (other || state.formats_of != formats_of_) formats_.reset();
    formats_of_ = state.formats_of;
    arrays_of_ = state.workload.get();
    map_ = state.map;
    state_ = std::move(state);
}

MapArrays& Facts::arrays() const {
    if (!state_.workload) throw NotKnown{"the layer is being built"};
    if (!arrays_) arrays_ = std::make_shared<MapArrays>(*state_.workload, state_.map);
    return *arrays_;
}

std::optional<Pointed> Facts::find(const PointTarget& target) const {
    if (!state_.workload) return std::nullopt;
    const std::string array = target.array == "mec" ? "L" : target.array;
    const auto index = [this](const Expression& expression) -> std::int64_t {
        const std::optional<double> value = expression.evaluate(*this).value;
        return value && *value >= 0 && *value < 9e15 ? std::llround(*value) : -1;
    };
    const std::int64_t first = index(target.first);
    if (!target.second) {
        const auto place = first < 0 ? std::nullopt : arrays().place(array, first);
        return place ? std::optional(Pointed{array, place->first, place->second}) : std::nullopt;
    }
    const std::int64_t second = index(*target.second);
    const ArraySpec* spec = arrays().find(array);
    const bool there = spec && first >= 0 && second >= 0 && first < spec->rows && second < spec->cols;
    return there ? std::optional(Pointed{array, first, second}) : std::nullopt;
}

double Facts::name(const std::string& name) const {
    bool found = true;
    for (auto group : {&Facts::of_shape, &Facts::of_data, &Facts::of_launch, &Facts::of_step})
        if (const double value = (this->*group)(name, found = true); found) return value;
    if (name == "running") return state_.running;
    if (name == "exercise_solved") return state_.exercise_solved;
    throw NotKnown{fmt::format("'{}' is not known", name)};
}

double Facts::of_shape(const std::string& name, bool& found) const {
    const ConvShape& shape = state_.spec.shape;
    for (const ShapeField& field : shape_fields)
        if (name == field.name) return number(shape.*field.member);
    const MapIndex& map = state_.map;
    const std::pair<const char*, std::int64_t> values[] = {
        {"p", shape.p()},         {"q", shape.q()},         {"out_h", shape.out_h()},
        {"out_w", shape.out_w()}, {"pool", shape.pool_h},   {"seed", static_cast<std::int64_t>(state_.spec.seed)},
        {"image", map.image},     {"channel", map.channel}, {"filter", map.filter},
    };
    for (const auto& [key, value] : values)
        if (name == key) return number(value);
    found = false;
    return 0;
}

double Facts::of_data(const std::string& name, bool& found) const {
    if (name == "sparsity" || name == "theta") {
        if (!state_.workload) throw NotKnown{"the layer is being built"};
        const double zeros = state_.workload->sparsity_measured;
        return name == "theta" ? 100 * zeros / number(state_.spec.shape.w) : zeros;
    }
    if (name == "weight_sparsity") {
        if (!state_.workload) throw NotKnown{"the layer is being built"};
        return state_.workload->weight_sparsity_measured;
    }
    if (name == "map_sparsity") return arrays().zeros();
    if (name == "dense") return number(arrays().work().dense_multiplications);
    if (name == "needed") return number(arrays().work().needed_multiplications);
    if (name == "dense_adds") return number(arrays().work().dense_additions);
    if (name == "needed_adds") return number(arrays().work().needed_additions);
    if (name == "skipped") return arrays().work().skipped();
    if (name == "flops_dense") return state_.spec.shape.flops_dense();
    if (name == "flops_effective") {
        if (state_.flops_effective < 0) throw NotKnown{"the layer is being built"};
        return state_.flops_effective;
    }
    found = false;
    return 0;
}

double Facts::of_launch(const std::string& name, bool& found) const {
    static const std::string mine[] = {"occupancy",    "registers", "shared_bytes", "threads", "blocks",
                                       "limit_blocks", "block_x",   "block_y",      "block_z"};
    found = std::ranges::find(mine, name) != std::end(mine);
    if (!found) return 0;
    if (!state_.launched) throw NotKnown{fmt::format("{} has no kernels with a launch configuration", state_.method)};
    const auto config = state_.launch.find(state_.launched->info().id);
    const LaunchConfig wanted = config == state_.launch.end() ? LaunchConfig{} : config->second;
    const ResolvedLaunch resolved = state_.launched->resolve(state_.spec.shape, wanted, state_.launch_model);
    if (!resolved.support) throw NotKnown{resolved.support.reason};
    if (resolved.main >= resolved.kernels.size())
        throw NotKnown{fmt::format("{} has no kernels with a launch configuration", state_.method)};
    const KernelLaunch& kernel = resolved.kernels[resolved.main];
    if (name == "registers") return kernel.registers;
    if (name == "shared_bytes") return number(kernel.shared_bytes);
    if (name == "threads") return number(kernel.block.count());
    if (name == "blocks") return number(kernel.grid.count());
    if (name == "block_x") return number(kernel.block.x);
    if (name == "block_y") return number(kernel.block.y);
    if (name == "block_z") return number(kernel.block.z);
    if (const Support support = fits(state_.occupancy_model, kernel); !support) throw NotKnown{support.reason};
    const Occupancy occupied = convscope::occupancy(state_.occupancy_model, kernel);
    return name == "occupancy" ? occupied.percent : occupied.blocks_per_sm;
}

double Facts::of_step(const std::string& name, bool& found) const {
    static const std::string mine[] = {"moment",       "moments",         "active_lanes",          "sectors",
                                       "wavefronts",   "conflicts",       "block_requests",        "block_sectors",
                                       "block_wanted", "block_conflicts", "block_multiplications", "block_barriers",
                                       "race"};
    found = std::ranges::find(mine, name) != std::end(mine);
    if (!found) return 0;
    if (!state_.replay) throw NotKnown{"no block is traced yet: the Step view shows one"};
    if (name == "race") return state_.race;
    const simt::Replay& replay = *state_.replay;
    const std::size_t done = std::min(state_.done, replay.size());
    if (name == "moment") return number(done);
    if (name == "moments") return number(replay.size());
    const simt::BlockCost& cost = replay.cost();
    if (name == "block_multiplications") return number(cost.multiplications);
    if (name == "block_barriers") return number(cost.barriers);
    std::int64_t requests = 0, sectors = 0, wanted = 0, conflicts = 0;
    for (const simt::WarpCost& warp : cost.warps) {
        requests += warp.global.requests;
        sectors += warp.global.sectors;
        wanted += warp.global.bytes_wanted;
        conflicts += warp.shared.bank_conflicts;
    }
    if (name == "block_requests") return number(requests);
    if (name == "block_sectors") return number(sectors);
    if (name == "block_wanted") return number(wanted);
    if (name == "block_conflicts") return number(conflicts);
    if (done == 0) return 0;
    const simt::ReplayStep& step = replay.at(done - 1);
    if (name == "active_lanes") return __builtin_popcount(step.lanes);
    if (step.request < 0) return 0;
    const simt::Request& request = cost.requests[static_cast<std::size_t>(step.request)];
    if (name == "sectors") return request.sectors;
    return name == "wavefronts" ? request.wavefronts.count : request.wavefronts.conflicts;
}

double Facts::call(const std::string& function, const std::string& word, std::span<const double> numbers) const {
    if (function == "view") return state_.view == word;
    if (function == "tab") return state_.tab == word;
    if (function == "method") return state_.method == word;
    if (function == "device") return word == convscope::to_string(state_.kind);
    if (function == "scope") return state_.scope == word;
    if (function == "cache") return state_.cache == word;
    if (function == "page") return state_.page == word;
    if (function == "preset") return state_.spec.name == word;
    if (function == "model") return state_.occupancy_model.name == word;
    if (function == "format") return state_.format == word;
    if (function == "matrix") return word == convscope::to_string(state_.formats_of);
    if (function == "weights_kept") return weights_kept(word);
    if (function.starts_with("format_") || function == "whole_bytes") return formats(function, word, numbers);
    if (function == "pointed" || function == "pointed2") return pointed(word, numbers);
    if (function == "time" || function == "ratio" || function == "error" || function == "noise" || function == "status")
        return measured_value(function, word);
    if (function == "recorded") return recorded_value(word);
    if (function == "recorded_sum") return recorded_sum(word);
    if (function == "quantity") return quantity(word);
    return layouts(function, word, numbers);
}

double Facts::quantity(const std::string& symbol) const {
    const Method* method = state_.launched;
    if (!method) throw NotKnown{fmt::format("{} has no plan", state_.method)};
    const auto config = state_.launch.find(method->info().id);
    const ResolvedLaunch plan = method->resolve(
        state_.spec.shape, config == state_.launch.end() ? LaunchConfig{} : config->second, state_.occupancy_model);
    for (const Quantity& each : plan.quantities)
        if (each.symbol == symbol) return each.value;
    throw NotKnown{fmt::format("the plan of {} has no quantity '{}'", method->info().id, symbol)};
}

double Facts::layouts(const std::string& function, const std::string& word, std::span<const double> numbers) const {
    if (function == "bytes")
        if (const auto elements = layer_elements(word, state_.spec.shape)) return 4 * number(*elements);
    if (function == "workspace") {
        const std::string id = method_of(word, state_);
        const Method* method = state_.registry->find(id, state_.kind);
        const std::int64_t bytes = method ? method->workspace_bytes(state_.spec.shape) : -1;
        if (bytes < 0) throw NotKnown{fmt::format("what {} needs is known to its library alone", id)};
        return number(bytes);
    }
    MapArrays& map = arrays();
    if (function == "copies") {
        const std::int64_t row = whole(numbers[0]), col = whole(numbers[1]);
        if (row < 0 || row >= map.shape().h || col < 0 || col >= map.shape().w)
            throw NotKnown{fmt::format("x[{}, {}] is outside the map", row, col)};
        return number(map.copies(word, row, col));
    }
    const std::string array = function == "ptr" ? "Ptr" : word;
    if (!map.find(array)) throw NotKnown{fmt::format("this layer has no {} that can be shown", array)};
    if (function == "elements" || function == "bytes") return number(map.used(array)) * (function == "bytes" ? 4 : 1);
    std::optional<double> value;
    if (function == "value2") {
        value = map.at(array, whole(numbers[0]), whole(numbers[1]));
    } else if (const auto place = map.place(array, whole(numbers[0]))) {
        value = map.at(array, place->first, place->second);
    }
    if (!value) throw NotKnown{fmt::format("{} has no such element", array)};
    return *value;
}

double Facts::weights_kept(const std::string& pattern) const {
    if (!state_.workload) throw NotKnown{"the layer is being built"};
    const auto found = weights_kept_.find(pattern);
    if (found != weights_kept_.end()) return found->second;
    WorkloadSpec spec = state_.workload->spec;
    if (std::max(spec.shape.x_elements(), spec.shape.w_elements()) > max_counted)
        throw NotKnown{"what pruning keeps is not counted: the layer is too large"};
    const double share = spec.weight_sparsity;
    spec.weight_sparsity = 0;
    spec.weight_pattern = WeightPattern::uniform;
    Tensor w = make_workload(spec).w;
    const auto squares = [&] {
        return std::accumulate(w.data.begin(), w.data.end(), 0.0,
                               [](double sum, float weight) { return sum + static_cast<double>(weight) * weight; });
    };
    const double all = squares();
    spec.weight_pattern = parse_weight_pattern(pattern);
    spec.weight_sparsity = spec.weight_pattern == WeightPattern::two_of_four ? two_of_four_sparsity : share;
    prune_weights(w, spec);
    return weights_kept_[pattern] = all > 0 ? squares() / all : 1;
}

double Facts::formats(const std::string& function, const std::string& word, std::span<const double> numbers) const {
    if (!state_.workload) throw NotKnown{"the layer is being built"};
    if (!formats_) formats_ = std::make_shared<ShownFormats>(state_.workload, state_.formats_of, state_.map.image);
    if (function == "format_bytes") return number(formats_->bytes(word));
    if (function == "whole_bytes") {
        const std::optional<std::int64_t> bytes = formats_->whole_bytes(word);
        if (!bytes) throw NotKnown{fmt::format("the whole matrix in {} is not counted: it is too large", word)};
        return number(*bytes);
    }
    if (function == "format_saves_at") {
        if (!formats_->bisects_whole())
            throw NotKnown{
                fmt::format("from which zeros on {} saves is not counted: the whole matrix has more than {} "
                            "elements",
                            word, format_count(max_bisected))};
        const auto share = word == "dense" ? std::nullopt : formats_->saves_at(word);
        if (!share) throw NotKnown{fmt::format("{} is never smaller than dense at this size", word)};
        return *share;
    }
    const FormatArray* array = formats_->array(word);
    if (!array) throw NotKnown{fmt::format("this matrix has no {}", word)};
    if (function == "format_elements") return number(array->elements());
    const std::int64_t element = whole(numbers[0]);
    if (element < 0 || element >= array->elements())
        throw NotKnown{fmt::format("{} has no element {}: it has {}", word, element, array->elements())};
    return array->type == FormatType::f32 ? number(array->number(element)) : number(array->integer(element));
}

const Measured& Facts::measured(const std::string& word) const {
    const std::size_t at = word.find('@');
    const std::string id = method_of(word.substr(0, at), state_);
    const std::string scope = at == std::string::npos ? state_.scope : word.substr(at + 1);
    const Measured* found = state_.record ? state_.record(id, scope) : nullptr;
    if (found) return *found;
    const std::string within = scope == state_.scope ? "" : fmt::format(" in the scope '{}'", scope);
    throw NotKnown{fmt::format("{} is not measured yet{}", id, within), true};
}

double Facts::measured_value(const std::string& function, const std::string& word) const {
    const Measured& seen = measured(word);
    const Record& record = seen.record;
    if (function == "status") return record.status == Status::passed;
    const std::optional<double>& value = function == "time"    ? record.time_median_us
                                         : function == "ratio" ? record.speedup_vs_vendor
                                         : function == "error" ? record.max_rel_err
                                                               : record.noise_pct;
    if (!value) require_samples_that_count(seen);
    if (!value && function == "ratio" && record.status == Status::passed && state_.registry->vendor_best(state_.kind))
        require_samples_that_count(measured("vendor" + word.substr(std::min(word.find('@'), word.size()))));
    if (!value && record.status != Status::passed)
        throw NotKnown{fmt::format("{} gave no result: {}", record.method, record.status_reason)};
    if (!value) throw NotKnown{fmt::format("{} is not measured yet", record.method), true};
    return *value;
}

std::optional<Bounds> Facts::bounds(const std::string& function, const std::string& word) const {
    if (function != "time" && function != "ratio") return std::nullopt;
    const double median = measured_value(function, word);
    const Measured& value = measured(word);
    // Without an interval anything may be so.
    const auto interval = function == "time" ? value.timing.wide_interval_us : value.record.speedup_interval;
    const auto [low, high] = interval.value_or(std::pair{0.0, 1e3 * median});
    return Bounds{low, median, high, value.reliable && interval.has_value(), value.complete};
}

double Facts::pointed(const std::string& word, std::span<const double> numbers) const {
    if (!state_.pointed) return 0;
    std::string array = word == "mec" ? "L" : word;
    if (state_.pointed->array != array) return 0;
    std::optional<std::pair<std::int64_t, std::int64_t>> place;
    if (numbers.size() == 2)
        place = std::pair{whole(numbers[0]), whole(numbers[1])};
    else
        place = arrays().place(array, whole(numbers[0]));
    return place && *place == std::pair{state_.pointed->row, state_.pointed->col};
}

}  // namespace convscope::lessons
