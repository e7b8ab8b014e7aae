#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "app/compare/fixed_columns.h"
#include "app/session/file/session_file.h"
#include "app/session/file/tokens.h"
#include "kernels/core/error.h"
#include "kernels/core/shape_fields.h"
#include "kernels/core/text_file.h"
#include "kernels/core/toml_table.h"

namespace convscope::app {
namespace {

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
    for (const Source source : zero_patterns) names.push_back({to_string(source), source});
    for (const Source source : {Source::file, Source::example}) names.push_back({to_string(source), source});
    return names;
}

void read_seed(TomlTable& table, std::uint64_t& seed) {
    const toml::node* node = table.node("seed");
    if (!node || !node->is_string()) return table.read("seed", seed, 0);
    const std::string digits = node->as_string()->get();  // beyond TOML's numbers
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    if (digits.empty() || problem != std::errc() || end != digits.data() + digits.size())
        table.reject("seed", fmt::format("'seed' must be a whole number from 0 to {}",
                                         std::numeric_limits<std::uint64_t>::max()));
}

/// By the names of ConvShape, or as presets and the command line have them: one number, or several, for all directions.
/// True where the padding is "same", which follows from the shape.
bool read_shape(TomlTable& table, ConvShape& shape) {
    constexpr std::int64_t max_size = std::int64_t{1} << 31;
    bool same = false;
    for (const ShapeKey& key : layer_keys) {
        if (!key.second) continue;
        const auto numbers = table.sizes(key.name, max_numbers(key), min_of(key), max_size);
        if (numbers && numbers->empty()) same = true;
        if (numbers && !numbers->empty()) set_numbers(shape, key, *numbers);
    }
    if (table.has("pool")) shape.pool_stride = shape.pool_h;
    for (const ShapeField& field : shape_fields)
        table.read(field.name, shape.*field.member, field.added ? -max_size : 0, max_size);
    return same;
}

void read_workload(TomlTable table, WorkloadSpec& spec, const std::filesystem::path& folder) {
    table.read("name", spec.name);
    const bool same = read_shape(table, spec.shape);
    table.read_named("source", spec.source, source_names());
    table.read("sparsity", spec.sparsity, 0, 1);
    spec.weight_pattern = table.parsed("weight_pattern", parse_weight_pattern).value_or(spec.weight_pattern);
    table.read("weight_sparsity", spec.weight_sparsity, 0, 1);
    read_seed(table, spec.seed);
    const bool given = table.has("source");
    if (given) spec.input_path = spec.weights_path = "";
    if (given) spec.example_x = spec.example_w = {};
    table.read("input", spec.input_path);
    table.read("weights", spec.weights_path);
    spec.input_path = from_folder(spec.input_path, folder);
    spec.weights_path = from_folder(spec.weights_path, folder);
    table.read("example_x", spec.example_x);
    table.read("example_w", spec.example_w);
    table.finish();
    try {
        if (same) pad_same(spec.shape);
        validate(spec);
    } catch (const Error& error) {
        table.reject("", fmt::format("[workload] cannot be: {}", error.what()));
    }
    const bool values_fit = static_cast<std::int64_t>(spec.example_x.size()) == spec.shape.x_elements() &&
                            static_cast<std::int64_t>(spec.example_w.size()) == spec.shape.w_elements();
    // The first screen's values are for its own shape: another one, with nothing said of data, has data drawn.
    if (spec.source == Source::example && !values_fit && !given && !table.has("example_x") && !table.has("example_w")) {
        spec.source = Source::uniform;
        spec.example_x = spec.example_w = {};
    }
    if (spec.source == Source::example && !values_fit)
        table.reject("example_x",
                     fmt::format("[workload] has {} and {} values in example_x and example_w; the shape has {} and {}",
                                 spec.example_x.size(), spec.example_w.size(), spec.shape.x_elements(),
                                 spec.shape.w_elements()));
    if (spec.source == Source::file && spec.input_path.empty())
        table.reject("source", "[workload] source is \"file\" without an input; give the path of a .npy file");
}

void read_selection(TomlTable table, Selection& selection) {
    table.read("image", selection.image, 0);
    table.read("channel", selection.channel, 0);
    table.read("filter", selection.filter, 0);
    table.read("automatic", selection.automatic);
    table.finish();
}

void read_measure(TomlTable table, SessionFile& file) {
    Choices& choices = file.state.choices;
    table.read("device", choices.device);
    table.read("device_name", file.device_name);
    table.read("occupancy_model", choices.occupancy_model);
    table.read("method", choices.method);
    table.read("methods", choices.live_methods);
    choices.scope = table.parsed("scope", parse_scope).value_or(choices.scope);
    choices.cache = table.parsed("cache", parse_cache).value_or(choices.cache);
    table.finish();
}

/// "TW=4", as the command line's --set has it.
void read_tunables(TomlTable& table, std::map<std::string, std::int64_t>& tunables) {
    for (const std::string& each : table.texts("tunables").value_or(TomlTable::Strings{})) {
        const std::size_t at = each.rfind('=');
        std::int64_t value = 0;
        const char* end = each.data() + each.size();
        const auto read = [&] { return std::from_chars(each.data() + at + 1, end, value); };
        if (at == std::string::npos || at == 0 || read().ec != std::errc() || read().ptr != end)
            table.reject(
                "tunables",
                fmt::format("[[launch]] tunables has '{}'; accepted: \"NAME=VALUE\" with a whole number", each));
        tunables[each.substr(0, at)] = value;
    }
}

void read_launches(TomlTable& top, std::map<std::string, LaunchConfig>& launches) {
    auto tables = top.tables("launch");
    if (!tables) return;
    launches.clear();
    for (TomlTable& one : *tables) {
        std::string method;
        LaunchConfig config;
        one.read("method", method);
        config.block = one.dims("block", 1);
        config.grid = one.dims("grid", 1);
        read_tunables(one, config.tunables);
        one.finish();
        if (method.empty()) one.reject("method", "[[launch]] has no method; accepted: its id, as \"ecr1\"");
        launches[method] = std::move(config);
    }
}

void read_pins(TomlTable& top, SessionState& state) {
    auto pins = top.tables("pin");
    if (!pins) return;
    state.pinned = {};
    for (TomlTable& table : *pins) {
        TabId tab = "ecr";
        ElementRef element;
        table.read_named("tab", tab, all_named<TabId>());
        table.read_named("array", element.array, array_names());
        table.read("row", element.cell.row, 0);
        table.read("col", element.cell.col, 0);
        table.finish();
        state.pinned[tab.index()] = element;
    }
}

void read_layer(TomlTable table, LayerChoice& choice) {
    table.read("whole", choice.whole);
    table.read_named("below_a_pixel", choice.aggregate, all_named<Aggregate>(aggregate_count));
    table.read_named("below_a_pixel_of_a_map", choice.map_aggregate, all_named<Aggregate>(aggregate_count));
    // An array that its tab does not have gives way to the tab's first when it is shown.
    for (std::size_t i = 0; i < layer_tabs; ++i)
        table.read_named(tab_table[i].id, choice.array[i], all_named<LayerArray>(layer_array_count));
    choice.pinned.reset();
    if (table.has("pinned")) {
        TomlTable pin = table.section("pinned");
        InputElement element;
        pin.read("image", element.n, 0);
        pin.read("channel", element.c, 0);
        pin.read("row", element.h, 0);
        pin.read("col", element.w, 0);
        pin.finish();
        choice.pinned = element;
    }
    table.finish();
}

/// Steps and block rows are counted from 1, as on screen.
void read_pages(TomlTable table, PageChoice& pages) {
    if (const auto companion = table.parsed("beside", parse_format)) pages.companion = *companion;
    table.read_named("solution", pages.solution.b, std::vector<Named<bool>>{{"a", false}, {"b", true}});
    const auto from_1 = [&](const char* key, std::int64_t& index) {
        std::int64_t number = index + 1;
        table.read(key, number, 1);
        index = number - 1;
    };
    from_1("solution_step", pages.solution.product);
    if (table.has("block_row")) from_1("block_row", pages.block.emplace(0));
    table.read("zeros_by_channel", pages.balance.by_channel);
    if (const auto of = table.parsed("formats_of", parse_matrix_of)) pages.formats.of = *of;
    table.read("format", pages.formats.format);
    table.finish();
}

void read_marks(TomlTable& table, StepMarks& marks) {
    if (const auto lines = table.texts("breakpoints")) {
        marks.breakpoints.clear();
        for (const std::string& each : *lines) {
            const std::optional<CodeLine> at = parse_code_line(each);
            if (!at)
                table.reject("breakpoints", fmt::format("[step] breakpoints has '{}'; accepted: \"FILE:LINE\", as "
                                                        "\"kernels/ecr/ecr1_kernel.h:40\"",
                                                        each));
            marks.breakpoints.insert(*at);
        }
    }
    const auto watches = table.texts("watches");
    if (!watches) return;
    const bool fit = watches->size() <= max_watches &&
                     std::ranges::all_of(*watches, [](const auto& each) { return each.size() <= max_watch_letters; });
    if (!fit)
        table.reject("watches", fmt::format("[step] has more than {} watches, or one of more than {} letters",
                                            max_watches, max_watch_letters));
    marks.watches = *watches;
}

void read_steps(TomlTable table, SessionState& state) {
    table.read("beside", state.step.companion);
    table.read("slice", state.step.slice);
    table.read("speed", state.step.speed, 0.1, 10000);
    read_marks(table, state.step.marks);
    if (auto sides = table.tables("side")) {
        if (sides->size() > 2) table.reject("side", "[step] has more than two sides");
        state.step.sides = {};
        for (std::size_t i = 0; i < sides->size(); ++i) {
            TomlTable& one = (*sides)[i];
            StepSide& side = state.step.sides[i];
            std::int64_t thread = side.thread, steps = 1;
            one.read("kernel", side.kernel);
            side.block = one.dims("block", 0).value_or(side.block);
            one.read("thread", thread, 0, 1023);
            one.read("steps", steps, 0);
            one.finish();
            side.thread = static_cast<unsigned>(thread);
            side.done = static_cast<std::size_t>(steps);
        }
    }
    table.finish();
}

void read_comparison(TomlTable table, SessionState& state, const std::filesystem::path& folder) {
    CompareChoice& choice = state.compare;
    table.read_named("page", choice.page, all_named<ComparePage>());
    table.read("query", choice.query);
    table.read("scope", choice.scope);
    table.read("layer", choice.layer);
    table.read("x", choice.x);
    table.read("y", choice.y);
    table.read("map_x", choice.map_x);
    table.read("map_y", choice.map_y);
    table.read("dense", choice.dense);
    table.read("sort", choice.sort);
    table.read("descending", choice.descending);
    table.read("before", choice.before);
    table.read("after", choice.after);
    TomlTable held = table.section("held");
    for (const char* column : fixable_columns) {
        std::string cell;
        held.read(column, cell);
        fix_at(choice, column, cell);
    }
    held.finish();
    table.read_named("records", state.records.kind, all_named<RecordSource::Kind>(4));
    table.read("recorded", state.records.name);
    table.read("recorded_beside", state.records.companions);
    for (const std::string& each : table.texts("files").value_or(TomlTable::Strings{}))
        state.records.files.push_back(from_folder(each, folder));
    table.finish();
    if (state.records.kind == RecordSource::Kind::files && state.records.files.empty())
        table.reject("records", "[compare] records is \"files\" without any in 'files'; accepted: a list of paths");
}

void read_sweep(TomlTable table, SweepChoice& choice, const std::filesystem::path& folder) {
    table.read("timeout_s", choice.timeout_s, 0.001, 3600);
    table.read_named("metric", choice.metric, all_named<SweepMetric>(sweep_metric_count));
    table.read_named("pane", choice.pane, all_named<SweepPane>(sweep_pane_count));
    table.read("methods", choice.methods);
    table.read("method", choice.method);
    table.read("filter", choice.query);
    table.read("recorded", choice.recorded);
    table.read("csv", choice.csv_path);
    choice.csv_path = from_folder(choice.csv_path, folder);
    if (auto axes = table.tables("axis")) {
        choice.axes.emplace();
        for (TomlTable& one : *axes) {
            SweepAxis axis;
            one.read_named("vary", axis.kind, all_named<SweepKind>(sweep_kind_count));
            one.read("tunable", axis.tunable);
            one.read("values", axis.values);
            one.finish();
            choice.axes->push_back(std::move(axis));
        }
    }
    table.finish();
}

void read_network(TomlTable table, NetworkChoice& choice) {
    table.read("name", choice.name);
    table.read("n", choice.n, 1, 4096);
    table.read("chain", choice.chain);
    table.read("methods", choice.methods);
    table.read("timeout_s", choice.timeout_s, 0.001, 3600);
    table.finish();
}

void read_kernel(TomlTable table, KernelChoice& choice, const std::filesystem::path& folder) {
    std::int64_t lane = choice.lane, steps = static_cast<std::int64_t>(choice.step), launch = 0;
    table.read("file", choice.file);
    choice.file = from_folder(choice.file, folder);
    table.read("method", choice.method);
    if (!choice.file.empty() && !choice.method.empty())
        table.reject("method", "[kernel] has a file and a method; accepted is one of them");
    table.read("entry", choice.entry);
    table.read_named("count", choice.count, all_named<LineCount>(line_count_count));
    table.read("ptx", choice.ptx);
    table.read("sass", choice.sass);
    choice.block = table.dims("block", 0).value_or(choice.block);
    table.read("warp", choice.warp, 0, 31);
    table.read("lane", lane, 0, 31);
    table.read("steps", steps, 0, static_cast<std::int64_t>(max_line_step));
    table.read("launch", launch, 0, static_cast<std::int64_t>(max_launch));
    for (const std::string& each : table.texts("given").value_or(TomlTable::Strings{})) {
        const std::size_t equals = each.find('=');
        if (equals == std::string::npos)
            table.reject("given",
                         fmt::format("[kernel] given has '{}'; accepted: \"NAME=VALUE\", as \"n=1000\"", each));
        choice.given[each.substr(0, equals)] = each.substr(equals + 1);
    }
    table.finish();
    choice.lane = static_cast<unsigned>(lane);
    choice.step = static_cast<std::size_t>(steps);
    choice.launch = static_cast<std::size_t>(launch);
}

/// The part of a state that a table of the file, or a value of its top, holds.
struct StatePart {
    const char* name;
    void (*read)(TomlTable& top, SessionFile&, const std::filesystem::path& folder);
    void (*copy)(SessionState& to, const SessionState& from);
};

template <auto... members>
void copy(SessionState& to, const SessionState& from) {
    ((to.*members = from.*members), ...);
}
template <auto... members>
void copy_choices(SessionState& to, const SessionState& from) {
    ((to.choices.*members = from.choices.*members), ...);
}

using Folder = const std::filesystem::path&;
using State = SessionState;

/// All of it but the scenes.
constexpr StatePart state_parts[] = {
    {"view",
     [](TomlTable& top, SessionFile& file, Folder) { top.read_named("view", file.state.view, all_named<ViewId>()); },
     copy<&State::view>},
    {"tab",
     [](TomlTable& top, SessionFile& file, Folder) { top.read_named("tab", file.state.tab, all_named<TabId>()); },
     copy<&State::tab>},
    {"workload",
     [](TomlTable& top, SessionFile& file, Folder folder) {
         read_workload(top.section("workload"), file.state.choices.workload, folder);
     },
     copy_choices<&Choices::workload>},
    {"selection",
     [](TomlTable& top, SessionFile& file, Folder) {
         if (top.has("selection")) file.state.choices.selection = {};
         read_selection(top.section("selection"), file.state.choices.selection);
     },
     copy_choices<&Choices::selection>},
    {"measure", [](TomlTable& top, SessionFile& file, Folder) { read_measure(top.section("measure"), file); },
     copy_choices<&Choices::device, &Choices::occupancy_model, &Choices::method, &Choices::live_methods,
                  &Choices::scope, &Choices::cache>},
    {"launch", [](TomlTable& top, SessionFile& file, Folder) { read_launches(top, file.state.choices.launch); },
     copy_choices<&Choices::launch>},
    {"pin", [](TomlTable& top, SessionFile& file, Folder) { read_pins(top, file.state); }, copy<&State::pinned>},
    {"layer", [](TomlTable& top, SessionFile& file, Folder) { read_layer(top.section("layer"), file.state.layer); },
     copy<&State::layer>},
    {"pages", [](TomlTable& top, SessionFile& file, Folder) { read_pages(top.section("pages"), file.state.pages); },
     copy<&State::pages>},
    {"step", [](TomlTable& top, SessionFile& file, Folder) { read_steps(top.section("step"), file.state); },
     copy<&State::step>},
    {"compare",
     [](TomlTable& top, SessionFile& file, Folder folder) {
         read_comparison(top.section("compare"), file.state, folder);
     },
     copy<&State::compare, &State::records>},
    {"sweep",
     [](TomlTable& top, SessionFile& file, Folder folder) {
         read_sweep(top.section("sweep"), file.state.sweep, folder);
     },
     copy<&State::sweep>},
    {"network",
     [](TomlTable& top, SessionFile& file, Folder) { read_network(top.section("network"), file.state.network); },
     copy<&State::network>},
    {"kernel",
     [](TomlTable& top, SessionFile& file, Folder folder) {
         if (top.has("kernel")) read_kernel(top.section("kernel"), file.state.kernel, folder);
     },
     copy<&State::kernel>},
};

void read_state(TomlTable& top, SessionFile& file, const std::filesystem::path& folder) {
    for (const StatePart& part : state_parts) part.read(top, file, folder);
}

/// A table that a scene has not got is as in the session; of one that it has, what is left out is as on the first
/// screen.
void read_scenes(TomlTable& top, SessionState& session, const std::filesystem::path& folder,
                 const SessionState& default_value) {
    auto tables = top.tables("scene");
    if (!tables) return;
    if (tables->size() > max_scenes)
        top.reject("scene", fmt::format("there are {} scenes; accepted are up to {}", tables->size(), max_scenes));
    std::vector<SavedScene> scenes;
    for (TomlTable& one : *tables) {
        std::string title;
        one.read("title", title);
        if (title.size() > max_title_bytes)
            one.reject("title", fmt::format("the title of this scene has {} bytes; accepted are up to {}", title.size(),
                                            max_title_bytes));
        SessionFile file{default_value, {}, {}};
        read_state(one, file, folder);
        one.finish();
        for (const StatePart& part : state_parts)
            if (!one.has(part.name)) part.copy(file.state, session);
        scenes.push_back({std::move(title), std::move(file.state)});
    }
    session.scenes.set(std::move(scenes));
}

void check_version(TomlTable& top, const std::string& file) {
    std::int64_t version = 0;
    if (!top.has("version"))
        throw Error(ErrorKind::file,
                    fmt::format("{} is not a session: it has no 'version = {}'", file, session_version));
    top.read("version", version, 1);
    if (version > session_version)
        top.reject("version",
                   fmt::format("this is a session of version {}, and this convscope reads version {}; open it "
                               "with a newer convscope",
                               version, session_version));
}

}  // namespace

SessionRead read_session_text(const std::string& text, const std::filesystem::path& path,
                              const SessionState& default_value) {
    const toml::table parsed = parse_toml(text, path.string());
    SessionRead read;
    read.file.state = default_value;
    const auto ignore = [&](const toml::source_region& at, const std::string& sentence) {
        read.notes.push_back(
            fmt::format("{}:{}:{}: {}; it is ignored", path.string(), at.begin.line, at.begin.column, sentence));
    };
    TomlTable top(parsed, "session", {.file = path.string(), .unknown = ignore});
    check_version(top, path.string());
    std::error_code none;
    const std::filesystem::path folder = std::filesystem::absolute(path, none).parent_path();
    top.read("saved_as", read.file.saved_as);
    read_state(top, read.file, folder);
    read_scenes(top, read.file.state, folder, default_value);
    top.finish();
    return read;
}

SessionRead read_session(const std::filesystem::path& path, const SessionState& default_value) {
    return read_session_text(read_text_file(path), path, default_value);
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
