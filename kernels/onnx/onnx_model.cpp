#include "kernels/onnx/onnx_model.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"
#include "kernels/files/text_file.h"
#include "kernels/onnx/wire_format.h"

namespace convscope {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{1} << 31;  // of a Protocol Buffers message
constexpr std::int64_t min_opset = 7;                         // since then binary operators broadcast as NumPy does

/// TensorProto.DataType.
namespace element {
constexpr std::int64_t f32 = 1, u8 = 2, i8 = 3, i32 = 6, i64 = 7, boolean = 9, f64 = 11;
}

/// AttributeProto.AttributeType.
namespace attribute_type {
constexpr std::int64_t real = 1, integer = 2, text = 3;
}

std::string text_in(const WireField& field) {
    return std::string(field.text());
}

OnnxTensor read_tensor(std::string_view message) {
    OnnxTensor tensor;
    WireReader reader(message);
    for (WireField field; reader.next(field);) switch (field.number) {
            case 1:  // dims
                field.append_to(tensor.shape);
                break;
            case 2:  // data_type
                tensor.type = field.integer();
                break;
            case 4:  // float_data
                field.append_to(tensor.floats);
                break;
            case 5:  // int32_data
            case 7:  // int64_data
                field.append_to(tensor.integers);
                break;
            case 8:  // name
                tensor.name = text_in(field);
                break;
            case 9:  // raw_data
                tensor.raw = field.text();
                break;
            case 10:  // double_data
                field.append_to(tensor.doubles);
                break;
            case 14:  // data_location
                tensor.elsewhere = field.integer() != 0;
                break;
            default:
                break;
        }
    return tensor;
}

OnnxAttribute read_attribute(std::string_view message) {
    OnnxAttribute attribute;
    std::int64_t type = 0;
    WireReader reader(message);
    for (WireField field; reader.next(field);) switch (field.number) {
            case 1:  // name
                attribute.name = text_in(field);
                break;
            case 2:  // f
                attribute.real = field.real();
                break;
            case 3:  // i
                attribute.integer = field.integer();
                break;
            case 4:  // s
                attribute.text = text_in(field);
                break;
            case 5:  // t
                attribute.tensor = read_tensor(field.text());
                break;
            case 7:  // floats
                field.append_to(attribute.reals);
                break;
            case 8:  // ints
                field.append_to(attribute.integers);
                break;
            case 20:  // type
                type = field.integer();
                break;
            default:
                break;
        }
    // Some writers leave out a value that is 0 or empty.
    if (type == attribute_type::real && !attribute.real) attribute.real = 0.0F;
    if (type == attribute_type::integer && !attribute.integer) attribute.integer = 0;
    if (type == attribute_type::text && !attribute.text) attribute.text = "";
    return attribute;
}

OnnxNode read_node(std::string_view message) {
    OnnxNode node;
    WireReader reader(message);
    for (WireField field; reader.next(field);) switch (field.number) {
            case 1:  // input
                node.inputs.push_back(text_in(field));
                break;
            case 2:  // output
                node.outputs.push_back(text_in(field));
                break;
            case 3:  // name
                node.name = text_in(field);
                break;
            case 4:  // op_type
                node.op = text_in(field);
                break;
            case 5:  // attribute
                node.attributes.push_back(read_attribute(field.text()));
                break;
            case 7:  // domain
                node.domain = text_in(field);
                break;
            default:
                break;
        }
    return node;
}

/// TensorShapeProto: a list of dimensions, each with a value (1), a name (2) or neither.
NpyShape read_shape(std::string_view message) {
    NpyShape shape;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
        if (field.number != 1) continue;
        std::int64_t& size = shape.emplace_back(-1);
        WireReader dimension(field.text());
        for (WireField value; dimension.next(value);)
            if (value.number == 1) size = value.integer();
    }
    return shape;
}

OnnxValue read_value(std::string_view message) {
    OnnxValue value;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
        if (field.number == 1) value.name = text_in(field);
        if (field.number != 2) continue;  // type
        WireReader type(field.text());
        for (WireField of_type; type.next(of_type);) {
            if (of_type.number != 1) continue;  // tensor_type
            WireReader tensor(of_type.text());
            for (WireField of_tensor; tensor.next(of_tensor);) {
                if (of_tensor.number == 1) value.type = of_tensor.integer();
                if (of_tensor.number == 2) value.shape = read_shape(of_tensor.text());
            }
        }
    }
    return value;
}

void add_constant(OnnxModel& model, const std::string& name, OnnxTensor tensor) {
    tensor.name = name;
    if (!model.constants.emplace(name, std::move(tensor)).second)
        model.reject(fmt::format("two of its constants are called '{}'", name));
}

void read_graph(std::string_view message, OnnxModel& model) {
    std::vector<OnnxValue> inputs;
    WireReader reader(message);
    for (WireField field; reader.next(field);) switch (field.number) {
            case 1:  // node
                model.nodes.push_back(read_node(field.text()));
                break;
            case 5: {  // initializer
                OnnxTensor tensor = read_tensor(field.text());
                const std::string name = tensor.name;
                add_constant(model, name, std::move(tensor));
                break;
            }
            case 11:  // input
                inputs.push_back(read_value(field.text()));
                break;
            case 12:  // output
                model.outputs.push_back(read_value(field.text()));
                break;
            case 15:  // sparse_initializer
                model.reject("it has weights as sparse tensors; accepted are dense ones");
            default:
                break;
        }
    for (OnnxValue& input : inputs)
        if (!model.constants.contains(input.name)) model.inputs.push_back(std::move(input));
}

/// OperatorSetIdProto: domain (1) and version (2). ONNX's own operators have no domain, or 'ai.onnx'.
void read_opset(std::string_view message, OnnxModel& model) {
    std::string domain;
    std::int64_t version = 0;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
        if (field.number == 1) domain = text_in(field);
        if (field.number == 2) version = field.integer();
    }
    if (domain.empty() || domain == "ai.onnx") model.opset = version;
}

/// A Constant node's value is a constant like an initializer.
void take_constant_nodes(OnnxModel& model) {
    std::vector<OnnxNode> others;
    for (OnnxNode& node : model.nodes) {
        if (node.op != "Constant" || !node.domain.empty()) {
            others.push_back(std::move(node));
            continue;
        }
        OnnxTensor tensor;
        for (OnnxAttribute& attribute : node.attributes) {
            const bool list = !attribute.integers.empty() || !attribute.reals.empty();
            if (attribute.tensor) tensor = std::move(*attribute.tensor);
            if (attribute.integer) attribute.integers = {*attribute.integer};
            if (attribute.real) attribute.reals = {*attribute.real};
            if (list) tensor.shape = {std::ssize(attribute.integers) + std::ssize(attribute.reals)};
            if (!attribute.integers.empty()) tensor.type = element::i64;
            if (!attribute.reals.empty()) tensor.type = element::f32;
            tensor.integers.insert(tensor.integers.end(), attribute.integers.begin(), attribute.integers.end());
            tensor.floats.insert(tensor.floats.end(), attribute.reals.begin(), attribute.reals.end());
        }
        if (tensor.type == 0 || node.outputs.size() != 1)
            model.reject(fmt::format("its Constant node '{}' has no number, list of numbers or tensor", node.label()));
        add_constant(model, node.outputs.front(), std::move(tensor));
    }
    model.nodes = std::move(others);
}

void read_model(OnnxModel& model) {
    bool has_graph = false;
    WireReader reader(*model.bytes);
    for (WireField field; reader.next(field);) {
        if (field.number == 8) read_opset(field.text(), model);
        if (field.number != 7) continue;
        if (std::exchange(has_graph, true)) throw BadMessage("it has two graphs");
        read_graph(field.text(), model);
    }
    if (!has_graph) throw BadMessage("it has no graph");
}

/// Throws where there are none, or more than an index addresses.
std::size_t elements_of(const OnnxModel& model, const OnnxTensor& tensor) {
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.shape) {
        if (size < 1 || size > std::numeric_limits<std::int32_t>::max() / elements)
            model.reject(fmt::format("its constant '{}' is {}; it must have 1 to 2^31 - 1 elements", tensor.name,
                                     to_string(tensor.shape)));
        elements *= size;
    }
    return static_cast<std::size_t>(elements);
}

void require_elements(const OnnxModel& model, const OnnxTensor& tensor, std::size_t found) {
    if (const std::size_t wanted = elements_of(model, tensor); wanted != found)
        model.reject(fmt::format("its constant '{}' has {} of {} elements", tensor.name, found, wanted));
}

/// Little-endian elements. A machine of the other order would read other values, so none is built for.
template <class Element, class Value>
std::vector<Value> raw_elements(const OnnxModel& model, const OnnxTensor& tensor) {
    static_assert(std::endian::native == std::endian::little);
    if (tensor.raw.size() % sizeof(Element) != 0)
        model.reject(fmt::format("its constant '{}' has {} bytes of elements of {}", tensor.name, tensor.raw.size(),
                                 sizeof(Element)));
    require_elements(model, tensor, tensor.raw.size() / sizeof(Element));
    require_host_memory(static_cast<double>(tensor.raw.size() / sizeof(Element) * sizeof(Value)),
                        fmt::format("the constant '{}'", tensor.name));
    std::vector<Value> values(tensor.raw.size() / sizeof(Element));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Element value;
        std::memcpy(&value, tensor.raw.data() + i * sizeof(Element), sizeof value);
        values[i] = static_cast<Value>(value);
    }
    return values;
}

void require_here(const OnnxModel& model, const OnnxTensor& tensor) {
    if (tensor.elsewhere)
        model.reject(
            fmt::format("the elements of its constant '{}' lie in another file; accepted is a model in one "
                        "file",
                        tensor.name));
}

}  // namespace

std::string OnnxNode::label() const {
    constexpr std::size_t max_bytes = 200;
    if (!name.empty() || outputs.empty()) return printable(name, max_bytes);
    return printable(outputs.front(), max_bytes);
}

void OnnxModel::reject(const std::string& what) const {
    constexpr std::size_t max_bytes = 1000;  // names in the file may be of any length
    throw Error(ErrorKind::file, fmt::format("{}: {}", path.string(), printable(what, max_bytes)));
}

OnnxModel read_onnx(const std::filesystem::path& path) {
    OnnxModel model;
    model.path = path;
    model.bytes = std::make_shared<const std::string>(read_text_file(path, max_file_bytes));
    try {
        read_model(model);
    } catch (const BadMessage& found) {
        model.reject(fmt::format("this is not an ONNX model: {}", found.what()));
    }
    if (model.opset < min_opset)
        model.reject(fmt::format("it is written for version {} of ONNX's operators; accepted are {} and later",
                                 model.opset, min_opset));
    take_constant_nodes(model);
    return model;
}

const OnnxValue& model_input(const OnnxModel& model) {
    if (model.inputs.size() != 1) model.reject(fmt::format("it takes {} inputs; accepted is one", model.inputs.size()));
    if (model.inputs.front().type != element::f32)
        model.reject(fmt::format("its input is of ONNX's type {}; accepted is float32 (1)", model.inputs.front().type));
    return model.inputs.front();
}

std::vector<float> floats_of(const OnnxModel& model, const OnnxTensor& tensor) {
    require_here(model, tensor);
    if (tensor.type != element::f32 && tensor.type != element::f64)
        model.reject(
            fmt::format("the elements of its constant '{}' are of ONNX's type {}; accepted are float32 (1) and "
                        "float64 (11)",
                        tensor.name, tensor.type));
    if (!tensor.raw.empty())
        return tensor.type == element::f32 ? raw_elements<float, float>(model, tensor)
                                           : raw_elements<double, float>(model, tensor);
    if (tensor.type == element::f64) {
        require_elements(model, tensor, tensor.doubles.size());
        std::vector<float> values;
        for (const double value : tensor.doubles) values.push_back(static_cast<float>(value));
        return values;
    }
    require_elements(model, tensor, tensor.floats.size());
    return tensor.floats;
}

std::vector<std::int64_t> integers_of(const OnnxModel& model, const OnnxTensor& tensor) {
    require_here(model, tensor);
    const bool small = tensor.type == element::boolean || tensor.type == element::u8;
    if (tensor.type != element::i64 && tensor.type != element::i32 && tensor.type != element::i8 && !small)
        model.reject(fmt::format("the elements of its constant '{}' are of ONNX's type {}; accepted here are integers",
                                 tensor.name, tensor.type));
    if (tensor.raw.empty()) {
        require_elements(model, tensor, tensor.integers.size());
        return tensor.integers;
    }
    if (tensor.type == element::i64) return raw_elements<std::int64_t, std::int64_t>(model, tensor);
    if (tensor.type == element::i32) return raw_elements<std::int32_t, std::int64_t>(model, tensor);
    return small ? raw_elements<std::uint8_t, std::int64_t>(model, tensor)
                 : raw_elements<std::int8_t, std::int64_t>(model, tensor);
}

}  // namespace convscope
