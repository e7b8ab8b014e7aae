// A model as a network: its layers with the x and w that a run has given them.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/layers/network.h"
#include "kernels/onnx/input_file.h"
#include "kernels/onnx/model_run.h"

namespace convscope {

struct ModelNetwork {
    Network network;                 ///< its layers' data are files
    std::vector<ModelLayer> layers;  ///< in the network's order
    std::vector<ModelOutput> outputs;

    /// One of the network's layers, perhaps of a part of it.
    const ModelLayer& layer(const Preset&) const;
};

/// Reads the model and the input, runs the one on the other and writes x and w of each layer to 'folder', as
/// NAME-x.npy and NAME-w.npy. Throws as read_onnx, read_input and run_model do, and Error(file) for a model without a
/// layer or a folder that cannot be written. Without an 'input' it is drawn_input(). 'layer_done' is told each layer's
/// name when it has run; may be empty.
ModelNetwork run_as_network(const std::filesystem::path& model, const std::filesystem::path& input, const InputScaling&,
                            const std::filesystem::path& folder, const std::stop_token&,
                            const std::function<void(const std::string&)>& layer_done = {});

}  // namespace convscope
