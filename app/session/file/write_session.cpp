#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>

#include "app/session/file/fields.h"
#include "app/session/file/session_file.h"
#include "app/session/file/tokens.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/shape_fields.h"

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
void put(toml::table& table, const char* key, const std::vector<std::string>& list) {
    if (!list.empty()) table.insert(key, texts(list));
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

/// Writes a field by its type.
struct FieldWriter : FieldVisitor {
    toml::table& table;

    template <class T>
    void operator()(const Field& field, const T& value) const {
        const char* key = field.key;
        if constexpr (std::is_arithmetic_v<T>) {
            if (!field.rules.left_out || value != T{}) table.insert(key, number(field.rules, value));
        } else if constexpr (std::is_enum_v<T> || HasTokens<T>) {
            if constexpr (HasTokens<T>)
                table.insert(key, token(value));
            else
                table.insert(key, to_string(value));
        } else if constexpr (HasFields<T>) {
            table.insert(key, table_of(value));
        } else if constexpr (std::is_same_v<T, Dim3>) {
            table.insert(key, dims(value));
        } else {
            put(table, key, value);
        }
    }
    void operator()(const Field& field, const Selection& selection) const {
        table.insert(field.key, selection.automatic ? toml::table{{"automatic", true}} : table_of(selection));
    }
    void operator()(const Field& field, const WorkloadSpec& spec) const {
        table.insert(field.key, workload_table(spec));
    }
    void operator()(const Field& field, const std::tuple<const CompareChoice&, const RecordSource&>& both) const {
        const auto& [choice, records] = both;
        toml::table one = table_of(choice), held;
        visit_fields(FieldWriter{{}, one}, records);
        for (const auto& [column, cell] : choice.fixed) put(held, column.c_str(), cell);
        if (!choice.fixed.empty()) one.insert("held", held);
        table.insert(field.key, one);
    }
    void operator()(const Field& field, const std::map<std::string, LaunchConfig>& launches) const {
        toml::array array;
        for (const auto& [method, config] : launches) {
            if (config == LaunchConfig{}) continue;
            toml::table one{{"method", checked(method)}};
            std::vector<std::string> tunables;
            if (config.block) one.insert("block", dims(*config.block));
            if (config.grid) one.insert("grid", dims(*config.grid));
            for (const auto& [name, value] : config.tunables)
                tunables.push_back(fmt::format("{}={}", checked(name), value));
            put(one, "tunables", tunables);
            array.push_back(one);
        }
        table.insert(field.key, array);
    }
    void operator()(const Field& field, const std::array<std::optional<ElementRef>, TabId::count>& pinned) const {
        toml::array array;
        for (std::size_t i = 0; i < pinned.size(); ++i)
            if (const auto& pin = pinned[i])
                array.push_back(toml::table{{"tab", token(TabId::at(i))},
                                            {"array", token(pin->array)},
                                            {"row", pin->cell.row},
                                            {"col", pin->cell.col}});
        table.insert(field.key, array);
    }
    /// Typed paths are relative to the folder that convscope was started in.
    void operator()(const Field& field, const std::string& text) const {
        const bool path = field.rules.path != PathKind::none && !text.empty();
        if (text.empty() && field.rules.written_empty) table.insert(field.key, "");
        put(table, field.key, path ? std::filesystem::absolute(text).string() : text);
    }
    void operator()(const Field& field, const std::optional<Format>& format) const {
        if (format) table.insert(field.key, to_string(*format));
    }
    /// Steps and block rows are counted from 1, as on screen.
    void operator()(const Field& field, const std::optional<std::int64_t>& index) const {
        if (index) table.insert(field.key, *index + 1);
    }
    void operator()(const Field&, const SolutionChoice& solution) const {
        table.insert("solution_step", solution.product + 1);
        if (solution.b) table.insert("solution", *solution.b ? "b" : "a");
    }
    void operator()(const Field&, const std::array<LayerArray, layer_tabs>& arrays) const {
        for (std::size_t i = 0; i < layer_tabs; ++i) table.insert(tab_table[i].id, token(arrays[i]));
    }
    void operator()(const Field& field, const std::optional<InputElement>& element) const {
        if (element) table.insert(field.key, table_of(*element));
    }
    void operator()(const Field& field, const std::array<StepSide, 2>& sides) const {
        table.insert(field.key, tables_of(sides));
    }
    void operator()(const Field& field, const std::optional<std::vector<SweepAxis>>& axes) const {
        if (axes) table.insert(field.key, tables_of(*axes));
    }
    void operator()(const Field& field, const StepMarks& marks) const {
        std::vector<std::string> breakpoints;
        for (const CodeLine& at : marks.breakpoints) breakpoints.push_back(to_string(at));
        put(table, field.key, breakpoints);
        put(table, "watches", marks.watches);
    }
    void operator()(const Field& field, const std::map<std::string, std::string>& given) const {
        std::vector<std::string> list;
        for (const auto& [name, text] : given) list.push_back(fmt::format("{}={}", name, text));
        put(table, field.key, list);
    }

    template <class Choice>
    static toml::table table_of(const Choice& choice) {
        toml::table table;
        visit_fields(FieldWriter{{}, table}, choice);
        return table;
    }

private:
    static toml::array tables_of(const auto& list) {
        toml::array array;
        for (const auto& each : list) array.push_back(table_of(each));
        return array;
    }
    /// As TOML has it; a count beyond what is accepted is the last.
    template <class T>
    static auto number(const FieldRules& rules, T value) {
        if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
            constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
            const std::int64_t most = std::isinf(rules.max) ? last : static_cast<std::int64_t>(rules.max);
            return static_cast<std::int64_t>(
                std::min(static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(most)));
        } else {
            return value;
        }
    }
};

/// All of it but the scenes.
toml::table state_table(const SessionFile& file) {
    toml::table table = FieldWriter::table_of(file.state);
    put(*table["measure"].as_table(), "device_name", file.device_name);
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
