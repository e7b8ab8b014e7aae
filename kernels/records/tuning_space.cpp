#include "kernels/records/tuning_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "kernels/records/record_csv.h"
#include "kernels/records/record_key.h"

namespace convscope {
namespace {

using TunableValues = std::map<std::string, std::int64_t>;

std::string space_key(Record record) {
    record.grid.reset();
    record.block.reset();
    record.tunables.clear();
    return record.device_name + "|" + point_key(record);
}

/// Tunables whose name a column has already get a longer one.
std::string parameter_name(const std::string& tunable) {
    const std::vector<std::string>& names = csv_columns();
    return std::find(names.begin(), names.end(), tunable) == names.end() ? tunable : "tunable_" + tunable;
}

void add_extents(TunableValues& values, const std::string& name, const Dim3& dim) {
    values[name + "_x"] = dim.x;
    values[name + "_y"] = dim.y;
    values[name + "_z"] = dim.z;
}

bool block_is_a_parameter(const std::vector<Record>& rows) {
    std::set<std::string> blocks;
    bool everywhere = true;
    for (const Record& row : rows) {
        everywhere &= row.block.has_value();
        if (row.block) blocks.insert(to_string(*row.block));
    }
    return everywhere || blocks.size() > 1;
}

/// The configurations of a space's rows, with the grid or without.
std::vector<TunableValues> configurations(const std::vector<Record>& rows, bool grid) {
    const bool block = block_is_a_parameter(rows);
    std::vector<TunableValues> all;
    for (const Record& row : rows) {
        TunableValues& values = all.emplace_back();
        for (const auto& [name, value] : tunables_of(row)) values[parameter_name(name)] = value;
        if (block && row.block) add_extents(values, "block_size", *row.block);
        if (grid && row.grid) add_extents(values, "grid_size", *row.grid);
    }
    return all;
}

bool needs_grid(const std::vector<Record>& rows) {
    std::map<TunableValues, std::string> grids;
    const std::vector<TunableValues> all = configurations(rows, false);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].grid) continue;
        const std::string grid = to_string(*rows[i].grid);
        if (grids.try_emplace(all[i], grid).first->second != grid) return true;
    }
    return false;
}

TuningSpace space_of(const std::vector<Record>& rows, std::size_t& left_out) {
    const std::vector<TunableValues> all = configurations(rows, needs_grid(rows));
    std::set<std::string> names;
    for (const TunableValues& values : all)
        for (const auto& [name, value] : values) names.insert(name);
    TuningSpace space{{names.begin(), names.end()}, {}};
    std::map<TunableValues, std::size_t> places;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (all[i].size() < names.size()) {
            ++left_out;
            continue;
        }
        const auto [place, is_new] = places.try_emplace(all[i], space.points.size());
        if (is_new) {
            TuningPoint& point = space.points.emplace_back(TuningPoint{rows[i], {}});
            for (const auto& [name, value] : all[i]) point.values.push_back(value);
        } else if (Record& there = space.points[place->second].record; supersedes(rows[i], there)) {
            there = rows[i];
        }
    }
    return space;
}

}  // namespace

TuningSpaces tuning_spaces(const std::vector<Record>& records) {
    TuningSpaces found;
    std::map<std::string, std::size_t> places;
    std::vector<std::vector<Record>> groups;
    for (const Record& record : records) {
        if (record.status == Status::cancelled) {
            ++found.left_out;
            continue;
        }
        const auto [place, is_new] = places.try_emplace(space_key(record), groups.size());
        if (is_new) groups.emplace_back();
        groups[place->second].push_back(record);
    }
    for (const std::vector<Record>& rows : groups) {
        TuningSpace space = space_of(rows, found.left_out);
        if (!space.points.empty()) found.spaces.push_back(std::move(space));
    }
    return found;
}

}  // namespace convscope
