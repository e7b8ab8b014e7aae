// Networks: the convolution layers of a network in their order, from preset files with a [network] table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/layers/preset.h"

namespace convscope {

struct Network {
    std::string name;  ///< its family: "vgg19"
    NetworkHead head;
    std::vector<Preset> layers;  ///< at least one, each with times > 0; a pooling layer belongs to the one before it
};

/// States where the zeros of its layers come from, and that those without a printed source are our choice: shown
/// wherever the network's times are summed.
std::string zeros_text(const Network&);

/// The network in a preset file, or none where it has no [network] table.
std::optional<Network> network_of(const PresetFile&);

/// The networks of preset_folder(), in the order of their names.
const std::vector<Network>& all_networks();

/// The network of the presets that has a layer of this name, "vgg19/conv5_1"; null where none has.
const Network* network_of_layer(const std::string& layer);

/// By its name, or by the path of a preset file (FILE.toml). Throws Error(not_found) that names the nearest networks,
/// or says that the presets of that name are not a network; Error(file) for a bad file.
Network find_network(const std::string& name);

/// The part of a layer's name after the slash: "conv1_2+pool".
std::string layer_name(const Preset&);

/// "64x56x56 * 128x3x3, stride 2, pool 2": a shape without the parts that the layers of a network share.
std::string layer_text(const ConvShape&);

/// The network with these layers only, in its own order. A name without "+pool" or another variant's suffix takes the
/// layer that starts with it and a plus sign. Throws Error(not_found) that names the nearest layers.
Network take_layers(const Network&, const std::vector<std::string>& names);

/// Calls draw_where_values_do_not_fit() for each layer. A layer that loses its maps no longer has measured zeros, and
/// the network's profile says so.
void draw_where_values_do_not_fit(Network&, const Network& named);

/// Throws Error(usage), naming two layers, for a network in which a layer's output is not the next one's input.
void require_chain(const Network&);

}  // namespace convscope
