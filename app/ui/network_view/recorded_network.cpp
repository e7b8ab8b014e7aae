#include "app/ui/network_view/recorded_network.h"

#include <algorithm>
#include <array>

#include "app/compare/compare_data.h"

namespace convscope::app {
namespace {

constexpr std::array methods{"ocpa", "im2col", "csr1", "cudnn"};

}  // namespace

std::optional<RecordedNetwork> recorded_network(const Network& network) {
    const std::vector<std::filesystem::path> all = recorded_sessions();
    const auto file = std::ranges::find(all, network.name + "-layers",
                                        [](const std::filesystem::path& path) { return path.stem().string(); });
    if (file == all.end()) return {};
    const auto records = open_compare_data({{*file}, true}, {});
    RecordedNetwork recorded{{}, records->provenance};
    NetworkData& data = recorded.data;
    data.title = network.head.title;
    data.baseline = "cudnn FP32";
    for (const char* id : methods) data.methods.push_back({id, std::string_view(id) == "cudnn"});
    const CompareColumns& c = compare_columns();
    const std::size_t weight_zeros = table_column("weight_sparsity_measured");
    for (const Preset& preset : network.layers) {
        NetworkLayer& layer = data.layers.emplace_back(describe_layer(preset));
        layer.bars.resize(methods.size());
        for (std::size_t row = 0; row < records->table.rows(); ++row) {
            const auto method = std::ranges::find(methods, records->text(row, c.method)) - methods.begin();
            if (records->layer_names[records->layer[row]] != preset.spec.name || !records->passed(row) ||
                records->text(row, c.scope) != "kernel" || method == std::ssize(methods))
                continue;
            NetworkBar& bar = layer.bars[static_cast<std::size_t>(method)];
            const double time = records->number(row, c.time);
            if (bar.time_us && *bar.time_us <= time) continue;
            bar.time_us = time;
            layer.weight_zeros = records->table.number(row, weight_zeros);
            if (method == 0) bar.speedup = records->number(row, c.speedup);
        }
    }
    return recorded;
}

}  // namespace convscope::app
