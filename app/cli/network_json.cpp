#include "app/cli/network_json.h"

#include <nlohmann/json.hpp>

#include "kernels/records/json.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json layer_json(const NetworkPlan& plan, const Preset& preset, const LayerRows& layer) {
    return {{"layer", layer_name(preset)},
            {"times", preset.times},
            {"sparsity_from", plan.chain ? "chain" : to_string(preset.sparsity_from)},
            {"source_text", preset.source_text},
            {"rows", Json::parse(to_json(layer.rows))}};
}

Json model_json(const ModelLayer& layer) {
    return {{"node", layer.node},
            {"shape", to_string(layer.shape)},
            {"weights", layer.shape.w_elements()},
            {"normalized", layer.normalized},
            {"x_zeros", layer.x_zeros},
            {"w_zeros", layer.w_zeros},
            {"multiply_adds", layer.multiply_adds},
            {"nonzero_multiply_adds", layer.nonzero_multiply_adds}};
}

Json total_json(const MethodTotal& total) {
    Json json{{"method", total.method}, {"layers", total.layers}, {"time_us", nullptr}};
    if (total.layers > 0) json["time_us"] = total.time_us;
    const bool compared = total.compared > 0;
    json["vendor_method"] = total.vendor;
    json["compared_layers"] = total.compared;
    json["compared_us"] = compared ? Json(total.compared_us) : Json(nullptr);
    json["vendor_us"] = compared ? Json(total.vendor_us) : Json(nullptr);
    json["speedup_vs_vendor"] = compared ? Json(total.speedup()) : Json(nullptr);
    json["slowest_layer_speedup"] = compared ? Json(total.slowest) : Json(nullptr);
    json["fastest_layer_speedup"] = compared ? Json(total.fastest) : Json(nullptr);
    return json;
}

}  // namespace

std::string network_json(const NetworkPlan& plan, const std::vector<LayerRows>& layers, const ModelNetwork* model) {
    Json json{{"network", plan.network.name},
              {"title", plan.network.head.title},
              {"profile", plan.network.head.profile},
              {"chain", plan.chain},
              {"network_layers", plan.network.layers.size()},
              {"layers", Json::array()},
              {"totals", Json::array()}};
    for (std::size_t i = 0; i < (model ? plan.network.layers.size() : layers.size()); ++i) {
        const Preset& preset = plan.network.layers[i];
        Json& layer =
            json["layers"].emplace_back(layer_json(plan, preset, i < layers.size() ? layers[i] : LayerRows{}));
        if (model) layer["model"] = model_json(model->layer(preset));
    }
    for (const MethodTotal& total : network_totals(layers)) json["totals"].push_back(total_json(total));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace convscope::cli
