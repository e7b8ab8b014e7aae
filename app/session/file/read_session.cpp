#include <fmt/format.h>
#include <toml++/toml.h>

#include <charconv>
#include <limits>

#include "app/compare/held.h"
#include "app/session/file/session_file.h"
#include "app/session/file/toml_section.h"
#include "kernels/core/error.h"
#include "kernels/core/shape_fields.h"
#include "kernels/core/text_file.h"

namespace convscope::app {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// A path in the file begins at the file's folder.
std::string from_folder(const std::string& text, const std::filesystem::path& folder) {
    return text.empty() ? text : (folder / text).lexically_normal().string();
}

std::vector<Named<ArrayId>> array_names() {
    std::vector<Named<ArrayId>> names;
    for (std::size_t i = 0; i < array_count; ++i)
        names.push_back({to_string(static_cast<ArrayId>(i)), static_cast<ArrayId>(i)});
    return names;
}

std::vector<Named<Source>> source_names() {
    std::vector<Named<Source>> names;
    for (const Source source : {Source::uniform, Source::blobs, Source::channels, Source::file, Source::example})
        names.push_back({to_string(source), source});
    return names;
}

void read_seed(TomlSection& table, std::uint64_t& seed) {
    if (!table.has("seed")) return;
    try {
        std::int64_t number = 0;
        table.whole("seed", number, 0, no_limit);
        seed = static_cast<std::uint64_t>(number);
    } catch (const Error&) {
        std::string digits;  // beyond TOML's numbers
        try {
            table.text("seed", digits);
        } catch (const Error&) {
        }
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
        if (digits.empty() || problem != std::errc() || end != digits.data() + digits.size())
            table.reject("seed", fmt::format("[workload] seed must be a whole number from 0 to {}",
                                             std::numeric_limits<std::uint64_t>::max()));
    }
}

/// By the names of ConvShape, or as presets and the command line have them: one number, or two, for both directions.
void read_shape(TomlSection& table, ConvShape& shape) {
    constexpr std::int64_t max_size = std::int64_t{1} << 31;
    for (const ShapeKey& key : layer_keys)
        if (key.second) table.pair(key.name, shape.*key.first, shape.*key.second, min_of(key), max_size);
    if (table.has("pool")) shape.pool_stride = shape.pool_h;
    for (const ShapeField& field : shape_fields) table.whole(field.name, shape.*field.member, 0, max_size);
}

void read_workload(TomlSection table, WorkloadSpec& spec, const std::filesystem::path& folder) {
    table.text("name", spec.name);
    read_shape(table, spec.shape);
    table.named("source", spec.source, source_names());
    table.real("sparsity", spec.sparsity, 0, 1);
    read_seed(table, spec.seed);
    const bool given = table.has("source");
    if (given) spec.input_path = spec.weights_path = "";
    if (given) spec.example_x = spec.example_w = {};
    table.text("input", spec.input_path);
    table.text("weights", spec.weights_path);
    spec.input_path = from_folder(spec.input_path, folder);
    spec.weights_path = from_folder(spec.weights_path, folder);
    table.numbers("example_x", spec.example_x);
    table.numbers("example_w", spec.example_w);
    table.finish();
    try {
        validate(spec.shape);
    } catch (const Error& error) {
        table.reject("", fmt::format("[workload] cannot be: {}", error.what()));
    }
    const bool values_fit = static_cast<std::int64_t>(spec.example_x.size()) == spec.shape.x_elements() &&
                            static_cast<std::int64_t>(spec.example_w.size()) == spec.shape.w_elements();
    if (spec.source == Source::example && !values_fit)
        table.reject("example_x",
                     fmt::format("[workload] has {} and {} values in example_x and example_w; the shape has {} and {}",
                                 spec.example_x.size(), spec.example_w.size(), spec.shape.x_elements(),
                                 spec.shape.w_elements()));
    if (spec.source == Source::file && spec.input_path.empty())
        table.reject("source", "[workload] source is \"file\" without an input; give the path of a .npy file");
}

void read_selection(TomlSection table, Selection& selection) {
    table.whole("image", selection.image, 0, no_limit);
    table.whole("channel", selection.channel, 0, no_limit);
    table.whole("filter", selection.filter, 0, no_limit);
    table.finish();
}

void read_measure(TomlSection table, SessionFile& file) {
    Choices& choices = file.state.choices;
    table.text("device", choices.device);
    table.text("device_name", file.device_name);
    table.text("occupancy_model", choices.occupancy_model);
    table.text("method", choices.method);
    table.texts("methods", choices.live_methods);
    table.word("scope", [&](const std::string& word) { choices.scope = parse_scope(word); });
    table.word("cache", [&](const std::string& word) { choices.cache = parse_cache(word); });
    table.finish();
}

/// "TW=4", as the command line's --set has it.
void read_tunables(TomlSection& table, std::map<std::string, std::int64_t>& tunables) {
    std::optional<std::vector<std::string>> list;
    table.texts("tunables", list);
    for (const std::string& each : list.value_or(std::vector<std::string>{})) {
        const std::size_t at = each.rfind('=');
        std::int64_t value = 0;
        const char* end = each.data() + each.size();
        const bool reads = at != std::string::npos && at > 0 &&
                           std::from_chars(each.data() + at + 1, end, value).ptr == end && at + 1 < each.size();
        if (!reads)
            table.reject(
                "tunables",
                fmt::format("[[launch]] tunables has '{}'; accepted: \"NAME=VALUE\" with a whole number", each));
        tunables[each.substr(0, at)] = value;
    }
}

void read_launches(TomlSection& top, std::map<std::string, LaunchConfig>& launches) {
    auto tables = top.sections("launch");
    if (!tables) return;
    launches.clear();
    for (TomlSection& one : *tables) {
        std::string method;
        LaunchConfig config;
        one.text("method", method);
        one.dims("block", config.block, 1);
        one.dims("grid", config.grid, 1);
        read_tunables(one, config.tunables);
        one.finish();
        if (method.empty()) one.reject("method", "[[launch]] has no method; accepted: its id, as \"ecr1\"");
        launches[method] = std::move(config);
    }
}

void read_pins(TomlSection& top, SessionState& state) {
    auto pins = top.sections("pin");
    if (!pins) return;
    state.pinned = {};
    for (TomlSection& table : *pins) {
        TabId tab = "ecr";
        ElementRef element;
        table.named("tab", tab, all_named<TabId>());
        table.named("array", element.array, array_names());
        table.whole("row", element.cell.row, 0, no_limit);
        table.whole("col", element.cell.col, 0, no_limit);
        table.finish();
        state.pinned[tab.index()] = element;
    }
}

void read_layer(TomlSection table, LayerChoice& choice) {
    table.flag("whole", choice.whole);
    table.named("below_a_pixel", choice.aggregate, all_named<Aggregate>(aggregate_count));
    table.named("below_a_pixel_of_a_map", choice.map_aggregate, all_named<Aggregate>(aggregate_count));
    // An array that its tab does not have gives way to the tab's first when it is shown.
    for (std::size_t i = 0; i < layer_tabs; ++i)
        table.named(tab_table[i].id, choice.array[i], all_named<LayerArray>(layer_array_count));
    choice.pinned.reset();
    if (table.has("pinned")) {
        TomlSection pin = table.section("pinned");
        InputElement element;
        pin.whole("image", element.n, 0, no_limit);
        pin.whole("channel", element.c, 0, no_limit);
        pin.whole("row", element.h, 0, no_limit);
        pin.whole("col", element.w, 0, no_limit);
        pin.finish();
        choice.pinned = element;
    }
    table.finish();
}

/// Steps and block rows are counted from 1, as on screen.
void read_pages(TomlSection table, PageChoice& pages) {
    table.word("beside", [&](const std::string& word) { pages.beside = parse_format(word); });
    if (table.has("solution")) {
        bool b = false;
        table.named("solution", b, {{"a", false}, {"b", true}});
        pages.solution.b = b;
    }
    const auto from_1 = [&](const char* key, std::int64_t& index) {
        std::int64_t number = index + 1;
        table.whole(key, number, 1, no_limit);
        index = number - 1;
    };
    from_1("solution_step", pages.solution.product);
    from_1("block_row", pages.balance.block);
    table.flag("zeros_by_channel", pages.balance.by_channel);
    table.finish();
}

void read_steps(TomlSection table, SessionState& state) {
    table.text("beside", state.step_beside);
    table.real("speed", state.step_speed, 0.1, 10000);
    if (auto sides = table.sections("side")) {
        if (sides->size() > 2) table.reject("side", "[step] has more than two sides");
        state.step_sides = {};
        for (std::size_t i = 0; i < sides->size(); ++i) {
            TomlSection& one = (*sides)[i];
            StepSide& side = state.step_sides[i];
            std::int64_t thread = side.thread, steps = 1;
            std::optional<Dim3> block;
            one.text("kernel", side.kernel);
            one.dims("block", block, 0);
            one.whole("thread", thread, 0, 1023);
            one.whole("steps", steps, 0, no_limit);
            one.finish();
            if (block) side.block = *block;
            side.thread = static_cast<unsigned>(thread);
            side.done = static_cast<std::size_t>(steps);
        }
    }
    table.finish();
}

void read_comparison(TomlSection table, SessionState& state, const std::filesystem::path& folder) {
    CompareChoice& choice = state.compare;
    table.named("page", choice.page, all_named<ComparePage>());
    table.text("query", choice.query);
    table.text("scope", choice.scope);
    table.text("layer", choice.layer);
    table.text("x", choice.x);
    table.text("y", choice.y);
    table.text("map_x", choice.map_x);
    table.text("map_y", choice.map_y);
    table.flag("dense", choice.dense);
    table.text("sort", choice.sort);
    table.flag("descending", choice.descending);
    table.text("before", choice.before);
    table.text("after", choice.after);
    TomlSection held = table.section("held");
    for (const char* column : held_columns) {
        std::string cell;
        held.text(column, cell);
        hold_at(choice, column, cell);
    }
    held.finish();
    table.named("records", state.records.kind, all_named<RecordSource::Kind>(4));
    table.text("recorded", state.records.name);
    std::optional<std::vector<std::string>> beside;
    table.texts("recorded_beside", beside);
    if (beside) state.records.beside = std::move(*beside);
    std::optional<std::vector<std::string>> files;
    table.texts("files", files);
    if (files)
        for (std::string& each : *files) state.records.files.push_back(from_folder(each, folder));
    table.finish();
    if (state.records.kind == RecordSource::Kind::files && state.records.files.empty())
        table.reject("records", "[compare] records is \"files\" without any in 'files'; accepted: a list of paths");
}

void read_sweep(TomlSection table, SweepChoice& choice) {
    table.real("timeout_s", choice.timeout_s, 0.001, 3600);
    table.named("metric", choice.metric, all_named<SweepMetric>(sweep_metric_count));
    table.named("pane", choice.pane, all_named<SweepPane>(sweep_pane_count));
    table.texts("methods", choice.methods);
    table.text("method", choice.method);
    table.text("filter", choice.query);
    table.text("csv", choice.csv_path);
    if (auto axes = table.sections("axis")) {
        choice.axes.emplace();
        for (TomlSection& one : *axes) {
            SweepAxis axis;
            one.named("vary", axis.kind, all_named<SweepKind>(sweep_kind_count));
            one.text("tunable", axis.tunable);
            one.text("values", axis.values);
            one.finish();
            choice.axes->push_back(std::move(axis));
        }
    }
    table.finish();
}

void read_network(TomlSection table, NetworkChoice& choice) {
    table.text("name", choice.name);
    table.whole("n", choice.n, 1, 4096);
    table.flag("chain", choice.chain);
    table.texts("methods", choice.methods);
    table.real("timeout_s", choice.timeout_s, 0.001, 3600);
    table.finish();
}

void check_version(TomlSection& top, const std::string& file) {
    std::int64_t version = 0;
    if (!top.has("version"))
        throw Error(ErrorKind::file, fmt::format("{} is no session: it has no 'version = {}'", file, session_version));
    top.whole("version", version, 1, no_limit);
    if (version > session_version)
        top.reject("version",
                   fmt::format("this is a session of version {}, and this convscope reads version {}; open it "
                               "with a newer convscope",
                               version, session_version));
}

}  // namespace

SessionRead read_session_text(const std::string& text, const std::filesystem::path& path,
                              const SessionState& standard) {
    toml::table parsed;
    try {
        parsed = toml::parse(text);
    } catch (const toml::parse_error& error) {
        throw Error(ErrorKind::file,
                    fmt::format("{}:{}:{} is no valid TOML: {}", path.string(), error.source().begin.line,
                                error.source().begin.column, error.description()));
    }
    SessionRead read;
    read.file.state = standard;
    SessionState& state = read.file.state;
    TomlReading reading{path.string(), {}};
    TomlSection top(&parsed, "", reading);
    check_version(top, path.string());
    std::error_code none;
    const std::filesystem::path folder = std::filesystem::absolute(path, none).parent_path();
    top.named("view", state.view, all_named<ViewId>());
    top.named("tab", state.tab, all_named<TabId>());
    top.text("saved_as", read.file.saved_as);
    read_workload(top.section("workload"), state.choices.workload, folder);
    read_selection(top.section("selection"), state.choices.selection);
    read_measure(top.section("measure"), read.file);
    read_launches(top, state.choices.launch);
    read_pins(top, state);
    read_layer(top.section("layer"), state.layer);
    read_pages(top.section("pages"), state.pages);
    read_steps(top.section("step"), state);
    read_comparison(top.section("compare"), state, folder);
    read_sweep(top.section("sweep"), state.sweep);
    read_network(top.section("network"), state.network);
    top.finish();
    read.notes = std::move(reading.notes);
    return read;
}

SessionRead read_session(const std::filesystem::path& path, const SessionState& standard) {
    return read_session_text(read_text_file(path), path, standard);
}

bool is_session_file(const std::filesystem::path& path) {
    return path.filename().string().ends_with(session_ending);
}

std::string session_name(const std::filesystem::path& path) {
    std::string name = path.filename().string();
    if (name.ends_with(session_ending)) name.resize(name.size() - std::string(session_ending).size());
    return name;
}

}  // namespace convscope::app
