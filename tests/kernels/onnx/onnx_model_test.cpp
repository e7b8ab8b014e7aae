// Reading ONNX files, and the sentence for each file that does not read.
#include "kernels/onnx/onnx_model.h"

#include <gtest/gtest.h>

#include "tests/kernels/onnx/run_graph.h"

namespace convscope {
namespace {

using testing::attribute;
using testing::Graph;
using testing::Message;
using testing::model;
using testing::node;
using testing::read_bytes;
using testing::Sizes;
using testing::tensor;
using testing::value;
using Reals = std::vector<float>;

std::string rejection(const std::string& bytes) {
    const std::string sentence = error_of(ErrorKind::file, [&] { read_bytes(bytes); });
    return sentence.substr(std::min(sentence.size(), sentence.find("net.onnx: ") + 10));
}

TEST(OnnxModel, reads_nodes_values_and_constants) {
    const OnnxModel net =
        read_bytes(model({{node("Conv", {"x", "w", ""}, {"y"},
                                {attribute("group", 2), attribute("auto_pad", std::string("VALID"))}, "first"),
                           node("Relu", {"y"}, {"z"})},
                          {tensor("w", {2, 1}, std::vector<float>{1, -2})},
                          {value("x", {-1, 3, 8}), value("w", {2, 1})},
                          {value("z")}},
                         15));
    EXPECT_EQ(net.opset, 15);
    ASSERT_EQ(net.nodes.size(), 2U);
    EXPECT_EQ(net.nodes[0].op, "Conv");
    EXPECT_EQ(net.nodes[0].label(), "first");
    EXPECT_EQ(net.nodes[0].inputs, (std::vector<std::string>{"x", "w", ""}));
    EXPECT_EQ(net.nodes[0].attributes.at(0).integer, 2);
    EXPECT_EQ(net.nodes[0].attributes.at(1).text, "VALID");
    EXPECT_EQ(net.nodes[1].label(), "z") << "a node without a name is called by its output";
    ASSERT_EQ(net.inputs.size(), 1U) << "old files list constants among the inputs";
    EXPECT_EQ(net.inputs[0].shape, (NpyShape{-1, 3, 8}));
    EXPECT_EQ(net.inputs[0].type, 1);
    EXPECT_EQ(net.outputs.at(0).shape, std::nullopt);
    EXPECT_EQ(floats_of(net, net.constants.at("w")), (std::vector<float>{1, -2}));
}

TEST(OnnxModel, a_constants_elements_stand_in_any_of_its_fields) {
    const auto packed_doubles = [] {
        std::string bytes;
        for (const double each : {0.5, -4.0}) bytes.append(reinterpret_cast<const char*>(&each), sizeof each);
        return bytes;
    };
    const auto constant = [](std::int64_t type) {
        return Message().text(1, Message::packed(Sizes{2})).number(2, type).text(8, "c");
    };
    const auto floats = [&](const Message& of) {
        const OnnxModel net = read_bytes(model({{}, {of}, {}, {}}));
        return floats_of(net, net.constants.at("c"));
    };
    const auto integers = [&](const Message& of) {
        const OnnxModel net = read_bytes(model({{}, {of}, {}, {}}));
        return integers_of(net, net.constants.at("c"));
    };
    EXPECT_EQ(floats(constant(1).text(9, Message::packed(Reals{1, 2}))), (Reals{1, 2})) << "raw";
    EXPECT_EQ(floats(constant(1).text(4, Message::packed(Reals{1, 2}))), (Reals{1, 2})) << "packed";
    EXPECT_EQ(floats(constant(1).real(4, 1).real(4, 2)), (Reals{1, 2})) << "one by one";
    EXPECT_EQ(floats(constant(11).text(9, packed_doubles())), (Reals{0.5, -4}));
    EXPECT_EQ(floats(constant(11).text(10, packed_doubles())), (Reals{0.5, -4}));
    EXPECT_EQ(integers(constant(7).text(7, Message::packed(Sizes{-1, 300}))), (Sizes{-1, 300}));
    EXPECT_EQ(integers(constant(6).text(5, Message::packed(Sizes{-1, 300}))), (Sizes{-1, 300}));
    EXPECT_EQ(integers(constant(6).text(9, std::string("\xff\xff\xff\xff\x2c\x01\0\0", 8))), (Sizes{-1, 300}));
    EXPECT_EQ(integers(constant(9).text(9, std::string("\1\0", 2))), (Sizes{1, 0}));
    EXPECT_EQ(integers(constant(3).text(9, "\xff\x02")), (Sizes{-1, 2}));
}

TEST(OnnxModel, nodes_that_are_constants_become_constants) {
    const auto constant = [](const Message& of) {
        const OnnxModel net = read_bytes(model({{node("Constant", {}, {"c"}, {of})}, {}, {}, {}}));
        EXPECT_TRUE(net.nodes.empty());
        return net.constants.at("c");
    };
    const OnnxTensor list = constant(attribute("value_ints", Sizes{3, -1}));
    EXPECT_EQ(list.shape, (NpyShape{2}));
    EXPECT_EQ(list.integers, (Sizes{3, -1}));
    EXPECT_EQ(constant(attribute("value_float", 0.5F)).floats, std::vector<float>{0.5});
    EXPECT_TRUE(constant(attribute("value_int", 4)).shape.empty()) << "a scalar";
    EXPECT_EQ(constant(Message().text(1, "value").message(5, tensor("", {1}, Sizes{7}))).integers, Sizes{7});
    EXPECT_EQ(
        rejection(model({{node("Constant", {}, {"c"}, {attribute("value_string", std::string("a"))})}, {}, {}, {}})),
        "its Constant node 'c' has no number, list of numbers or tensor");
}

TEST(OnnxModel, bad_files_are_one_sentence) {
    EXPECT_EQ(rejection(""), "this is not an ONNX model: it has no graph");
    EXPECT_EQ(rejection("PNG"), "this is not an ONNX model: it has a field of the unknown type 7");
    EXPECT_EQ(rejection(model({}, 6)), "it is written for version 6 of ONNX's operators; accepted are 7 and later");
    EXPECT_EQ(rejection(model({{}, {tensor("c", {1}, Sizes{1}), tensor("c", {1}, Sizes{1})}, {}, {}})),
              "two of its constants are called 'c'");
    EXPECT_EQ(error_of(ErrorKind::file, [] { read_onnx("/nowhere/net.onnx"); }),
              "'/nowhere/net.onnx' cannot be read: No such file or directory");
}

TEST(OnnxModel, a_constant_has_the_elements_that_it_says) {
    const auto sentence = [](const Message& constant) {
        const OnnxModel net = read_bytes(model({{}, {constant}, {}, {}}));
        const std::string text = error_of(ErrorKind::file, [&] { floats_of(net, net.constants.at("c")); });
        return text.substr(text.find("net.onnx: ") + 10);
    };
    EXPECT_EQ(sentence(tensor("c", {3}, std::vector<float>{1, 2})), "its constant 'c' has 2 of 3 elements");
    // Sizes whose product is 0 as 64 bits.
    const std::int64_t large = std::int64_t{1} << 32;
    EXPECT_EQ(sentence(tensor("c", {large, large}, std::vector<float>{1})),
              "its constant 'c' is 4294967296x4294967296; it must have 1 to 2^31 - 1 elements");
    EXPECT_EQ(sentence(tensor("c", {-1}, std::vector<float>{1})),
              "its constant 'c' is -1; it must have 1 to 2^31 - 1 elements");
    EXPECT_EQ(sentence(tensor("c", {1}, Sizes{1})),
              "the elements of its constant 'c' are of ONNX's type 7; accepted are float32 (1) and float64 (11)");
    EXPECT_EQ(sentence(Message().text(1, Message::packed(Sizes{1})).number(2, 1).text(8, "c").text(9, "abc")),
              "its constant 'c' has 3 bytes of elements of 4");
    EXPECT_EQ(sentence(Message().text(1, Message::packed(Sizes{1})).number(2, 1).text(8, "c").number(14, 1)),
              "the elements of its constant 'c' lie in another file; accepted is a model in one file");
}

}  // namespace
}  // namespace convscope
