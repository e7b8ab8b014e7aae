// Writes ONNX files for tests, in Protocol Buffers' wire format.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace convscope::testing {

/// A message, field by field.
class Message {
public:
    Message& number(std::uint64_t field, std::int64_t value) {
        append(field << 3U);
        append(static_cast<std::uint64_t>(value));
        return *this;
    }
    Message& real(std::uint64_t field, float value) {
        append(field << 3U | 5U);
        append_bits(std::bit_cast<std::uint32_t>(value));
        return *this;
    }
    Message& text(std::uint64_t field, const std::string& bytes) {
        append(field << 3U | 2U);
        append(bytes.size());
        bytes_ += bytes;
        return *this;
    }
    Message& message(std::uint64_t field, const Message& of) { return text(field, of.bytes_); }
    const std::string& bytes() const { return bytes_; }

    static std::string packed(const std::vector<std::int64_t>& values) {
        Message all;
        for (const std::int64_t value : values) all.append(static_cast<std::uint64_t>(value));
        return all.bytes_;
    }
    static std::string packed(const std::vector<float>& values) {
        Message all;
        for (const float value : values) all.append_bits(std::bit_cast<std::uint32_t>(value));
        return all.bytes_;
    }

private:
    void append(std::uint64_t value) {
        for (; value >= 0x80U; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
        bytes_ += static_cast<char>(value);
    }
    void append_bits(std::uint32_t bits) {
        for (int i = 0; i < 4; ++i) bytes_ += static_cast<char>(bits >> (8 * i));
    }

    std::string bytes_;
};

using Sizes = std::vector<std::int64_t>;

/// An attribute: its type (20) says which of the fields holds its value.
inline Message attribute(const std::string& name, int value) {
    return Message().text(1, name).number(3, value).number(20, 2);
}
inline Message attribute(const std::string& name, float value) {
    return Message().text(1, name).real(2, value).number(20, 1);
}
inline Message attribute(const std::string& name, const std::string& value) {
    return Message().text(1, name).text(4, value).number(20, 3);
}
inline Message attribute(const std::string& name, const Sizes& values) {
    return Message().text(1, name).text(8, Message::packed(values)).number(20, 7);
}

inline Message tensor(const std::string& name, const Sizes& shape, const std::vector<float>& values) {
    return Message().text(1, Message::packed(shape)).number(2, 1).text(8, name).text(9, Message::packed(values));
}
inline Message tensor(const std::string& name, const Sizes& shape, const Sizes& values) {
    return Message().text(1, Message::packed(shape)).number(2, 7).text(7, Message::packed(values)).text(8, name);
}

inline Message node(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs, const std::vector<Message>& attributes = {},
                    const std::string& name = "") {
    Message message;
    for (const std::string& input : inputs) message.text(1, input);
    for (const std::string& output : outputs) message.text(2, output);
    if (!name.empty()) message.text(3, name);
    message.text(4, op);
    for (const Message& each : attributes) message.message(5, each);
    return message;
}

/// A value of float32; a size of -1 is left open, and no sizes at all state no shape.
inline Message value(const std::string& name, const Sizes& shape = {}) {
    Message sizes;
    for (const std::int64_t size : shape)
        sizes.message(1, size < 0 ? Message().text(2, "open") : Message().number(1, size));
    Message type = Message().number(1, 1);
    if (!shape.empty()) type.message(2, sizes);
    return Message().text(1, name).message(2, Message().message(1, type));
}

struct Graph {
    std::vector<Message> nodes, constants, inputs, outputs;
};

inline std::string model(const Graph& graph, std::int64_t opset = 13) {
    Message of_graph;
    for (const Message& each : graph.nodes) of_graph.message(1, each);
    for (const Message& each : graph.constants) of_graph.message(5, each);
    for (const Message& each : graph.inputs) of_graph.message(11, each);
    for (const Message& each : graph.outputs) of_graph.message(12, each);
    return Message().number(1, 8).message(7, of_graph).message(8, Message().text(1, "").number(2, opset)).bytes();
}

}  // namespace convscope::testing
