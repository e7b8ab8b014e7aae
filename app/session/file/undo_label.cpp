#include "app/session/file/undo_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "app/session/file/fields.h"
#include "app/session/file/tokens.h"
#include "kernels/layers/shape_fields.h"

namespace convscope::app {
namespace {

using Words = std::vector<std::string>;
using Axes = std::optional<std::vector<SweepAxis>>;
using Ticks = std::optional<std::vector<std::string>>;

std::string shown(const std::string& text, const char* empty = "-") {
    return text.empty() ? empty : text;
}
template <class T>
std::string shown(const T& value, const char* = "") {
    if constexpr (std::is_same_v<T, bool>)
        return value ? "on" : "off";
    else if constexpr (std::is_arithmetic_v<T>)
        return fmt::format("{:.6g}", static_cast<double>(value));
    else if constexpr (requires { to_string(value); })
        return to_string(value);
    else
        return token(value);
}
template <class T>
std::string shown(const std::optional<T>& value, const char* empty) {
    return value ? shown(*value) : empty;
}

template <class T>
void add(Words& words, const char* what, const T& before, const T& after) {
    if (before == after) return;
    words.push_back(fmt::format("{} {} -> {}", what, shown(before), shown(after)));
}

/// The methods that were ticked or unticked; an unset list is automatic.
void add_ticks(Words& words, const char* what, const Ticks& before, const Ticks& after) {
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
        add(words, "weight pattern", before.weight_pattern, after.weight_pattern);
    else
        add(words, "weight zeros", zeros(before.weight_sparsity), zeros(after.weight_sparsity));
    add(words, "seed", before.seed, after.seed);
    if (words.empty()) add(words, "pattern", before.source, after.source);
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

/// Tells of the fields that differ, each by its type.
class Teller {
public:
    explicit Teller(Words& words) : words_(words) {}

    template <class T>
    void operator()(const Field& field, const T& before, const T& after) {
        if (!rest_follows_ && !(before == after)) tell(field, before, after);
    }
    template <class T>
    void rest_goes_with(const T& before, const T& after) {
        if (!(before == after)) rest_follows_ = true;
    }

private:
    template <class T>
    void tell(const Field& field, const T& before, const T& after) {
        if (!field.words) return;
        const char* empty = field.rules.empty;
        words_.push_back(fmt::format("{} {} -> {}", field.words, shown(before, empty), shown(after, empty)));
    }
    void tell(const Field& field, const std::string& before, const std::string& after) {
        const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
        if (field.rules.path == PathKind::by_file_name) return add(words_, field.words, name(before), name(after));
        tell<std::string>(field, before, after);
    }
    void tell(const Field& field, bool before, bool after) {
        if (!field.rules.on) return tell<bool>(field, before, after);
        words_.emplace_back(after ? field.rules.on : field.words);
    }
    void tell(const Field& field, const Ticks& before, const Ticks& after) {
        add_ticks(words_, field.words, before, after);
    }
    void tell(const Field& field, const std::map<std::string, std::string>&,
              const std::map<std::string, std::string>&) {
        words_.emplace_back(field.words);
    }
    void tell(const Field& field, const std::array<LayerArray, layer_tabs>& before,
              const std::array<LayerArray, layer_tabs>& after) {
        for (std::size_t i = 0; i < layer_tabs; ++i) add(words_, field.words, before[i], after[i]);
    }
    void tell(const Field&, const SolutionChoice& before, const SolutionChoice& after) {
        const auto name = [](const std::optional<bool>& is_b) { return !is_b ? "automatic" : *is_b ? "B" : "A"; };
        if (before.b != after.b)
            words_.push_back(fmt::format("solution {} -> {}", name(before.b), name(after.b)));
        else
            add(words_, "product", before.product + 1, after.product + 1);
    }
    void tell(const Field&, const std::array<StepSide, 2>& before, const std::array<StepSide, 2>& after) {
        const auto block = [](const Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); };
        for (std::size_t i = 0; i < before.size(); ++i) {
            const StepSide &a = before[i], &b = after[i];
            add(words_, "kernel", a.kernel, b.kernel);
            add(words_, "block", block(a.block), block(b.block));
            add(words_, "thread", a.thread, b.thread);
            // Two that go together are one.
            if (i == 0 || before[0].done == after[0].done) add(words_, "step", a.done, b.done);
        }
    }
    void tell(const Field&, const std::optional<InputElement>&, const std::optional<InputElement>&) {}  // add_pins does
    void tell(const Field&, const StepMarks& before, const StepMarks& after) { add_marks(words_, before, after); }
    void tell(const Field&, const Axes& before, const Axes& after) {
        const std::size_t told = words_.size();
        if (before && after && before->size() == after->size())
            for (std::size_t i = 0; i < before->size(); ++i) {
                const SweepAxis &a = (*before)[i], &b = (*after)[i];
                if (a.kind == b.kind && a.tunable == b.tunable) add(words_, token(b.kind), a.values, b.values);
            }
        if (words_.size() == told) words_.emplace_back("axes of the sweep");
    }

    Words& words_;
    bool rest_follows_ = false;  ///< from a field that differs
};

template <class Choice>
void add_fields(Words& words, const Choice& before, const Choice& after) {
    visit_fields(Teller(words), before, after);
}

std::string name_of(const RecordSource& source) {
    if (source.kind == RecordSource::Kind::recorded)
        return source.companions.empty() ? source.name : fmt::format("{} + {}", source.name, source.companions.size());
    if (source.kind == RecordSource::Kind::this_run) return "this run";
    if (source.files.empty()) return "the first";
    const std::string first = std::filesystem::path(source.files.front()).filename().string();
    return source.files.size() == 1 ? first : fmt::format("{} + {}", first, source.files.size() - 1);
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
    add_fields(words, before.pages, after.pages);
    add(words, "method", shown(a.method, "automatic"), shown(b.method, "automatic"));
    if (a.method != b.method) return words.back();
    add(words, "occupancy of", shown(a.occupancy_model, "the device"), shown(b.occupancy_model, "the device"));
    add_launches(words, a, b);
    add_ticks(words, "to measure", a.live_methods, b.live_methods);
    add(words, "what is timed", a.scope, b.scope);
    add(words, "cache", a.cache, b.cache);
    if (!other_layer) {
        add_fields(words, a.selection, b.selection);
        add_pins(words, before, after);
        const auto block = [](const std::optional<std::int64_t>& row) {
            return row ? std::to_string(*row + 1) : std::string("automatic");
        };
        add(words, "block row", block(before.pages.block), block(after.pages.block));
        add_fields(words, before.step, after.step);
    }
    add_fields(words, before.layer, after.layer);
    add(words, "records", name_of(before.records), name_of(after.records));
    add_fields(words, before.compare, after.compare);
    if (before.compare.fixed != after.compare.fixed) words.emplace_back("what the plots hold");
    add_fields(words, before.sweep, after.sweep);
    add_fields(words, before.network, after.network);
    add_fields(words, before.kernel, after.kernel);
    add_scenes(words, before.scenes, after.scenes);
    if (words.empty()) return before == after ? "" : "a change of the view";
    return words.size() == 1 ? words.front() : fmt::format("{} and {} more", words.front(), words.size() - 1);
}

}  // namespace convscope::app
