#include "app/compare/compare_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "app/compare/recorded_ceilings.h"
#include "kernels/core/error.h"
#include "kernels/files/preset_folder.h"
#include "kernels/layers/network.h"
#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/records/cell.h"
#include "kernels/records/read_records.h"
#include "kernels/records/record_key.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

using LayerKey = std::array<double, shape_fields.size()>;

/// The shape of a row without its batch, which is a parameter of a layer.
ConvShape shape_of(const LayerKey& key) {
    ConvShape shape;
    for (std::size_t i = 0; i < shape_fields.size(); ++i)
        if (shape_fields[i].member != &ConvShape::n) shape.*shape_fields[i].member = static_cast<std::int64_t>(key[i]);
    return shape;
}

/// The presets of this shape, whatever their batch.
std::vector<const Preset*> presets_of(const ConvShape& shape) {
    std::vector<const Preset*> list;
    for (const Preset& preset : all_presets()) {
        ConvShape there = preset.spec.shape;
        there.n = shape.n;
        if (there == shape) list.push_back(&preset);
    }
    return list;
}

std::string family_of(const Preset& preset) {
    return preset.spec.name.substr(0, preset.spec.name.find('/'));
}

/// For each shape its presets, of the family that has most of the shapes, so that a paper's layers go by its names.
std::vector<std::vector<const Preset*>> presets_of_shapes(const std::vector<ConvShape>& shapes) {
    std::vector<std::vector<const Preset*>> candidates;
    std::map<std::string, std::size_t> count;
    for (const ConvShape& shape : shapes) {
        candidates.push_back(presets_of(shape));
        std::set<std::string> families;
        for (const Preset* preset : candidates.back()) families.insert(family_of(*preset));
        for (const std::string& family : families) ++count[family];
    }
    for (std::vector<const Preset*>& list : candidates) {
        if (list.empty()) continue;
        const auto shapes_of = [&](const Preset* preset) { return count[family_of(*preset)]; };
        const std::string family = family_of(**std::ranges::max_element(list, {}, shapes_of));
        std::erase_if(list, [&](const Preset* preset) { return family_of(*preset) != family; });
    }
    return candidates;
}

/// The preset with this share of zeros.
std::optional<std::size_t> with_zeros(const std::vector<const Preset*>& presets, double sparsity) {
    for (std::size_t i = 0; i < presets.size(); ++i)
        if (std::abs(presets[i]->spec.sparsity - sparsity) < 1e-9) return i;
    return {};
}

/// Makes layers of shapes. Rows do not say which layer they are of: presets of one shape are told apart where each row
/// of it has the zeros of one of them, as those of a whole network have. In a sweep over zeros they are one layer, by
/// the first one's name.
void tell_layers_apart(CompareData& data, const std::vector<ConvShape>& shapes) {
    const std::vector<std::vector<const Preset*>> presets = presets_of_shapes(shapes);
    const NumberColumn& zeros = data.table.numbers(compare_columns().sparsity);
    std::vector<bool> apart;
    for (const std::vector<const Preset*>& list : presets) apart.push_back(list.size() > 1);
    for (std::size_t row = 0; row < data.layer.size(); ++row)
        if (apart[data.layer[row]] && !with_zeros(presets[data.layer[row]], zeros[row])) apart[data.layer[row]] = false;
    std::vector<std::vector<std::optional<std::uint32_t>>> layers(shapes.size());
    for (std::size_t row = 0; row < data.layer.size(); ++row) {
        const std::uint32_t shape = data.layer[row];
        const std::size_t preset = apart[shape] ? *with_zeros(presets[shape], zeros[row]) : 0;
        layers[shape].resize(std::max<std::size_t>(1, presets[shape].size()));
        std::optional<std::uint32_t>& layer = layers[shape][preset];
        if (!layer) {
            layer = static_cast<std::uint32_t>(data.layer_names.size());
            data.layer_names.push_back(presets[shape].empty() ? layer_text(shapes[shape])
                                                              : presets[shape][preset]->spec.name);
        }
        data.layer[row] = *layer;
    }
}

void name_layers(CompareData& data) {
    std::vector<const NumberColumn*> columns;
    for (const ShapeField& field : shape_fields) columns.push_back(&data.table.numbers(table_column(field.name)));
    std::map<LayerKey, std::uint32_t> known;
    std::vector<ConvShape> shapes;
    data.layer.resize(data.table.rows());
    LayerKey last{};
    for (std::size_t row = 0; row < data.table.rows(); ++row) {
        LayerKey key{};
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double value = (*columns[i])[row];
            const ShapeMember member = shape_fields[i].member;
            // An empty cell: no pooling, or a file that is older than the field.
            if (member != &ConvShape::n) key[i] = std::isnan(value) ? static_cast<double>(ConvShape{}.*member) : value;
        }
        if (row > 0 && key == last) {
            data.layer[row] = data.layer[row - 1];
            continue;
        }
        last = key;
        const auto [at, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(shapes.size()));
        if (fresh) shapes.push_back(shape_of(key));
        data.layer[row] = at->second;
    }
    tell_layers_apart(data, shapes);
}

/// "21 Nov 2026" of "2026-11-21T03:17:43Z".
std::string day_of(const std::string& timestamp) {
    constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (timestamp.size() < 10) return timestamp;
    const int month = std::atoi(timestamp.substr(5, 2).c_str());
    if (month < 1 || month > 12) return timestamp.substr(0, 10);
    return fmt::format("{} {} {}", std::atoi(timestamp.substr(8, 2).c_str()), months[month - 1],
                       timestamp.substr(0, 4));
}

/// Names the values that all rows share, and counts the others.
std::string provenance_of(const CompareData& data) {
    const RowSet all(data.table.rows(), true);
    const auto words = [&](const char* name, const char* before, const char* many) {
        std::vector<std::string> cells = distinct_cells(data.table, all, table_column(name));
        std::erase(cells, "");
        if (cells.empty()) return std::string();
        return cells.size() == 1 ? before + cells[0] : fmt::format("{} {}", cells.size(), many);
    };
    std::vector<std::string> days = distinct_cells(data.table, all, table_column("timestamp_utc"));
    std::erase(days, "");
    std::string day;
    if (!days.empty()) {
        const auto [first, last] = std::ranges::minmax(days);
        day = day_of(first) == day_of(last) ? day_of(first) : day_of(first) + " to " + day_of(last);
    }
    std::string text;
    for (const std::string& part :
         {words("device_name", "", "devices"), day, words("cuda_version", "CUDA ", "CUDA versions"),
          words("vendor_version", "", "library versions"), words("app_version", "convscope ", "versions of convscope")})
        if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    return text;
}

void name_vendors(CompareData& data) {
    const TextColumn& methods = data.table.text(compare_columns().method);
    std::vector<bool> known(methods.pool().size());
    for (std::size_t row = 0; row < data.table.rows(); ++row) {
        if (known[methods.code(row)]) continue;
        known[methods.code(row)] = true;
        if (data.vendor(row)) data.vendor_methods.emplace(methods[row]);
    }
}

/// Equal for rows of one point on one device.
std::vector<std::array<std::uint64_t, 2>> points_of(const CompareData& data) {
    std::vector<std::size_t> columns{compare_columns().device_name};
    for (const std::string_view name : point_columns()) columns.push_back(table_column(name));
    std::vector<std::array<std::uint64_t, 2>> keys(data.table.rows());
    for (const std::size_t column : columns) {
        for (std::size_t row = 0; row < keys.size(); ++row) {
            const std::uint64_t cell = data.cell_key(row, column);
            keys[row][0] = (std::rotl(keys[row][0], 5) ^ cell) * 0x9e3779b97f4a7c15U;
            keys[row][1] = (std::rotl(keys[row][1], 7) + cell) * 0xc2b2ae3d27d4eb4fU;
        }
    }
    return keys;
}

void find_latest(CompareData& data) {
    data.latest = RowSet(data.table.rows(), true);
    const auto hash = [](const std::array<std::uint64_t, 2>& key) { return static_cast<std::size_t>(key[0]); };
    const auto keys = points_of(data);
    std::unordered_map<std::array<std::uint64_t, 2>, std::size_t, decltype(hash)> latest(keys.size(), hash);
    for (std::size_t row = 0; row < keys.size(); ++row) {
        const auto [at, fresh] = latest.try_emplace(keys[row], row);
        if (fresh) continue;
        const bool later = data.supersedes(row, at->second);
        data.latest.erase(later ? std::exchange(at->second, row) : row);
    }
}

void finish(CompareData& data) {
    name_layers(data);
    name_vendors(data);
    find_latest(data);
    data.strongest.find(data);
    data.provenance = (data.recorded ? "Recorded on " : "Measured on ") + provenance_of(data);
}

double size_of(const std::filesystem::path& path) {
    std::error_code none;
    const std::uintmax_t bytes = std::filesystem::file_size(path, none);
    return none ? 0 : static_cast<double>(bytes);
}

/// Other programs' JSON may hold what no cell of a CSV can.
void append(CompareData& data, const Record& record, const std::string& file) {
    try {
        data.table.append(record, file);
    } catch (const cell::BadCell& bad) {
        ++data.problems.left_out;
        data.problems.lines.push_back(
            fmt::format("'{}': a row of {} is left out: {}", file, record.method, bad.what()));
    }
}

void read_into(CompareData& data, const std::filesystem::path& path, const std::stop_token& stop,
               const ReadProgress& progress) {
    if (path.extension() == ".csv") {
        TableContent content = read_table(path, {.progress = progress, .stop = stop});
        if (data.table.empty())
            data.table = std::move(content.table);
        else
            data.table.append(content.table);
        data.problems.left_out += content.problems.left_out;
        for (std::string& line : content.problems.lines) data.problems.lines.push_back(std::move(line));
        for (std::string& line : content.problems.notes) data.problems.notes.push_back(std::move(line));
        return;
    }
    RecordFile file = read_records(path, progress);
    for (const Record& record : file.records) append(data, record, path.filename().string());
    data.problems.left_out += file.errors.size();
    for (std::string& line : file.errors) data.problems.lines.push_back(std::move(line));
}

}  // namespace

const CompareColumns& compare_columns() {
    static const CompareColumns columns{table_column("method"),         table_column("family"),
                                        table_column("dtype"),          table_column("timing_scope"),
                                        table_column("status"),         table_column("status_reason"),
                                        table_column("file"),           table_column("time_median_us"),
                                        table_column("time_q1_us"),     table_column("time_q3_us"),
                                        table_column("noise_pct"),      table_column("speedup_vs_vendor"),
                                        table_column("vendor_method"),  table_column("workspace_bytes"),
                                        table_column("flops_dense"),    table_column("flops_effective"),
                                        table_column("gflops"),         table_column("gb_per_s"),
                                        table_column("convert_us"),     table_column("multiply_us"),
                                        table_column("pool_us"),        table_column("sparsity_target"),
                                        table_column("device_name"),    table_column("library_workspace_bytes"),
                                        table_column("flops_executed"), table_column("arithmetic"),
                                        table_column("device"),         table_column("samples"),
                                        table_column("noise_from")};
    return columns;
}

std::uint64_t CompareData::cell_key(std::size_t row, std::size_t column) const {
    return table.is_text(column) ? table.text(column).code(row) : std::bit_cast<std::uint64_t>(number(row, column));
}

bool CompareData::passed(std::size_t row) const {
    return text(row, compare_columns().status) == "passed" && number(row, compare_columns().time) > 0;
}

bool CompareData::supersedes(std::size_t next, std::size_t there) const {
    const auto ending_of = [&](std::size_t row) {
        Record record;
        record.status = text(row, compare_columns().status) == "cancelled" ? Status::cancelled : Status::passed;
        record.timestamp_utc = table.cell(row, table_column("timestamp_utc"));
        return record;
    };
    return convscope::supersedes(ending_of(next), ending_of(there));
}

bool CompareData::vendor(std::size_t row) const {
    return text(row, compare_columns().family) == "vendor";
}

std::shared_ptr<CompareData> open_compare_data(const CompareSource& source, const std::stop_token& stop,
                                               const ReadProgress& progress) {
    auto data = std::make_shared<CompareData>();
    data->recorded = source.recorded;
    double all = 0, before = 0;
    for (const std::filesystem::path& path : source.files) all += size_of(path);
    // The amount of data in a pipe is not known beforehand.
    const bool known = std::ranges::none_of(source.files, [](const auto& path) { return size_of(path) == 0; });
    for (const std::filesystem::path& path : source.files) {
        const double size = size_of(path);
        try {
            read_into(*data, path, stop, [&](double share) {
                if (progress && known) progress((before + share * size) / all);
            });
        } catch (const Error& error) {
            data->problems.lines.emplace_back(error.what());
        }
        before += size;
        if (stop.stop_requested()) return nullptr;
        data->title += (data->title.empty() ? "" : ", ") + path.stem().string();
    }
    finish(*data);
    return data;
}

std::shared_ptr<CompareData> make_compare_data(const std::vector<Record>& records, const std::string& title) {
    auto data = std::make_shared<CompareData>();
    data->title = title;
    for (const Record& record : records) append(*data, record, title);
    finish(*data);
    return data;
}

std::vector<std::filesystem::path> recorded_sessions() {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(preset_folder() / "recorded", none))
        if (entry.path().extension() == ".csv" && entry.path() != ceilings_file()) files.push_back(entry.path());
    std::ranges::sort(files, {}, [](const std::filesystem::path& path) { return path.stem().string(); });
    return files;
}

}  // namespace convscope::app
