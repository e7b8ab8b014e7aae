#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <sstream>

#include "app/session/file/session_file.h"
#include "app/session/file/tokens.h"
#include "kernels/core/error.h"
#include "kernels/core/shape_fields.h"
#include "kernels/core/text_file.h"

namespace convscope::app {
namespace {

/// Well-formed UTF-8: no stray or missing continuation bytes, no overlong forms, no surrogates.
bool is_utf8(const std::string& text) {
    std::size_t i = 0;
    const auto byte = [&text](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : static_cast<unsigned char>(0);
    };
    while (i < text.size()) {
        const unsigned lead = byte(i);
        const std::size_t more = lead < 0x80   ? 0
                                 : lead < 0xC2 ? 4
                                 : lead < 0xE0 ? 1
                                 : lead < 0xF0 ? 2
                                 : lead < 0xF5 ? 3
                                               : 4;
        if (more == 4) return false;
        for (std::size_t k = 1; k <= more; ++k)
            if ((byte(i + k) & 0xC0U) != 0x80U) return false;
        const unsigned next = byte(i + 1);
        if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90) ||
            (lead == 0xF4 && next > 0x8F))
            return false;
        i += more + 1;
    }
    return true;
}

const std::string& checked(const std::string& text) {
    if (!is_utf8(text))
        throw Error(ErrorKind::file, fmt::format("'{}' cannot be kept in a session file: its name is not UTF-8", text));
    return text;
}

toml::array texts(const std::vector<std::string>& list) {
    toml::array array;
    for (const std::string& each : list) array.push_back(checked(each));
    return array;
}

toml::array numbers(const std::vector<float>& list) {
    toml::array array;
    for (const float each : list) array.push_back(static_cast<double>(each));
    return array;
}

toml::array dims(const Dim3& dim) {
    return toml::array{dim.x, dim.y, dim.z};
}

/// Automatic choices are not written: a later version may choose better.
void put(toml::table& table, const char* key, const std::string& value) {
    if (!value.empty()) table.insert(key, checked(value));
}
void put(toml::table& table, const char* key, const std::optional<std::vector<std::string>>& list) {
    if (list) table.insert(key, texts(*list));
}

toml::table workload_table(const WorkloadSpec& spec) {
    toml::table table{{"name", checked(spec.name)}, {"source", to_string(spec.source)}, {"sparsity", spec.sparsity}};
    // Left out where w is as it is.
    if (spec.weight_pattern != WeightPattern::uniform) table.insert("weight_pattern", to_string(spec.weight_pattern));
    if (spec.weight_sparsity != 0) table.insert("weight_sparsity", spec.weight_sparsity);
    for (const ShapeField& field : shape_fields)
        if (is_written(field, spec.shape)) table.insert(field.name, spec.shape.*field.member);
    // TOML's numbers end at 2^63 - 1.
    if (spec.seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        table.insert("seed", static_cast<std::int64_t>(spec.seed));
    else
        table.insert("seed", std::to_string(spec.seed));
    put(table, "input", spec.input_path);
    put(table, "weights", spec.weights_path);
    if (!spec.example_x.empty()) table.insert("example_x", numbers(spec.example_x));
    if (!spec.example_w.empty()) table.insert("example_w", numbers(spec.example_w));
    return table;
}

toml::table measure_table(const SessionFile& file) {
    const Choices& choices = file.state.choices;
    toml::table table{{"scope", to_string(choices.scope)}, {"cache", to_string(choices.cache)}};
    put(table, "device", choices.device);
    put(table, "device_name", file.device_name);
    put(table, "occupancy_model", choices.occupancy_model);
    put(table, "method", choices.method);
    put(table, "methods", choices.live_methods);
    return table;
}

toml::array launch_tables(const std::map<std::string, LaunchConfig>& launches) {
    toml::array array;
    for (const auto& [method, config] : launches) {
        if (config == LaunchConfig{}) continue;
        toml::table one{{"method", checked(method)}};
        toml::array tunables;
        if (config.block) one.insert("block", dims(*config.block));
        if (config.grid) one.insert("grid", dims(*config.grid));
        for (const auto& [name, value] : config.tunables)
            tunables.push_back(fmt::format("{}={}", checked(name), value));
        if (!tunables.empty()) one.insert("tunables", tunables);
        array.push_back(one);
    }
    return array;
}

toml::array pin_tables(const SessionState& state) {
    toml::array array;
    for (std::size_t i = 0; i < state.pinned.size(); ++i)
        if (const auto& pin = state.pinned[i])
            array.push_back(toml::table{{"tab", token(TabId::at(i))},
                                        {"array", to_string(pin->array)},
                                        {"row", pin->cell.row},
                                        {"col", pin->cell.col}});
    return array;
}

toml::table layer_table(const LayerChoice& choice) {
    toml::table table{{"whole", choice.whole},
                      {"below_a_pixel", token(choice.aggregate)},
                      {"below_a_pixel_of_a_map", token(choice.map_aggregate)}};
    for (std::size_t i = 0; i < layer_tabs; ++i) table.insert(tab_table[i].id, token(choice.array[i]));
    if (choice.pinned)
        table.insert("pinned", toml::table{{"image", choice.pinned->n},
                                           {"channel", choice.pinned->c},
                                           {"row", choice.pinned->h},
                                           {"col", choice.pinned->w}});
    return table;
}

/// Steps and block rows are counted from 1, as on screen.
toml::table pages_table(const PageChoice& pages) {
    toml::table table{{"solution_step", pages.solution.product + 1}, {"zeros_by_channel", pages.balance.by_channel}};
    if (pages.block) table.insert("block_row", *pages.block + 1);
    if (pages.companion) put(table, "beside", to_string(*pages.companion));
    put(table, "formats_of", to_string(pages.formats.of));
    put(table, "format", pages.formats.format);
    if (pages.solution.b) put(table, "solution", *pages.solution.b ? "b" : "a");
    return table;
}

toml::table step_table(const SessionState& state) {
    toml::table table{{"speed", state.step.speed}};
    put(table, "beside", state.step.companion);
    if (state.step.slice) table.insert("slice", true);
    toml::array sides;
    for (const StepSide& side : state.step.sides) {
        toml::table one{{"block", dims(side.block)}, {"thread", static_cast<std::int64_t>(side.thread)}};
        const std::size_t most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
        one.insert("steps", static_cast<std::int64_t>(std::min(side.done, most)));
        put(one, "kernel", side.kernel);
        sides.push_back(one);
    }
    table.insert("side", sides);
    toml::array breakpoints;
    for (const CodeLine& at : state.step.marks.breakpoints) breakpoints.push_back(checked(to_string(at)));
    if (!breakpoints.empty()) table.insert("breakpoints", breakpoints);
    if (!state.step.marks.watches.empty()) table.insert("watches", texts(state.step.marks.watches));
    return table;
}

toml::table compare_table(const SessionState& state) {
    const CompareChoice& choice = state.compare;
    toml::table table{{"page", token(choice.page)}, {"dense", choice.dense}, {"descending", choice.descending}};
    put(table, "query", choice.query);
    put(table, "scope", choice.scope);
    put(table, "layer", choice.layer);
    put(table, "x", choice.x);
    put(table, "y", choice.y);
    put(table, "map_x", choice.map_x);
    put(table, "map_y", choice.map_y);
    put(table, "sort", choice.sort);
    put(table, "before", choice.before);
    put(table, "after", choice.after);
    if (!choice.fixed.empty()) {
        toml::table held;
        for (const auto& [column, cell] : choice.fixed) put(held, column.c_str(), cell);
        table.insert("held", held);
    }
    table.insert("records", token(state.records.kind));
    put(table, "recorded", state.records.name);
    if (!state.records.companions.empty()) table.insert("recorded_beside", texts(state.records.companions));
    if (!state.records.files.empty()) table.insert("files", texts(state.records.files));
    return table;
}

toml::table sweep_table(const SweepChoice& choice) {
    toml::table table{{"timeout_s", choice.timeout_s}, {"metric", token(choice.metric)}, {"pane", token(choice.pane)}};
    put(table, "methods", choice.methods);
    put(table, "method", choice.method);
    put(table, "filter", choice.query);
    put(table, "recorded", choice.recorded);
    // Typed paths are relative to the folder that convscope was started in.
    if (!choice.csv_path.empty()) put(table, "csv", std::filesystem::absolute(choice.csv_path).string());
    if (!choice.axes) return table;
    toml::array axes;
    for (const SweepAxis& axis : *choice.axes) {
        toml::table one{{"vary", token(axis.kind)}, {"values", checked(axis.values)}};
        put(one, "tunable", axis.tunable);
        axes.push_back(one);
    }
    table.insert("axis", axes);
    return table;
}

toml::table network_table(const NetworkChoice& choice) {
    toml::table table{{"n", choice.n}, {"chain", choice.chain}, {"timeout_s", choice.timeout_s}};
    put(table, "name", choice.name);
    put(table, "methods", choice.methods);
    return table;
}

toml::table kernel_table(const KernelChoice& choice) {
    const std::int64_t step = static_cast<std::int64_t>(std::min(choice.step, max_line_step));
    toml::table table{{"count", token(choice.count)},
                      {"block", dims(choice.block)},
                      {"warp", choice.warp},
                      {"lane", choice.lane},
                      {"steps", step},
                      {"ptx", choice.ptx},
                      {"sass", choice.sass}};
    if (!choice.file.empty()) table.insert("file", checked(choice.file));
    put(table, "method", choice.method);
    put(table, "entry", choice.entry);
    if (choice.launch > 0) table.insert("launch", static_cast<std::int64_t>(choice.launch));
    std::vector<std::string> given;
    for (const auto& [name, text] : choice.given) given.push_back(fmt::format("{}={}", name, text));
    if (!given.empty()) table.insert("given", texts(given));
    return table;
}

/// All of it but the scenes.
toml::table state_table(const SessionFile& file) {
    const SessionState& state = file.state;
    const Selection& shown = state.choices.selection;
    toml::table table{{"view", token(state.view)},
                      {"tab", token(state.tab)},
                      {"workload", workload_table(state.choices.workload)},
                      {"measure", measure_table(file)},
                      {"launch", launch_tables(state.choices.launch)},
                      {"pin", pin_tables(state)},
                      {"layer", layer_table(state.layer)},
                      {"pages", pages_table(state.pages)},
                      {"step", step_table(state)},
                      {"compare", compare_table(state)},
                      {"sweep", sweep_table(state.sweep)},
                      {"network", network_table(state.network)},
                      {"kernel", kernel_table(state.kernel)}};
    table.insert("selection",
                 shown.automatic
                     ? toml::table{{"automatic", true}}
                     : toml::table{{"image", shown.image}, {"channel", shown.channel}, {"filter", shown.filter}});
    return table;
}

bool is_same(const toml::node& a, const toml::node& b) {
    if (a.is_table() && b.is_table()) return *a.as_table() == *b.as_table();
    return a.is_array() && b.is_array() && *a.as_array() == *b.as_array();
}

/// Writes for each scene the view, its tab, and the differences from the session itself.
toml::array scene_tables(const SessionFile& file, const toml::table& whole) {
    toml::array array;
    for (const SavedScene& scene : file.state.scenes.all()) {
        const bool same_device = scene.state.choices.device == file.state.choices.device;
        toml::table one = state_table({scene.state, same_device ? file.device_name : "", ""});
        for (auto each = one.begin(); each != one.end();) {
            const toml::node* const there = whole.get(each->first);
            each = there && is_same(each->second, *there) ? one.erase(each) : std::next(each);
        }
        put(one, "title", scene.title);
        array.push_back(std::move(one));
    }
    return array;
}

}  // namespace

std::string session_text(const SessionFile& file) {
    toml::table table = state_table(file);
    if (!file.state.scenes.empty()) table.insert("scene", scene_tables(file, table));
    if (!file.state.kernel.is_open()) table.erase("kernel");
    table.insert("version", session_version);
    put(table, "saved_as", file.saved_as);
    std::ostringstream text;
    text << "# A session of convscope: open it with 'convscope FILE', or drop it on the window.\n" << table << '\n';
    return text.str();
}

void write_session(const std::filesystem::path& path, const SessionFile& file) {
    write_text_file(path, session_text(file));
}

}  // namespace convscope::app
