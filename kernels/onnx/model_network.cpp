#include "kernels/onnx/model_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "kernels/files/npy.h"

namespace convscope {
namespace {

void write_tensor(const std::filesystem::path& path, const Tensor& tensor) {
    write_npy(path, std::span<const float>(tensor.data), {tensor.n, tensor.c, tensor.h, tensor.w});
}

}  // namespace

const ModelLayer& ModelNetwork::layer(const Preset& preset) const {
    return *std::ranges::find(layers, layer_name(preset), &ModelLayer::name);
}

ModelNetwork run_as_network(const std::filesystem::path& path, const std::filesystem::path& input,
                            const InputScaling& scaling, const std::filesystem::path& folder,
                            const std::stop_token& stop, const std::function<void(const std::string&)>& layer_done) {
    const OnnxModel model = read_onnx(path);
    ModelNetwork result;
    Network& network = result.network;
    network.name = plain_name(path.stem().string());
    const std::string on = input.empty() ? "drawn values" : input.filename().string();
    network.head.title = fmt::format("{} on {}", path.filename().string(), on);
    network.head.profile = "Each layer's input and weights are those of the model, run with the reference.";
    if (input.empty()) network.head.profile += " The model's own input is drawn, from -1 to 1 with seed 1.";
    ModelOptions options;
    options.stop = stop;
    options.layer = [&](const ModelLayer& layer, const Workload& data) {
        Preset preset;
        preset.spec = data.spec;
        preset.spec.name = fmt::format("{}/{}", network.name, layer.name);
        preset.spec.source = Source::file;
        preset.spec.sparsity = layer.x_zeros;
        preset.spec.input_path = (folder / (layer.name + "-x.npy")).string();
        preset.spec.weights_path = (folder / (layer.name + "-w.npy")).string();
        preset.title = fmt::format("{} {}", network.name, layer.name);
        preset.source_text = fmt::format(
            "Node {} of {}: x is what it saw of {}, w are its weights{}.", layer.node, path.filename().string(), on,
            layer.normalized ? " with the batch normalization that follows folded in" : "");
        preset.sparsity_from = SparsityFrom::measured;
        write_tensor(preset.spec.input_path, data.x);
        write_tensor(preset.spec.weights_path, data.w);
        network.layers.push_back(std::move(preset));
        result.layers.push_back(layer);
        if (layer_done) layer_done(layer.name);
    };
    result.outputs = run_model(model, input.empty() ? drawn_input(model) : read_input(input, model, scaling), options);
    if (network.layers.empty())
        model.reject("it has no convolution and no fully connected layer; accepted is a model with one");
    return result;
}

}  // namespace convscope
