// Reads one format's file (docs/formats.md), and finds the formats that there are.
#include "kernels/formats/sparse_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <tuple>

#include "kernels/core/ceil_div.h"
#include "kernels/core/error.h"
#include "kernels/core/nearest_names.h"
#include "kernels/core/printable.h"
#include "kernels/files/preset_folder.h"
#include "kernels/files/text_file.h"
#include "kernels/files/toml_table.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

constexpr auto kinds = std::to_array<std::pair<const char*, LevelKind>>({{"dense", LevelKind::dense},
                                                                         {"compressed", LevelKind::compressed},
                                                                         {"singleton", LevelKind::singleton},
                                                                         {"padded", LevelKind::padded},
                                                                         {"bitmap", LevelKind::bitmap},
                                                                         {"run_length", LevelKind::run_length}});
constexpr auto axes = std::to_array<std::pair<const char*, FormatAxis>>({{"row", FormatAxis::row},
                                                                         {"col", FormatAxis::col},
                                                                         {"row_block", FormatAxis::row_block},
                                                                         {"col_block", FormatAxis::col_block},
                                                                         {"row_in_block", FormatAxis::row_in_block},
                                                                         {"col_in_block", FormatAxis::col_in_block},
                                                                         {"cell", FormatAxis::cell}});
/// The arrays that a matrix has in any format (in layout's folder and its matrix.npz).
constexpr auto files_of_any_matrix = std::to_array<std::string_view>({"dense", "format", "shape"});
constexpr auto builders = std::to_array<std::pair<const char*, FormatBuilder>>(
    {{"sell", FormatBuilder::sell}, {"dia", FormatBuilder::dia}, {"2:4", FormatBuilder::two_four}});

std::string read_name(TomlTable& table, const char* key) {
    const std::string name = table.need(key);
    const bool plain = std::ranges::all_of(name, [](unsigned char letter) {
        return std::isalnum(letter) || std::string_view("-_:.").find(static_cast<char>(letter)) != std::string::npos;
    });
    if (name.empty() || !plain)
        table.reject(key, fmt::format("'{}' is '{}'; a name has letters, digits and any of - _ : .", key, name));
    return name;
}

std::string read_array_name(TomlTable& table, const char* key, std::set<std::string>& taken) {
    const std::string name = read_name(table, key);
    if (std::ranges::find(files_of_any_matrix, name) != files_of_any_matrix.end())
        table.reject(key, fmt::format("no array can be named '{}'; files of a matrix have {} beside its arrays", name,
                                      fmt::join(files_of_any_matrix, ", ")));
    if (!taken.insert(name).second) table.reject(key, fmt::format("two arrays are named '{}'", name));
    return name;
}

/// 'first': nothing is above it. Above a level of entries, each below has one coordinate.
FormatLevel read_level(TomlTable& table, bool first, bool of_entries, std::set<std::string>& names) {
    FormatLevel level;
    for (const char* key : {"kind", "of"}) table.require(key);
    table.read_named("kind", level.kind, kinds);
    table.read_named("of", level.of, axes);
    switch (level.kind) {
        case LevelKind::dense:
            break;
        case LevelKind::compressed:
            table.read("unique", level.unique);
            level.index = read_array_name(table, "index", names);
            // The entries below nothing begin at 0.
            if (!first || table.has("position")) level.position = read_array_name(table, "position", names);
            break;
        case LevelKind::singleton:
            if (!of_entries)
                table.reject("kind", "a singleton level stands below a compressed level with unique = false");
            level.index = read_array_name(table, "index", names);
            break;
        case LevelKind::padded:
            level.index = read_array_name(table, "index", names);
            break;
        case LevelKind::bitmap:
            level.index = read_array_name(table, "bits", names);
            level.position = read_array_name(table, "offsets", names);
            break;
        case LevelKind::run_length:
            table.read("max_run", level.max_run, 1, 255);
            level.index = read_array_name(table, "runs", names);
            if (!first || table.has("position")) level.position = read_array_name(table, "position", names);
            break;
    }
    table.finish();
    return level;
}

/// Rows and columns are covered once each, a block before what is within it.
void require_cover(const TomlTable& top, const SparseFormat& format) {
    const auto count = [&](FormatAxis axis) { return std::ranges::count(format.levels, axis, &FormatLevel::of); };
    const auto covered = [&](FormatAxis whole, FormatAxis block, FormatAxis within) {
        return (count(whole) == 1 && count(block) == 0 && count(within) == 0) ||
               (count(whole) == 0 && count(block) == 1 && count(within) == 1);
    };
    const bool cells = format.levels.size() == 1 && count(FormatAxis::cell) == 1;
    const bool both = count(FormatAxis::cell) == 0 &&
                      covered(FormatAxis::row, FormatAxis::row_block, FormatAxis::row_in_block) &&
                      covered(FormatAxis::col, FormatAxis::col_block, FormatAxis::col_in_block);
    if (!cells && !both)
        top.reject("level",
                   "the levels must be of row and col, each once or as its block and in_block, or one level of cell");
}

void read_block(TomlTable& top, SparseFormat& format) {
    const bool blocked = std::ranges::any_of(format.levels, [](const FormatLevel& level) {
        return level.of != FormatAxis::row && level.of != FormatAxis::col && level.of != FormatAxis::cell;
    });
    if (!blocked) return;
    top.require("block");
    if (const auto size = top.sizes("block", 2, 1, 1024)) {
        format.block_h = size->front();
        format.block_w = size->back();
    }
}

void read_levels(TomlTable& top, SparseFormat& format, std::set<std::string>& names) {
    bool of_entries = false;
    for (TomlTable& table : top.need_tables("level")) {
        format.levels.push_back(read_level(table, format.levels.empty(), of_entries, names));
        const FormatLevel& level = format.levels.back();
        of_entries = level.kind == LevelKind::singleton ? of_entries : !level.unique;
    }
    require_cover(top, format);
    read_block(top, format);
}

/// 'names': its arrays' so far. A builder names the others.
void read_builder(TomlTable& top, SparseFormat& format, std::set<std::string>& names) {
    if (top.has("level")) top.reject("level", "'builder' and [[level]] do not go together; give one of them");
    top.read_named("builder", format.builder, builders);
    if (format.builder == FormatBuilder::sell) {
        for (const char* key : {"slice", "sort"}) top.require(key);
        top.read("slice", format.slice, 1, 1024);
        top.read("sort", format.sort, 1, 1 << 20);
    }
    for (const FormatArray& array : build_from_entries(format, {1, 1, {{0, 0, 1.0F}}}, false).arrays)
        if (array.role != FormatRole::values && !names.insert(array.name).second)
            top.reject("values", fmt::format("two arrays are named '{}'", array.name));
}

/// The name that a file gives; its own where that does not read.
std::string name_of_file(const std::filesystem::path& file) {
    try {
        if (const auto name = parse_toml(read_text_file(file), file.string())["name"].value<std::string>())
            return *name;
    } catch (const Error&) {  // its sentence is known
    }
    return file.stem().string();
}

struct FormatFiles {
    std::vector<SparseFormat> formats;
    std::vector<UnreadFormat> unread;
};

FormatFiles load_all() {
    std::vector<std::filesystem::path> paths;
    std::error_code none;  // presets of a user's own need not have formats
    for (const auto& entry : std::filesystem::directory_iterator(preset_folder() / "formats", none))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    std::ranges::sort(paths);
    FormatFiles files;
    for (const auto& path : paths) {
        try {
            SparseFormat format = load_sparse_format(path);
            if (const auto other = std::ranges::find(files.formats, format.name, &SparseFormat::name);
                other != files.formats.end())
                reject_toml(path.string(), parse_toml(read_text_file(path), path.string())["name"].node()->source(),
                            fmt::format("{} has a format named '{}', too; give this one a name of its own",
                                        other->file.string(), format.name));
            files.formats.push_back(std::move(format));
        } catch (const Error& error) {
            files.unread.push_back({name_of_file(path), error.what()});
        }
    }
    std::ranges::sort(files.formats, [](const SparseFormat& a, const SparseFormat& b) {
        return std::tie(a.order, a.name) < std::tie(b.order, b.name);
    });
    return files;
}

const FormatFiles& all_files() {
    static const FormatFiles files = load_all();
    return files;
}

template <class List, class Value>
std::string name_of(const List& list, Value wanted) {
    for (const auto& [name, value] : list)
        if (value == wanted) return name;
    return {};
}

}  // namespace

std::int64_t axis_extent(const SparseFormat& format, FormatAxis axis, std::int64_t rows, std::int64_t cols) {
    switch (axis) {
        case FormatAxis::row:
            return rows;
        case FormatAxis::col:
            return cols;
        case FormatAxis::row_block:
            return ceil_div(rows, format.block_h);
        case FormatAxis::col_block:
            return ceil_div(cols, format.block_w);
        case FormatAxis::row_in_block:
            return format.block_h;
        case FormatAxis::col_in_block:
            return format.block_w;
        case FormatAxis::cell:
            return rows * cols;
    }
    return 0;
}

SparseFormat load_sparse_format(const std::filesystem::path& file) {
    const toml::table root = parse_toml(read_text_file(file), file.string());
    TomlTable top(root, "format", {.file = file.string(), .plain_text = true});
    SparseFormat format;
    format.file = file;
    format.name = read_name(top, "name");
    format.title = top.need("title");
    format.text = top.need("text");
    top.read("read", format.read);
    top.read("order", format.order, 0);
    std::set<std::string> names;
    if (top.has("values")) format.values = read_array_name(top, "values", names);
    names.insert(format.values);
    if (top.has("builder"))
        read_builder(top, format, names);
    else
        read_levels(top, format, names);
    top.finish();
    return format;
}

const std::vector<SparseFormat>& all_sparse_formats() {
    return all_files().formats;
}

const std::vector<UnreadFormat>& unread_sparse_formats() {
    return all_files().unread;
}

std::vector<std::string> sparse_format_names() {
    std::vector<std::string> names;
    for (const SparseFormat& format : all_sparse_formats()) names.push_back(format.name);
    return names;
}

const SparseFormat& find_sparse_format(const std::string& name, const std::vector<std::string>& others) {
    const auto& [all, unread] = all_files();
    if (const auto found = std::ranges::find(all, name, &SparseFormat::name); found != all.end()) return *found;
    if (const auto found = std::ranges::find(unread, name, &UnreadFormat::name); found != unread.end())
        throw Error(ErrorKind::file, found->error);
    std::vector<std::string> names = sparse_format_names();
    names.insert(names.begin(), others.begin(), others.end());
    const std::vector<std::string> near = nearest_names(name, names);
    throw Error(ErrorKind::not_found, fmt::format("no format '{}'; {}", printable(name),
                                                  near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                                               : describe_nearest(near)));
}

std::string describe_levels(const SparseFormat& format) {
    if (format.builder == FormatBuilder::sell)
        return fmt::format("slices of {} rows, sorted within {}", format.slice, format.sort);
    if (format.builder == FormatBuilder::dia) return "dense diagonals";
    if (format.builder == FormatBuilder::two_four) return "two of every four columns";
    std::string words;
    for (const FormatLevel& level : format.levels)
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name_of(kinds, level.kind), name_of(axes, level.of));
    std::ranges::replace(words, '_', ' ');
    return words;
}

}  // namespace convscope
