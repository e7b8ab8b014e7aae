#include "app/session/file/undo_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "app/session/file/tokens.h"
#include "kernels/core/shape_fields.h"

namespace convscope::app {
namespace {

using Words = std::vector<std::string>;

std::string shown(const std::string& text) {
    return text.empty() ? "-" : text;
}
std::string shown(bool on) {
    return on ? "on" : "off";
}
template <class Number>
requires std::is_arithmetic_v<Number> std::string shown(Number value) {
    return fmt::format("{:.6g}", static_cast<double>(value));
}

template <class T>
void add(Words& words, const char* what, const T& before, const T& after) {
    if (before == after) return;
    words.push_back(fmt::format("{} {} -> {}", what, shown(before), shown(after)));
}

/// The methods that were ticked or unticked; an unset list is automatic.
void add_ticks(Words& words, const char* what, const std::optional<std::vector<std::string>>& before,
               const std::optional<std::vector<std::string>>& after) {
    if (before == after) return;
    if (!before || !after) {
        words.push_back(fmt::format("methods {}", what));
        return;
    }
    for (const std::string& id : *after)
        if (std::ranges::find(*before, id) == before->end()) words.push_back(fmt::format("tick {} {}", id, what));
    for (const std::string& id : *before)
        if (std::ranges::find(*after, id) == after->end()) words.push_back(fmt::format("untick {} {}", id, what));
}

void add_shape(Words& words, const ConvShape& before, const ConvShape& after) {
    const bool by_side = before.padded_by_side() || after.padded_by_side();
    for (const ShapeKey& key : shape_keys) {
        if (key.first_extra && by_side) {
            add(words, key.name, text_of(key, before, ","), text_of(key, after, ","));
            continue;
        }
        for (const ShapeMember member : {key.first, key.second})
            if (member) add(words, field_of(member).name, before.*member, after.*member);
    }
}

/// A whole other layer is one change: what goes with it is not told.
bool add_workload(Words& words, const WorkloadSpec& before, const WorkloadSpec& after) {
    if (before == after) return false;
    if (before.name != after.name && after.name != "custom") {
        words.push_back(fmt::format("layer {} -> {}", before.name, after.name));
        return true;
    }
    add_shape(words, before.shape, after.shape);
    const auto zeros = [](double share) { return fmt::format("{:.6g} %", 100 * share); };
    add(words, "zeros", zeros(before.sparsity), zeros(after.sparsity));
    // 2:4 has a share of its own: the pattern is what was chosen.
    if (before.weight_pattern != after.weight_pattern)
        words.push_back(
            fmt::format("weight pattern {} -> {}", to_string(before.weight_pattern), to_string(after.weight_pattern)));
    else
        add(words, "weight zeros", zeros(before.weight_sparsity), zeros(after.weight_sparsity));
    add(words, "seed", before.seed, after.seed);
    if (words.empty() && before.source != after.source)
        words.push_back(fmt::format("pattern {} -> {}", to_string(before.source), to_string(after.source)));
    if (words.empty()) words.push_back(fmt::format("the data of {}", after.name));
    return false;
}

void add_launches(Words& words, const Choices& before, const Choices& after) {
    std::set<std::string> methods;
    for (const auto* each : {&before.launch, &after.launch})
        for (const auto& [id, config] : *each) methods.insert(id);
    const auto of = [](const Choices& choices, const std::string& id) {
        const auto found = choices.launch.find(id);
        return found == choices.launch.end() ? LaunchConfig{} : found->second;
    };
    const auto dim = [](const std::optional<Dim3>& one) { return one ? to_string(*one) : std::string("default"); };
    for (const std::string& id : methods) {
        const LaunchConfig a = of(before, id), b = of(after, id);
        add(words, (id + " block").c_str(), dim(a.block), dim(b.block));
        add(words, (id + " grid").c_str(), dim(a.grid), dim(b.grid));
        if (a.tunables == b.tunables) continue;
        std::set<std::string> names;
        for (const LaunchConfig* each : {&a, &b})
            for (const auto& [name, value] : each->tunables) names.insert(name);
        const auto value = [](const LaunchConfig& config, const std::string& name) {
            const auto found = config.tunables.find(name);
            return found == config.tunables.end() ? std::string("default") : std::to_string(found->second);
        };
        for (const std::string& name : names)
            add(words, fmt::format("{} {}", id, name).c_str(), value(a, name), value(b, name));
    }
}

void add_pins(Words& words, const SessionState& before, const SessionState& after) {
    for (std::size_t i = 0; i < TabId::count; ++i) {
        if (before.pinned[i] == after.pinned[i]) continue;
        if (const auto& pin = after.pinned[i])
            words.push_back(fmt::format("pin {}[{},{}]", to_string(pin->array), pin->cell.row, pin->cell.col));
        else
            words.push_back(fmt::format("unpin {}", to_string(before.pinned[i]->array)));
    }
    if (before.layer.pinned == after.layer.pinned) return;
    if (const auto& pin = after.layer.pinned)
        words.push_back(fmt::format("pin x[{},{},{},{}]", pin->n, pin->c, pin->h, pin->w));
    else
        words.push_back("unpin x");
}

void add_marks(Words& words, const StepMarks& before, const StepMarks& after) {
    for (const CodeLine& at : after.breakpoints)
        if (!before.breakpoints.contains(at)) words.push_back("breakpoint at " + to_string(at));
    for (const CodeLine& at : before.breakpoints)
        if (!after.breakpoints.contains(at)) words.push_back("no breakpoint at " + to_string(at));
    for (const std::string& each : after.watches)
        if (std::ranges::find(before.watches, each) == before.watches.end()) words.push_back("watch " + each);
    for (const std::string& each : before.watches)
        if (std::ranges::find(after.watches, each) == after.watches.end()) words.push_back("no watch of " + each);
}

void add_steps(Words& words, const SessionState& before, const SessionState& after) {
    add(words, "second kernel", before.step.companion, after.step.companion);
    if (before.step.slice != after.step.slice)
        return words.push_back(after.step.slice ? "a slice is traced" : "the whole layer is traced");
    if (before.step.companion != after.step.companion) return;
    const auto block = [](const Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); };
    for (std::size_t i = 0; i < 2; ++i) {
        const StepSide &a = before.step.sides[i], &b = after.step.sides[i];
        add(words, "kernel", a.kernel, b.kernel);
        add(words, "block", block(a.block), block(b.block));
        add(words, "thread", a.thread, b.thread);
        if (a.done != b.done && (i == 0 || before.step.sides[0].done == after.step.sides[0].done))
            add(words, "step", a.done, b.done);  // two that go together are one
    }
    add(words, "steps a second", before.step.speed, after.step.speed);
    add_marks(words, before.step.marks, after.step.marks);
}

void add_pages(Words& words, const PageChoice& a, const PageChoice& b) {
    const auto companion = [](const PageChoice& pages) {
        return pages.companion ? std::string(to_string(*pages.companion)) : std::string("none");
    };
    add(words, "second layout", companion(a), companion(b));
    const auto solution = [](const std::optional<bool>& is_b) {
        return std::string(!is_b ? "automatic" : *is_b ? "B" : "A");
    };
    add(words, "solution", solution(a.solution.b), solution(b.solution.b));
    if (a.solution.b == b.solution.b) add(words, "product", a.solution.product + 1, b.solution.product + 1);
    add(words, "zeros by channel", a.balance.by_channel, b.balance.by_channel);
    add(words, "matrix", std::string(to_string(a.formats.of)), std::string(to_string(b.formats.of)));
    const auto format = [](const PageChoice& pages) {
        return pages.formats.format.empty() ? std::string("all") : pages.formats.format;
    };
    add(words, "format", format(a), format(b));
}

std::string name_of(const RecordSource& source) {
    if (source.kind == RecordSource::Kind::recorded)
        return source.companions.empty() ? source.name : fmt::format("{} + {}", source.name, source.companions.size());
    if (source.kind == RecordSource::Kind::this_run) return "this run";
    if (source.files.empty()) return "the first";
    const std::string first = std::filesystem::path(source.files.front()).filename().string();
    return source.files.size() == 1 ? first : fmt::format("{} + {}", first, source.files.size() - 1);
}

void add_comparison(Words& words, const SessionState& before, const SessionState& after) {
    const CompareChoice &a = before.compare, &b = after.compare;
    add(words, "records", name_of(before.records), name_of(after.records));
    add(words, "filter", a.query, b.query);
    add(words, "what is timed", a.scope, b.scope);
    add(words, "layer of the plots", a.layer, b.layer);
    add(words, "x", a.x, b.x);
    add(words, "y", a.y, b.y);
    add(words, "the map's x", a.map_x, b.map_x);
    add(words, "the map's y", a.map_y, b.map_y);
    add(words, "dense work", a.dense, b.dense);
    add(words, "order by", a.sort, b.sort);
    add(words, "descending", a.descending, b.descending);
    add(words, "before", a.before, b.before);
    add(words, "after", a.after, b.after);
    if (a.fixed != b.fixed) words.emplace_back("what the plots hold");
}

void add_sweep(Words& words, const SweepChoice& a, const SweepChoice& b) {
    if (a.axes != b.axes) {
        const std::vector<SweepAxis> from = a.axes.value_or(std::vector<SweepAxis>{}), to = b.axes.value_or(from);
        const std::size_t before = words.size();
        if (a.axes && b.axes && from.size() == to.size())
            for (std::size_t i = 0; i < from.size(); ++i)
                if (from[i].kind == to[i].kind && from[i].tunable == to[i].tunable)
                    add(words, token(to[i].kind), from[i].values, to[i].values);
        if (words.size() == before) words.emplace_back("axes of the sweep");
    }
    add_ticks(words, "for the sweep", a.methods, b.methods);
    add(words, "seconds of sampling", a.timeout_s, b.timeout_s);
    add(words, "the sweep's plots", std::string(to_string(a.metric)), std::string(to_string(b.metric)));
    add(words, "method of the map", a.method, b.method);
    add(words, "the sweep's filter", a.query, b.query);
    add(words, "recorded sweep", a.recorded, b.recorded);
    add(words, "the sweep's file", a.csv_path, b.csv_path);
}

void add_network(Words& words, const NetworkChoice& a, const NetworkChoice& b) {
    add(words, "network", a.name, b.name);
    add(words, "batch", a.n, b.n);
    add(words, "chain", a.chain, b.chain);
    add_ticks(words, "for networks", a.methods, b.methods);
    add(words, "seconds for each layer", a.timeout_s, b.timeout_s);
}

void add_kernel(Words& words, const KernelChoice& a, const KernelChoice& b) {
    const auto file = [](const KernelChoice& choice) { return std::filesystem::path(choice.file).filename().string(); };
    add(words, "file", file(a), file(b));
    add(words, "method", a.method, b.method);
    if (a.file != b.file || a.method != b.method) return;
    add(words, "kernel", a.entry, b.entry);
    if (a.given != b.given) words.emplace_back("an argument of the kernel");
    add(words, "launch", a.launch, b.launch);
    if (a.launch != b.launch) return;
    add(words, "counts", std::string(token(a.count)), std::string(token(b.count)));
    if (a.ptx != b.ptx) words.emplace_back(b.ptx ? "PTX shown" : "PTX hidden");
    add(words, "block", to_string(a.block), to_string(b.block));
    add(words, "warp", a.warp, b.warp);
    add(words, "lane", a.lane, b.lane);
    add(words, "step", a.step, b.step);
}

void add_scenes(Words& words, const SavedScenes& before, const SavedScenes& after) {
    if (before == after) return;
    const std::vector<SavedScene>&a = before.all(), &b = after.all();
    const auto [in_a, in_b] = std::ranges::mismatch(a, b);
    if (b.size() == a.size() + 1) return words.push_back("keep scene " + shown(in_b->title));
    if (a.size() == b.size() + 1) return words.push_back("delete scene " + shown(in_a->title));
    if (a.size() != b.size()) return words.push_back("the scenes");
    if (in_a->state != in_b->state && in_a->title == in_b->title)
        return words.push_back("keep scene " + shown(in_b->title) + " again");
    if (in_a->state == in_b->state) return add(words, "scene", in_a->title, in_b->title);
    words.emplace_back("the order of the scenes");
}

}  // namespace

std::string undo_label(const SessionState& before, const SessionState& after) {
    Words words;
    if (add_workload(words, before.choices.workload, after.choices.workload)) return words.front();
    const bool other_layer = !words.empty();
    const Choices &a = before.choices, &b = after.choices;
    add(words, "device", a.device, b.device);
    if (a.device != b.device) return words.front();  // its methods and axes go with it
    add_pages(words, before.pages, after.pages);
    const auto method = [](const std::string& id) { return id.empty() ? std::string("automatic") : id; };
    add(words, "method", method(a.method), method(b.method));
    if (a.method != b.method) return words.back();
    const auto model = [](const std::string& name) { return name.empty() ? std::string("the device") : name; };
    add(words, "occupancy of", model(a.occupancy_model), model(b.occupancy_model));
    add_launches(words, a, b);
    add_ticks(words, "to measure", a.live_methods, b.live_methods);
    add(words, "what is timed", std::string(to_string(a.scope)), std::string(to_string(b.scope)));
    add(words, "cache", std::string(to_string(a.cache)), std::string(to_string(b.cache)));
    if (!other_layer) {
        add(words, "image", a.selection.image, b.selection.image);
        add(words, "channel", a.selection.channel, b.selection.channel);
        add(words, "filter", a.selection.filter, b.selection.filter);
        add_pins(words, before, after);
        const auto block = [](const std::optional<std::int64_t>& row) {
            return row ? std::to_string(*row + 1) : std::string("automatic");
        };
        add(words, "block row", block(before.pages.block), block(after.pages.block));
        add_steps(words, before, after);
    }
    add(words, "what a pixel shows", std::string(to_string(before.layer.aggregate)),
        std::string(to_string(after.layer.aggregate)));
    add(words, "what a pixel shows", std::string(to_string(before.layer.map_aggregate)),
        std::string(to_string(after.layer.map_aggregate)));
    for (std::size_t i = 0; i < layer_tabs; ++i)
        add(words, "array", std::string(to_string(before.layer.array[i])),
            std::string(to_string(after.layer.array[i])));
    add_comparison(words, before, after);
    add_sweep(words, before.sweep, after.sweep);
    add_network(words, before.network, after.network);
    add_kernel(words, before.kernel, after.kernel);
    add_scenes(words, before.scenes, after.scenes);
    if (words.empty()) return before == after ? "" : "a change of the view";
    return words.size() == 1 ? words.front() : fmt::format("{} and {} more", words.front(), words.size() - 1);
}

}  // namespace convscope::app
