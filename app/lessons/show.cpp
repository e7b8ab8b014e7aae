#include "app/lessons/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "app/lessons/hideable.h"
#include "app/lessons/names.h"
#include "app/lessons/read_blocks.h"
#include "app/lessons/toml_problems.h"
#include "kernels/core/error.h"
#include "kernels/core/nearest_names.h"
#include "kernels/core/text.h"
#include "kernels/files/preset_folder.h"
#include "kernels/formats/sparse_format.h"
#include "kernels/layers/example_zeros.h"
#include "kernels/layers/network.h"
#include "kernels/layers/one_map.h"
#include "kernels/layers/preset.h"
#include "kernels/method/former_names.h"
#include "kernels/method/registry.h"
#include "kernels/simt/as_printed.h"

namespace convscope::lessons {
namespace {

class ShowReader {
public:
    ShowReader(const toml::table& table, int line, const Registry& registry, Problems& problems)
        : keys_(lesson_table(table, "show block", line, problems)),
          registry_(registry),
          problems_(problems),
          line_(line) {}

    Show read() {
        Show show;
        show.line = line_;
        workload(show);
        place(show);
        measuring(show);
        hidden(show);
        keys_.finish();
        return show;
    }

private:
    void workload(Show& show) {
        show.preset = keys_.one_of("preset", words(WordKind::preset));
        for (const ShapeKey& key : shape_keys) {
            constexpr std::int64_t max_size = std::int64_t{1} << 31;
            const auto numbers = keys_.sizes(key.name, max_numbers(key), min_of(key), max_size);
            if (!numbers) continue;
            show.same_padding |= numbers->empty();
            if (numbers->empty()) continue;
            ConvShape named;
            set_numbers(named, key, *numbers);
            for (const ShapeMember member : {key.first, key.second, key.first_extra, key.second_extra})
                if (member) show.shape.emplace_back(member, named.*member);
        }
        show.sparsity = keys_.number("sparsity", 0, 1);
        if (const auto pattern = keys_.one_of("pattern", zero_pattern_names())) show.pattern = parse_source(*pattern);
        show.weight_sparsity = keys_.number("weight_sparsity", 0, 1);
        show.weight_pattern = keys_.parsed("weight_pattern", parse_weight_pattern);
        if (show.weight_pattern == WeightPattern::two_of_four && !show.weight_sparsity)
            show.weight_sparsity = two_of_four_sparsity;
        show.seed = keys_.integer("seed", 0);
    }

    void place(Show& show) {
        show.view = keys_.one_of("view", words(WordKind::view));
        show.tab = keys_.one_of("tab", words(WordKind::tab));
        if (const auto device = keys_.one_of("device", words(WordKind::device)))
            for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::sim, DeviceKind::cuda})
                if (*device == to_string(kind)) show.device = kind;
        show.method = method("method");
        show.companion = method("beside");
        show.kernel = keys_.text("kernel");
        show.block = keys_.dims("block", 1);
        show.grid = keys_.dims("grid", 1);
        show.at = keys_.dims("at", 0);
        show.model = keys_.one_of("model", words(WordKind::model));
        tunables(show);
        if (const auto point = keys_.text("point")) show.point = read_point(*point);
        show.thread = keys_.integer("thread", 0);
        show.moment = keys_.integer("moment", 0);
        show.image = keys_.integer("image", 0);
        show.channel = keys_.integer("channel", 0);
        show.filter = keys_.integer("filter", 0);
    }

    void measuring(Show& show) {
        show.scope = keys_.parsed("scope", parse_scope);
        show.cache = keys_.parsed("cache", parse_cache);
        show.methods = keys_.texts("methods");
        if (show.methods)
            for (const std::string& id : *show.methods) known_method("methods", id);
        show.run = keys_.flag("run");
        show.recorded = name_in("recorded", "recorded");
        show.page = keys_.one_of("page", words(WordKind::page));
        show.layer = keys_.text("layer");
        std::vector<std::string> formats = sparse_format_names();
        formats.emplace_back();
        show.format = keys_.one_of("format", formats);
        show.matrix = keys_.parsed("matrix", parse_matrix_of);
        show.network = keys_.one_of("network", network_names());
        show.exercise = name_in("exercise", "exercises");
        show.solution = name_in("solution", "exercises");
        if (show.exercise || show.solution) show.view = "kernel";
    }

    void hidden(Show& show) {
        show.hide = keys_.texts("hide");
        const std::vector<std::string> accepted = hideable();
        for (const std::string& name : show.hide.value_or(std::vector<std::string>{}))
            if (std::ranges::find(accepted, name) == accepted.end())
                complain(keys_, "hide",
                         fmt::format("there is nothing to hide that is called '{}'; accepted are {}", name,
                                     fmt::join(accepted, ", ")));
    }

    void known_method(const char* key, const std::string& id) {
        std::vector<std::string> ids(as_printed_ids.begin(), as_printed_ids.end());
        for (const auto& method : registry_.methods()) ids.push_back(method->info().id);
        if (id == "vendor" || std::ranges::find(ids, id) != ids.end()) return;
        const std::vector<std::string> near = nearest_names(id, ids);
        const bool cuda = !registry_.methods(DeviceKind::cuda).empty();
        problems_.push_back({place_of(keys_.place_of(key)),
                             fmt::format("'{}' of this show block: there is no method '{}'{}{}", key, id,
                                         near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, ", ")),
                                         cuda ? "" : " (methods of CUDA alone are not known on this machine)"),
                             !cuda});
    }

    std::optional<std::string> method(const char* key) {
        std::optional<std::string> id = keys_.text(key);
        if (id && !id->empty()) known_method(key, *id);
        return id;
    }

    void tunables(Show& show) {
        const auto set = keys_.table("set");
        if (!set) return;
        for (const auto& [name, value] : set->all()) {
            if (value.is_integer())
                show.tunables.emplace_back(current_tunable(name.str()), *value.value<std::int64_t>());
            else
                complain(keys_, "set", fmt::format("'{}' must be a whole number", std::string(name.str())));
        }
    }

    /// An index of an element; 'good' becomes false where it is none.
    Expression index(const std::string& text, bool& good) {
        std::vector<std::string> wrong, doubts;
        auto expression = Expression::compile(text, registry_, wrong, doubts);
        for (const std::string& sentence : wrong) complain(keys_, "point", sentence);
        good = good && expression;
        return expression.value_or(Expression());
    }

    std::optional<PointTarget> read_point(const std::string& text) {
        const std::size_t open = text.find('['), close = text.rfind(']');
        const std::string name = text.substr(0, open);
        const std::vector<std::string>& arrays = words(WordKind::array);
        if (open == std::string::npos || close != text.size() - 1 || std::ranges::find(arrays, name) == arrays.end()) {
            complain(keys_, "point",
                     fmt::format("'{}' is not an element; it must be NAME[i] or NAME[row, col] with one of "
                                 "the names {}",
                                 text, fmt::join(arrays, ", ")));
            return std::nullopt;
        }
        const std::string inside = text.substr(open + 1, close - open - 1), first = split_list(inside).front();
        bool good = true;
        PointTarget point{name, index(first, good), {}};
        if (first.size() < inside.size()) point.second = index(inside.substr(first.size() + 1), good);
        return good ? std::optional(point) : std::nullopt;
    }

    static std::vector<std::string> network_names() {
        std::vector<std::string> list;
        for (const Network& network : all_networks()) list.push_back(network.name);
        return list;
    }
    /// The name of a file in this folder, which ships with convscope.
    std::optional<std::string> name_in(const char* key, const char* folder) {
        if (!keys_.node(key)) return std::nullopt;
        std::vector<std::string> list;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(preset_folder() / folder, none))
            if (entry.is_regular_file()) list.push_back(entry.path().stem().string());
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
        return keys_.one_of(key, list);
    }

    TomlTable keys_;
    const Registry& registry_;
    Problems& problems_;
    int line_;
};

}  // namespace

Show read_show(const toml::table& table, int line, const Registry& registry, Problems& problems) {
    return ShowReader(table, line, registry, problems).read();
}

WorkloadSpec shown_workload(const Show& show, const WorkloadSpec& before) {
    WorkloadSpec spec = show.preset ? find_preset(*show.preset).spec : before;
    const WorkloadSpec as_named = spec;
    ConvShape& shape = spec.shape;
    const auto set = [](auto& field, const auto& value) {
        if (value) field = *value;
    };
    for (const auto& [member, value] : show.shape) {
        if (member == &ConvShape::pool_stride && !shape.pooled()) continue;
        shape.*member = value;
        if (member == &ConvShape::pool_h) shape.pool_stride = value;  // unless its own key follows
    }
    if (show.same_padding) pad_same(shape);
    validate(shape);  // before its elements are counted
    set(spec.sparsity, show.sparsity);
    set(spec.source, show.pattern);
    set(spec.weight_sparsity, show.weight_sparsity);
    set(spec.weight_pattern, show.weight_pattern);
    if (show.seed) spec.seed = static_cast<std::uint64_t>(*show.seed);
    const bool same_values = shape == as_named.shape && spec.sparsity == as_named.sparsity &&
                             spec.source == as_named.source && spec.seed == as_named.seed &&
                             spec.weight_sparsity == as_named.weight_sparsity &&
                             spec.weight_pattern == as_named.weight_pattern;
    if (same_values) return spec;
    // As in the workload panel: a preset that was changed is not a preset.
    spec.name = "custom";
    draw_where_values_do_not_fit(spec, as_named);
    if (spec.source == Source::example && spec.sparsity != as_named.sparsity) thin_or_fill(spec);
    return spec;
}

MapIndex shown_map(const Show& show, const ConvShape& shape, const MapIndex& before, bool own_layer) {
    const MapIndex shown = nearest_map(
        {show.image.value_or(before.image), show.channel.value_or(before.channel), show.filter.value_or(before.filter)},
        shape);
    if (own_layer) return shown;
    const auto require = [](const char* name, const std::optional<std::int64_t>& index, std::int64_t count) {
        if (index && *index >= count)
            throw Error(ErrorKind::usage, fmt::format("there is no {} {}: the layer has {}", name, *index, count));
    };
    require("image", show.image, shape.n);
    require("channel", show.channel, shape.c);
    require("filter", show.filter, shape.k);
    if (show.filter && shown.filter != *show.filter)
        throw Error(ErrorKind::usage, fmt::format("filter {} does not see channel {}: it is of another group",
                                                  *show.filter, shown.channel));
    return shown;
}

}  // namespace convscope::lessons
