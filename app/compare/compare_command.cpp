// The command line that measures rows again.
#include <fmt/format.h>

#include <algorithm>

#include "app/compare/compare_pages.h"
#include "kernels/core/text.h"
#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_lines = 60;

class LayerCommand {
public:
    LayerCommand(const CompareData& data, const RowSet& rows) : data_(data), rows_(rows) {}

    std::string text(const std::string& layer) {
        line_ = "convscope sweep";
        const bool preset =
            std::ranges::any_of(all_presets(), [&](const Preset& one) { return one.spec.name == layer; });
        if (preset) {
            line_ += " --preset " + shell_word(layer);
        } else {
            for (const ShapeKey& key : shape_keys)
                if (key.first != &ConvShape::n) of_shape(key);
        }
        flag("n", "n");
        flag("sparsity", "sparsity_target");
        if (all_of("source", zero_pattern_names())) flag("pattern", "source");
        if (cells("weight_sparsity_target") != std::vector<std::string>{"0"}) {
            flag("weight-sparsity", "weight_sparsity_target");
            flag("weight-pattern", "weight_pattern");
        }
        flag("seed", "seed");
        flag("device", "device");
        flag("methods", "method");
        if (many("block_size_x") || many("block_size_y") || many("block_size_z")) triple("block", "block_size_");
        flag("scope", "timing_scope");
        flag("cache", "cache_mode");
        return line_;
    }

private:
    std::vector<std::string> cells(const char* column) const {
        std::vector<std::string> list = distinct_cells(data_.table, rows_, table_column(column));
        std::erase(list, "");
        return list;
    }
    bool all_of(const char* column, const std::vector<std::string>& known) const {
        return std::ranges::all_of(
            cells(column), [&](const std::string& one) { return std::ranges::find(known, one) != known.end(); });
    }
    /// More blocks than methods: they were swept over, and are not each method's own.
    bool many(const char* column) const { return cells(column).size() > cells("method").size(); }
    void flag(const char* name, const char* column) {
        const std::vector<std::string> list = cells(column);
        if (!list.empty()) line_ += fmt::format(" --{} {}", name, shell_word(fmt::format("{}", fmt::join(list, ","))));
    }
    /// Leaves out a value that equals the flag's default.
    void of_shape(const ShapeKey& key) {
        std::vector<std::string> list;
        rows_.each([&](std::size_t row) {
            ConvShape shape;
            bool said = false;
            for (const ShapeMember member : {key.first, key.second, key.first_extra, key.second_extra}) {
                if (!member) continue;
                const auto value = data_.table.number(row, table_column(field_of(member).name));
                if (value) shape.*member = static_cast<std::int64_t>(*value);
                said |= value.has_value();
            }
            const std::string text = text_of(key, shape);
            if (said && std::ranges::find(list, text) == list.end()) list.push_back(text);
        });
        if (!list.empty() && list != std::vector{text_of(key, ConvShape{})})
            line_ += fmt::format(" {} {}", key.flag, fmt::join(list, ","));
    }
    void triple(const char* name, const std::string& columns) {
        std::vector<std::string> list;
        rows_.each([&](std::size_t row) {
            const auto cell = [&](const char* axis) { return data_.table.cell(row, table_column(columns + axis)); };
            if (cell("x").empty()) return;
            const std::string all = fmt::format("{}x{}x{}", cell("x"), cell("y"), cell("z"));
            if (std::ranges::find(list, all) == list.end()) list.push_back(all);
        });
        if (!list.empty()) line_ += fmt::format(" --{} {}", name, fmt::join(list, ","));
    }

    const CompareData& data_;
    const RowSet& rows_;
    std::string line_;
};

}  // namespace

std::string command_for(const CompareData& data, const RowSet& rows) {
    if (rows.count() > 20000) return {};
    std::map<std::uint32_t, RowSet> layers;
    rows.each([&](std::size_t row) {
        layers.try_emplace(data.layer[row], RowSet(data.table.rows())).first->second.insert(row);
    });
    std::string text;
    std::size_t lines = 0;
    for (const auto& [layer, of_layer] : layers) {
        if (++lines > max_lines) break;
        if (!text.empty()) text += '\n';
        text += LayerCommand(data, of_layer).text(data.layer_names[layer]);
    }
    return text;
}

}  // namespace convscope::app
