// convscope list: what there is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/load_workload.h"
#include "app/cli/subcommand.h"
#include "kernels/core/error.h"
#include "kernels/formats/sparse_format.h"
#include "kernels/layers/network.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/method/registry.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The settings of a method, for a small pooled layer, which nearly every method supports.
Json launch_json(const Method& method) {
    ConvShape probe;
    probe.h = probe.w = 8;
    probe.r = probe.s = 3;
    probe.pool_h = probe.pool_w = probe.pool_stride = 2;
    const LaunchSpace space = method.supports(probe) ? method.launch_space(probe) : LaunchSpace{};
    Json tunables = Json::array();
    for (const Tunable& tunable : space.tunables)
        tunables.push_back({{"name", tunable.name},
                            {"meaning", tunable.meaning},
                            {"values", tunable.values},
                            {"default", tunable.default_value}});
    return {{"block", space.block_free}, {"grid", space.grid_free}, {"tunables", tunables}};
}

Json json_of(const Method& method) {
    const MethodInfo& info = method.info();
    return {{"id", info.id},
            {"family", info.family},
            {"title", info.title},
            {"device", to_string(info.device)},
            {"paper", info.paper},
            {"follows", info.follows},
            {"dtype", to_string(info.dtype)},
            {"layout", to_string(info.layout)},
            {"vendor", info.vendor},
            {"stages", info.stages},
            {"takes", {{"dilation", info.takes.dilation}, {"groups", info.takes.groups}, {"sides", info.takes.sides}}},
            {"launch", launch_json(method)}};
}

Json json_of(const Preset& preset) {
    const ConvShape& shape = preset.spec.shape;
    Json json{{"name", preset.spec.name}, {"title", preset.title}};
    for (const ShapeField& field : shape_fields)
        if (is_written(field, shape)) json[field.name] = shape.*field.member;
    json["p"] = shape.p();
    json["q"] = shape.q();
    json["source"] = to_string(preset.spec.source);
    json["sparsity"] = preset.spec.sparsity;
    json["seed"] = preset.spec.seed;
    json["source_text"] = preset.source_text;
    json["file"] = preset.file.string();
    return json;
}

Json json_of(const Network& network) {
    Json layers = Json::array();
    for (const Preset& layer : network.layers)
        layers.push_back({{"preset", layer.spec.name},
                          {"times", layer.times},
                          {"sparsity", layer.spec.sparsity},
                          {"sparsity_from", to_string(layer.sparsity_from)}});
    return {{"name", network.name},
            {"title", network.head.title},
            {"chain", network.head.chain},
            {"profile", network.head.profile},
            {"layers", layers}};
}

Json json_of(const DeviceInfo& device) {
    Json json{{"id", device.id}, {"name", device.name}, {"available", device.available}};
    if (!device.available) json["reason"] = device.reason;
    json["kind"] = to_string(device.kind);
    json["compute_capability"] = device.compute_capability;
    json["driver_version"] = device.driver_version;
    json["cuda_version"] = device.cuda_version;
    json["vendor_version"] = device.vendor_version;
    if (!device.vendor_reason.empty()) json["vendor_reason"] = device.vendor_reason;
    json["memory_bytes"] = device.model.memory_bytes;
    return json;
}

void print_json(const Json& array) {
    fmt::print("{}\n", array.dump(2, ' ', false, Json::error_handler_t::replace));
}

/// Rows of text in columns as wide as their widest cell; the last column is not padded.
void print_columns(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i + 1 < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
        fmt::print("{}{}\n", line, row.back());
    }
}

int list_methods(bool json) {
    const auto registry = make_registry();
    Json array = Json::array();
    std::vector<std::vector<std::string>> rows{{"id", "device", "dtype", "paper", "stages", "title"}};
    for (const auto& method : registry->methods()) {
        const MethodInfo& info = method->info();
        array.push_back(json_of(*method));
        rows.push_back({info.id, to_string(info.device), to_string(info.dtype), info.paper.empty() ? "-" : info.paper,
                        fmt::format("{}", fmt::join(info.stages, ", ")), info.title});
    }
    json ? print_json(array) : print_columns(rows);
    return 0;
}

int list_presets(bool json) {
    Json array = Json::array();
    std::vector<std::vector<std::string>> rows{{"name", "shape", "title"}};
    for (const Preset& preset : all_presets()) {
        array.push_back(json_of(preset));
        rows.push_back({preset.spec.name, to_string(preset.spec.shape), preset.title});
    }
    json ? print_json(array) : print_columns(rows);
    return 0;
}

int list_devices(bool json) {
    const auto registry = make_registry();
    Json array = Json::array();
    std::vector<std::vector<std::string>> rows{{"id", "available", "name"}};
    for (const DeviceInfo* device : registry->devices()) {
        array.push_back(json_of(*device));
        const std::string& why = device->available ? device->vendor_reason : device->reason;
        rows.push_back({device->id, device->available ? "yes" : "no",
                        device->name + (why.empty() ? "" : fmt::format(" ({})", why))});
    }
    json ? print_json(array) : print_columns(rows);
    return 0;
}

int list_networks(bool json) {
    Json array = Json::array();
    std::vector<std::vector<std::string>> rows{{"name", "layers", "chain", "title"}};
    for (const Network& network : all_networks()) {
        array.push_back(json_of(network));
        rows.push_back({network.name, std::to_string(network.layers.size()), network.head.chain ? "yes" : "no",
                        network.head.title});
    }
    json ? print_json(array) : print_columns(rows);
    return 0;
}

Json json_of(const SparseFormat& format) {
    return {{"name", format.name},
            {"title", format.title},
            {"levels", describe_levels(format)},
            {"text", format.about()},
            {"file", format.file.string()}};
}

int list_formats(bool json) {
    Json array = Json::array();
    std::vector<std::vector<std::string>> rows{{"name", "title", "levels"}};
    for (const SparseFormat& format : all_sparse_formats()) {
        array.push_back(json_of(format));
        rows.push_back({format.name, format.title, describe_levels(format)});
    }
    json ? print_json(array) : print_columns(rows);
    return note_unread_formats() ? static_cast<int>(ErrorKind::file) : 0;
}

/// The lists that can be printed.
constexpr std::pair<const char*, int (*)(bool json)> lists[] = {{"methods", list_methods},
                                                                {"presets", list_presets},
                                                                {"networks", list_networks},
                                                                {"devices", list_devices},
                                                                {"formats", list_formats}};

/// "methods, presets, networks, devices or formats"
std::string list_words() {
    std::vector<std::string> names = list_names();
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

int list(const std::string& what, bool json) {
    for (const auto& [name, print] : lists)
        if (what == name) return print(json);
    if (what.empty()) throw Error(ErrorKind::usage, fmt::format("list what? Give {}", list_words()));
    throw Error(ErrorKind::usage, fmt::format("'{}' cannot be listed; give {}", what, list_words()));
}

}  // namespace

std::vector<std::string> list_names() {
    std::vector<std::string> names;
    for (const auto& [name, print] : lists) names.emplace_back(name);
    return names;
}

Command add_list(CLI::App& program) {
    const std::string words = list_words();
    Subcommand command(program, "list", fmt::format("the {} there are", words).c_str());
    auto what = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    command.option("WHAT", *what, "", words.c_str());
    command.toggle("--json", *json, "as a JSON array of objects");
    return command.runs([what, json] { return list(*what, *json); });
}

}  // namespace convscope::cli
