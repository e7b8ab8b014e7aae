#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/compare/fixed_columns.h"
#include "app/session/file/fields.h"
#include "app/session/file/session_file.h"
#include "app/session/file/tokens.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/files/toml_table.h"
#include "kernels/layers/shape_fields.h"

namespace convscope::app {
namespace {

/// A path in the file begins at the file's folder.
std::string from_folder(const std::string& text, const std::filesystem::path& folder) {
    return text.empty() ? text : (folder / text).lexically_normal().string();
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
    constexpr std::int64_t max_size = 2147483647;
    bool same = false;
    for (const ShapeKey& key : layer_keys) {
        if (!key.second) continue;
        const auto numbers = table.sizes(key.name, max_numbers(key), min_of(key), max_size);
        if (numbers && numbers->empty()) same = true;
        if (numbers && !numbers->empty()) set_numbers(shape, key, *numbers);
    }
    if (table.has("pool")) shape.pool_stride = shape.pool_h;
    for (const ShapeField& field : shape_fields)
        table.read(field.name, shape.*field.member, field.pooling ? 0 : field.min, max_size);
    return same;
}

void read_workload(TomlTable table, WorkloadSpec& spec, const std::filesystem::path& folder) {
    const WorkloadSpec first = spec;
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
    if (!table.has("name") && spec != first) spec.name = "custom";
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

/// Reads a field by its type.
struct FieldReader : FieldVisitor {
    TomlTable& table;
    const std::filesystem::path& folder;
    std::string& device_name;  ///< which [measure] has as well

    template <class T>
    void operator()(const Field& field, T& value) const {
        const char* key = field.key;
        const FieldRules& rules = field.rules;
        if constexpr (HasFields<T>)
            read_all(table.section(key), value);
        else if constexpr (HasTokens<T>)
            table.read_named(key, value, all_named<T>());
        else if constexpr (std::is_enum_v<T>)
            value = table.parsed(key, parser(value)).value_or(value);
        else if constexpr (std::is_same_v<T, Dim3>)
            value = table.dims(key, 0).value_or(value);
        else if constexpr (std::is_floating_point_v<T>)
            table.read(key, value, rules.min, rules.max);
        else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
            table.read(key, value, whole(rules.min), whole(rules.max));
        else
            table.read(key, value);
        if constexpr (requires { find(value); })
            if (rules.path != PathKind::none && table.has(key)) find(value);
    }
    void operator()(const Field& field, Selection& selection) const {
        selection = {};
        read_all(table.section(field.key), selection);
    }
    void operator()(const Field& field, WorkloadSpec& spec) const {
        read_workload(table.section(field.key), spec, folder);
    }
    void operator()(const Field& field, std::tuple<CompareChoice&, RecordSource&>& both) const {
        TomlTable from = table.section(field.key);
        auto& [choice, records] = both;
        visit_fields(FieldReader{{}, from, folder, device_name}, choice);
        visit_fields(FieldReader{{}, from, folder, device_name}, records);
        TomlTable held = from.section("held");
        for (const char* column : fixable_columns) {
            std::string cell;
            held.read(column, cell);
            fix_at(choice, column, cell);
        }
        held.finish();
        from.finish();
        if (records.kind == RecordSource::Kind::files && records.files.empty())
            from.reject("records", "[compare] records is \"files\" without any in 'files'; accepted: a list of paths");
    }
    void operator()(const Field& field, std::map<std::string, LaunchConfig>& launches) const {
        launches.clear();
        auto tables = table.tables(field.key);
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
    void operator()(const Field& field, std::array<std::optional<ElementRef>, TabId::count>& pinned) const {
        pinned = {};
        auto tables = table.tables(field.key);
        for (TomlTable& pin : *tables) {
            TabId tab = "ecr";
            ElementRef element;
            pin.read_named("tab", tab, all_named<TabId>());
            pin.read_named("array", element.array, all_named<ArrayId>());
            pin.read("row", element.cell.row, 0);
            pin.read("col", element.cell.col, 0);
            pin.finish();
            pinned[tab.index()] = element;
        }
    }
    void operator()(const Field& field, std::optional<Format>& format) const {
        if (const auto found = table.parsed(field.key, parse_format)) format = found;
    }
    /// Steps and block rows are counted from 1, as on screen.
    void operator()(const Field& field, std::optional<std::int64_t>& index) const {
        if (table.has(field.key)) index = from_1(field.key, 0);
    }
    void operator()(const Field&, SolutionChoice& solution) const {
        table.read_named("solution", solution.b, std::vector<Named<bool>>{{"a", false}, {"b", true}});
        solution.product = from_1("solution_step", solution.product);
    }
    /// An array that its tab does not have gives way to the tab's first when it is shown.
    void operator()(const Field&, std::array<LayerArray, layer_tabs>& arrays) const {
        for (std::size_t i = 0; i < layer_tabs; ++i)
            table.read_named(tab_table[i].id, arrays[i], all_named<LayerArray>());
    }
    void operator()(const Field& field, std::optional<InputElement>& element) const {
        element.reset();
        if (table.has(field.key)) read_all(table.section(field.key), element.emplace());
    }
    void operator()(const Field& field, std::array<StepSide, 2>& sides) const {
        const auto tables = table.tables(field.key);
        if (!tables) return;
        if (tables->size() > sides.size()) table.reject(field.key, "[step] has more than two sides");
        sides = {};
        for (std::size_t i = 0; i < tables->size(); ++i) read_all((*tables)[i], sides[i]);
    }
    void operator()(const Field& field, StepMarks& marks) const {
        if (const auto lines = table.texts(field.key)) {
            marks.breakpoints.clear();
            for (const std::string& each : *lines) {
                const std::optional<CodeLine> at = parse_code_line(each);
                if (!at)
                    table.reject(field.key, fmt::format("[step] breakpoints has '{}'; accepted: \"FILE:LINE\", as "
                                                        "\"kernels/ecr/ecr1_kernel.h:40\"",
                                                        each));
                marks.breakpoints.insert(*at);
            }
        }
        const auto watches = table.texts("watches");
        if (!watches) return;
        const auto fits = [](const std::string& each) { return each.size() <= max_watch_letters; };
        if (watches->size() > max_watches || !std::ranges::all_of(*watches, fits))
            table.reject("watches", fmt::format("[step] has more than {} watches, or one of more than {} letters",
                                                max_watches, max_watch_letters));
        marks.watches = *watches;
    }
    void operator()(const Field& field, std::optional<std::vector<SweepAxis>>& axes) const {
        const auto tables = table.tables(field.key);
        if (!tables) return;
        axes.emplace();
        for (const TomlTable& one : *tables) read_all(one, axes->emplace_back());
    }
    void operator()(const Field& field, std::map<std::string, std::string>& given) const {
        for (const std::string& each : table.texts(field.key).value_or(TomlTable::Strings{})) {
            const std::size_t equals = each.find('=');
            if (equals == std::string::npos)
                table.reject(field.key,
                             fmt::format("[kernel] given has '{}'; accepted: \"NAME=VALUE\", as \"n=1000\"", each));
            given[each.substr(0, equals)] = each.substr(equals + 1);
        }
    }

private:
    template <class Choice>
    void read_all(TomlTable from, Choice& choice) const {
        visit_fields(FieldReader{{}, from, folder, device_name}, choice);
        if constexpr (std::is_same_v<Choice, Choices>) from.read("device_name", device_name);
        if constexpr (std::is_same_v<Choice, KernelChoice>)
            if (!choice.file.empty() && !choice.method.empty())
                from.reject("method", "[kernel] has a file and a method; accepted is one of them");
        from.finish();
    }
    static auto parser(TimingScope) { return parse_scope; }
    static auto parser(CacheMode) { return parse_cache; }
    static auto parser(MatrixOf) { return parse_matrix_of; }
    void find(std::string& path) const { path = from_folder(path, folder); }
    void find(std::vector<std::string>& paths) const {
        for (std::string& each : paths) find(each);
    }
    static std::int64_t whole(double limit) {
        if (std::isinf(limit)) return limit < 0 ? TomlTable::lowest : TomlTable::no_limit;
        return static_cast<std::int64_t>(limit);
    }
    std::int64_t from_1(const char* key, std::int64_t index) const {
        return table.integer(key, 1).value_or(index + 1) - 1;
    }
};

/// All of a state but the scenes. What the file has no table of is as in 'above'; what is left out of one that it has
/// is as in 'default_value'.
void read_state(TomlTable& top, SessionFile& file, const std::filesystem::path& folder, const SessionState& above,
                const SessionState& default_value) {
    const FieldReader reader{{}, top, folder, file.device_name};
    const auto read = [&](const Field& field, auto&& value, const auto& in_above, const auto& in_default) {
        const bool has = top.node(field.key) != nullptr;
        value = has ? in_default : in_above;
        if (has) reader(field, value);
    };
    visit_fields(read, file.state, above, default_value);
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
        read_state(one, file, folder, session, default_value);
        one.finish();
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
    read_state(top, read.file, folder, default_value, default_value);
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
