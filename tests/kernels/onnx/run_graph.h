// Runs small graphs that a test writes.
#pragma once

#include "kernels/onnx/model_run.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/onnx/onnx_writer.h"

namespace convscope::testing {

inline OnnxModel read_bytes(const std::string& bytes) {
    const TempFolder folder;
    return read_onnx(folder.write("net.onnx", bytes));
}

/// 0, 1, 2, ... as the input of a graph.
inline ModelArray counting(const NpyShape& shape, float first = 0) {
    ModelArray array{shape, {}};
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) elements *= size;
    for (std::int64_t i = 0; i < elements; ++i) array.data.push_back(first + static_cast<float>(i));
    return array;
}

/// The output 'y' of a graph of one input 'x'.
inline ModelArray run_graph(Graph graph, ModelArray x, std::int64_t opset = 13) {
    graph.inputs = {value("x")};
    graph.outputs = {value("y")};
    return run_model(read_bytes(model(graph, opset)), std::move(x), {}).at(0).array;
}

/// The sentence after the file's name with which it is rejected.
inline std::string graph_error(const Graph& graph, const ModelArray& x, std::int64_t opset = 13) {
    const std::string sentence = error_of(ErrorKind::file, [&] { run_graph(graph, x, opset); });
    const std::size_t name = sentence.find("net.onnx: ");
    return name == std::string::npos ? sentence : sentence.substr(name + 10);
}

}  // namespace convscope::testing
