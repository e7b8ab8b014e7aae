#include "kernels/layers/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/core/error.h"
#include "kernels/core/nearest_names.h"
#include "kernels/layers/fully_connected.h"
#include "kernels/layers/shape_fields.h"

namespace convscope {
namespace {

std::vector<Network> load_networks() {
    std::vector<Network> networks;
    for (const PresetFile& file : all_preset_files())
        if (std::optional<Network> network = network_of(file)) networks.push_back(std::move(*network));
    return networks;
}

std::string listed(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

Network load_network(const std::string& path) {
    std::optional<Network> network = network_of(load_preset_file(path));
    if (!network)
        throw Error(ErrorKind::file,
                    fmt::format("{} is not a network: it has no [network] table (docs/presets.md)", path));
    return std::move(*network);
}

bool is_family(const std::string& name) {
    const std::vector<PresetFile>& files = all_preset_files();
    return std::any_of(files.begin(), files.end(), [&](const PresetFile& file) { return file.family == name; });
}

[[noreturn]] void reject_layer(const Network& network, const std::string& name) {
    std::vector<std::string> names;
    for (const Preset& layer : network.layers) names.push_back(layer_name(layer));
    const std::vector<std::string> nearest = nearest_names(name, names);
    throw Error(ErrorKind::not_found, nearest.empty() ? fmt::format("{} has no layer '{}'; its layers are {} to {}",
                                                                    network.name, name, names.front(), names.back())
                                                      : fmt::format("{} has no layer '{}'; {}", network.name, name,
                                                                    describe_nearest(nearest)));
}

std::string output_text(const ConvShape& shape) {
    return fmt::format("{}x{}x{}", shape.k, shape.out_h(), shape.out_w());
}

std::string input_text(const ConvShape& shape) {
    return fmt::format("{}x{}x{}", shape.c, shape.h, shape.w);
}

}  // namespace

std::string zeros_text(const Network& network) {
    const bool ours = std::ranges::any_of(network.layers, [](const Preset& layer) {
        return layer.sparsity_from == SparsityFrom::ramp || layer.sparsity_from == SparsityFrom::chosen ||
               layer.sparsity_from == SparsityFrom::dense;
    });
    return network.head.profile + (ours ? " What no paper prints is our choice." : "");
}

std::optional<Network> network_of(const PresetFile& file) {
    if (!file.network) return {};
    Network network{file.family, *file.network, {}};
    for (const Preset& preset : file.presets)
        if (preset.times > 0) network.layers.push_back(preset);
    return network;
}

const std::vector<Network>& all_networks() {
    static const std::vector<Network> networks = load_networks();
    return networks;
}

const Network* network_of_layer(const std::string& layer) {
    const std::string name = layer.substr(0, layer.find('/'));
    const auto found = std::ranges::find(all_networks(), name, &Network::name);
    return found == all_networks().end() ? nullptr : &*found;
}

Network find_network(const std::string& name) {
    if (name.ends_with(".toml")) return load_network(name);
    std::vector<std::string> names;
    for (const Network& network : all_networks()) {
        if (network.name == name) return network;
        names.push_back(network.name);
    }
    const std::string there = names.empty() ? "there are none" : "the networks are " + listed(names);
    if (std::ranges::any_of(all_presets(), [&](const Preset& preset) { return preset.spec.name == name; }))
        throw Error(ErrorKind::not_found,
                    fmt::format("'{}' is a layer: convscope bench --preset {}; {}", name, name, there));
    if (is_family(name))
        throw Error(ErrorKind::not_found, fmt::format("the presets {}/... are not a network; {}", name, there));
    const std::vector<std::string> nearest = nearest_names(name, names);
    throw Error(ErrorKind::not_found, nearest.empty()
                                          ? fmt::format("no network '{}'; {}", name, there)
                                          : fmt::format("no network '{}'; {}", name, describe_nearest(nearest)));
}

std::string layer_name(const Preset& layer) {
    return layer.spec.name.substr(layer.spec.name.find('/') + 1);
}

std::string layer_text(const ConvShape& shape) {
    if (is_fully_connected(shape)) return fully_connected_text(shape);
    auto pair = [](std::int64_t a, std::int64_t b) {
        return a == b ? fmt::format("{}", a) : fmt::format("{},{}", a, b);
    };
    std::string text = fmt::format("{}x{}x{} * {}x{}x{}", shape.c, shape.h, shape.w, shape.k, shape.r, shape.s);
    if (shape.groups != 1) text += fmt::format(", {} groups", shape.groups);
    if (shape.dilated()) text += ", dilation " + pair(shape.dilation_h, shape.dilation_w);
    if (shape.stride_h != 1 || shape.stride_w != 1) text += ", stride " + pair(shape.stride_h, shape.stride_w);
    if (shape.padded_by_side()) text += ", pad " + text_of(shape_key(&ConvShape::pad_h), shape, ",");
    if (shape.pooled()) text += ", pool " + pair(shape.pool_h, shape.pool_w);
    return text;
}

Network take_layers(const Network& network, const std::vector<std::string>& names) {
    std::set<std::string> taken;
    for (const std::string& name : names) {
        const auto found = std::find_if(network.layers.begin(), network.layers.end(), [&](const Preset& layer) {
            return layer_name(layer) == name || layer_name(layer).starts_with(name + "+");
        });
        if (name.empty() || found == network.layers.end()) reject_layer(network, name);
        taken.insert(found->spec.name);
    }
    Network part = network;
    std::erase_if(part.layers, [&](const Preset& layer) { return !taken.contains(layer.spec.name); });
    return part;
}

void draw_where_values_do_not_fit(Network& network, const Network& named) {
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        Preset& layer = network.layers[i];
        draw_where_values_do_not_fit(layer.spec, named.layers[i].spec);
        if (named.layers[i].spec.source != Source::file || layer.spec.source == Source::file) continue;
        layer.sparsity_from = SparsityFrom::unsaid;
        network.head.profile = "Drawn, as many as the network's own maps have, unless requested otherwise.";
    }
}

void require_chain(const Network& network) {
    for (std::size_t i = 0; i + 1 < network.layers.size(); ++i) {
        const Preset &from = network.layers[i], &to = network.layers[i + 1];
        const std::string gives = output_text(from.spec.shape), takes = input_text(to.spec.shape);
        if (gives != takes || from.spec.shape.n != to.spec.shape.n)
            throw Error(ErrorKind::usage, fmt::format("{} does not chain: {} gives {}, but {} takes {}", network.name,
                                                      layer_name(from), gives, layer_name(to), takes));
        if (from.times > 1 && gives != input_text(from.spec.shape))
            throw Error(ErrorKind::usage,
                        fmt::format("{} does not chain: {} stands for {} layers, and gives {} but takes {}",
                                    network.name, layer_name(from), from.times, gives, input_text(from.spec.shape)));
    }
    if (network.layers.size() > 1 && !network.head.chain)
        throw Error(ErrorKind::usage,
                    fmt::format("{} does not chain: between {} and {} it branches or does more than ReLU and pooling",
                                network.name, layer_name(network.layers.front()), layer_name(network.layers.back())));
}

}  // namespace convscope
