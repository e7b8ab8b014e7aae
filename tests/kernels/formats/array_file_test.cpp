#include "kernels/formats/array_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "kernels/core/error.h"
#include "kernels/files/npz.h"
#include "kernels/formats/format_file.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

std::string safetensors(const std::string& header, const std::string& data) {
    return bytes_of<std::uint64_t>({header.size()}) + header + data;
}

std::string tensor(const std::string& name, const std::string& type, const std::string& shape, std::size_t begin,
                   std::size_t end) {
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
           std::to_string(begin) + "," + std::to_string(end) + "]}";
}

std::string npy_of(const std::vector<double>& values, const NpyShape& shape) {
    NpyBytes array{"f8", shape, std::vector<std::byte>(8 * values.size())};
    std::memcpy(array.data.data(), values.data(), array.data.size());
    return npy_file_bytes(array);
}

class ArrayFile : public ::testing::Test {
protected:
    /// The sentence behind the file's name, up to what is accepted.
    std::string rejected(const std::string& name, const std::string& bytes, const std::string& array = "") {
        const std::string path = folder.write(name, bytes).string();
        for (const bool whole : {false, true}) {
            try {
                whole ? static_cast<void>(read_array(path + array)) : static_cast<void>(read_array_shape(path + array));
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::file);
                const std::string sentence = error.what();
                EXPECT_TRUE(sentence.starts_with(path + ": ")) << sentence;
                const std::size_t accepted = sentence.find("; accepted are ");
                EXPECT_NE(accepted, std::string::npos) << sentence;
                return sentence.substr(path.size() + 2, accepted - path.size() - 2);
            }
        }
        return "taken";
    }
    std::string rejected_header(const std::string& header, const std::string& data = "") {
        return rejected("a.safetensors", safetensors(header, data));
    }
    TempFolder folder;
};

TEST_F(ArrayFile, safetensors_of_each_type_become_floats) {
    const auto read = [&](const char* type, const std::string& data, const char* shape = "[1,2]") {
        const auto path =
            folder.write("a.safetensors", safetensors("{" + tensor("x", type, shape, 0, data.size()) + "}", data));
        EXPECT_EQ(read_array_shape(path), (NpyShape{1, 2})) << type;
        return read_array(path).data;
    };
    using Floats = std::vector<float>;
    EXPECT_EQ(read("F32", bytes_of<float>({1.5F, -2})), (Floats{1.5F, -2}));
    EXPECT_EQ(read("F64", bytes_of<double>({0.1, -2})), (Floats{0.1F, -2}));
    // 1.5, and the smallest number below zero.
    EXPECT_EQ(read("F16", bytes_of<std::uint16_t>({0x3e00, 0x8001})), (Floats{1.5F, -std::ldexp(1.0F, -24)}));
    EXPECT_EQ(read("F16", bytes_of<std::uint16_t>({0x7bff, 0xfc00})), (Floats{65504, -INFINITY}));
    EXPECT_TRUE(std::isnan(read("F16", bytes_of<std::uint16_t>({0x7e00, 0}))[0]));
    EXPECT_EQ(read("BF16", bytes_of<std::uint16_t>({0x3fc0, 0xc000})), (Floats{1.5F, -2}));
    EXPECT_EQ(read("I64", bytes_of<std::int64_t>({-3, 4})), (Floats{-3, 4}));
    EXPECT_EQ(read("U64", bytes_of<std::uint64_t>({3, std::uint64_t{1} << 63})), (Floats{3, 0x1p63F}));
    EXPECT_EQ(read("I32", bytes_of<std::int32_t>({-3, 4})), (Floats{-3, 4}));
    EXPECT_EQ(read("U32", bytes_of<std::uint32_t>({3, 0x80000000})), (Floats{3, 0x1p31F}));
    EXPECT_EQ(read("I16", bytes_of<std::int16_t>({-3, 4})), (Floats{-3, 4}));
    EXPECT_EQ(read("U16", bytes_of<std::uint16_t>({3, 0xffff})), (Floats{3, 65535}));
    EXPECT_EQ(read("I8", bytes_of<std::int8_t>({-3, 4})), (Floats{-3, 4}));
    EXPECT_EQ(read("U8", bytes_of<std::uint8_t>({3, 255})), (Floats{3, 255}));
    EXPECT_EQ(read("BOOL", bytes_of<std::uint8_t>({0, 1})), (Floats{0, 1}));
}

TEST_F(ArrayFile, a_tensor_is_named_where_there_are_several) {
    const std::string bytes =
        safetensors("{\"__metadata__\":{\"format\":\"pt\"}," + tensor("conv.weight", "F32", "[2,1]", 8, 16) + "," +
                        tensor("b:0", "U8", "[2,2,2]", 0, 8) + "}",
                    std::string(8, '\1') + bytes_of<float>({5, 6}));
    const std::string path = folder.write("m.safetensors", bytes).string();
    EXPECT_EQ(read_array(path + ":conv.weight").data, (std::vector<float>{5, 6}));
    EXPECT_EQ(read_array(path + ":b:0").shape, (NpyShape{2, 2, 2}));
    EXPECT_EQ(rejected("m.safetensors", bytes), "it has 2 arrays, and FILE:NAME names one; they are b:0, conv.weight");
    EXPECT_EQ(rejected("m.safetensors", bytes, ":w"), "it has no array 'w'; its arrays are b:0, conv.weight");
    EXPECT_EQ(file_of_array(path + ":b:0"), path);
    EXPECT_TRUE(is_array_file(path + ":b:0"));
    EXPECT_FALSE(is_array_file("m.safetensors.txt"));
}

TEST_F(ArrayFile, each_defect_of_safetensors_has_its_sentence) {
    EXPECT_EQ(rejected("a.safetensors", "short"), "it ends inside its header");
    EXPECT_EQ(rejected("a.safetensors", bytes_of<std::uint64_t>({~std::uint64_t{0}}) + "{}"),
              "it says that its header has 18446744073709551615 bytes, and 2 follow");
    EXPECT_EQ(rejected_header("{\"x\":"), "its header is no JSON object");
    EXPECT_EQ(rejected_header("[]"), "its header is no JSON object");
    EXPECT_EQ(rejected_header("{}"), "it has no array");
    EXPECT_EQ(rejected_header("{\"x\":3}"), "its tensor 'x' has no dtype");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,-1]", 0, 4) + "}", "1234"),
              "its tensor 'x' has no shape of whole numbers");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,1.5]", 0, 4) + "}", "1234"),
              "its tensor 'x' has no shape of whole numbers");
    for (const auto& [begin, end] : {std::pair{0, 5}, {4, 0}})
        EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,1]", begin, end) + "}", "1234"),
                  "its tensor 'x' has no data_offsets within the 4 bytes of data");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,2]", 0, 4) + "}", "1234"),
              "its tensor 'x' has 4 bytes of data, where its shape 1x2 takes 8");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[4294967296,4294967296]", 0, 4) + "}", "1234"),
              "its tensor 'x' has the shape 4294967296x4294967296");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,1]", 1, 5) + "}", "12345"),
              "its data have no tensor at byte 0");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,1]", 0, 4) + "}", "12345"),
              "its data have no tensor at byte 4");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,1]", 0, 4) + "," + tensor("y", "F32", "[1,1]", 2, 6) + "}",
                              "123456"),
              "its data have two tensors at byte 2");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1]", 0, 4) + "}", "1234"), "it has 1 dimension(s)");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F32", "[1,0]", 0, 0) + "}"), "its shape 1x0 has no elements");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F8_E4M3", "[1,1]", 0, 1) + "}", "1"), "its tensor 'x' is of F8_E4M3");
    EXPECT_EQ(rejected_header("{" + tensor("x", "F64", "[1,1]", 0, 8) + "}", bytes_of<double>({1e300})),
              "its element 1e+300 is beyond the range of float32");
    EXPECT_THROW(read_array(folder / "none.safetensors"), Error);
}

TEST_F(ArrayFile, what_cannot_be_read_has_no_shape) {
    const auto shape_of = [&](const std::string& name, const std::string& bytes) {
        return read_array_shape(folder.write(name, bytes));
    };
    EXPECT_THROW(shape_of("a.safetensors", safetensors("{" + tensor("x", "F8_E4M3", "[1,1]", 0, 1) + "}", "1")), Error);
    NpyBytes whole{"i8", {1, 1}, std::vector<std::byte>(8)};
    EXPECT_THROW(shape_of("a.npz", npz_file_bytes({{"x", npy_file_bytes(whole)}})), Error);
    const std::string cut = npy_of({1, 2}, {1, 2}).substr(0, 140);
    EXPECT_THROW(shape_of("a.npz", npz_file_bytes({{"x", cut}})), Error);
}

TEST_F(ArrayFile, an_array_of_an_npz_is_read) {
    const std::string one = npz_file_bytes({{"x", npy_of({1, 0, 0.1, 2}, {2, 2})}});
    const std::string path = folder.write("one.npz", one).string();
    EXPECT_EQ(read_array_shape(path), (NpyShape{2, 2}));
    EXPECT_EQ(read_array(path).data, (std::vector<float>{1, 0, 0.1F, 2}));
    const std::string two = npz_file_bytes({{"x", npy_of({7, 8}, {1, 2})}, {"format", npy_file_of_text("csr")}});
    const std::string both = folder.write("two.npz", two).string();
    EXPECT_EQ(read_array(both + ":x").data, (std::vector<float>{7, 8}));
    EXPECT_EQ(rejected("two.npz", two), "it has 2 arrays, and FILE:NAME names one; they are format, x");
    EXPECT_EQ(rejected("two.npz", npz_file_bytes({{"x", npy_of({1}, {1})}})), "it has 1 dimension(s)");
}

TEST_F(ArrayFile, a_sparse_matrix_is_the_dense_array_it_stands_for) {
    const FormatMatrix dense{4, 6, {0, 1, 2, 0, 0, 3, 0, 0, 4, 5, 0, 6, 0, 0, 0, 0, 0, 0, 7, 0, 8, 0, 0, 9}};
    for (const char* name : {"csr", "csc", "coo", "bsr", "dia", "ell"}) {
        const FormatArrays made = build_from_entries(find_sparse_format(name), make_sparse(dense), false);
        const auto path = folder.write("m.npz", matrix_npz_bytes(made));
        EXPECT_EQ(read_array_shape(path), (NpyShape{4, 6})) << name;
        EXPECT_EQ(read_array(path).data, dense.values) << name;
    }
}

TEST_F(ArrayFile, what_is_no_sparse_matrix_is_rejected_before_memory_is_taken) {
    const auto whole = [](const NpyShape& numbers) {
        NpyBytes array{"i8", {std::ssize(numbers)}, std::vector<std::byte>(8 * numbers.size())};
        std::memcpy(array.data.data(), numbers.data(), array.data.size());
        return npy_file_bytes(array);
    };
    const auto csr = [&](const char* format, const NpyShape& shape) {
        return npz_file_bytes({{"format", npy_file_of_text(format)},
                               {"shape", whole(shape)},
                               {"indptr", whole({0, 0})},
                               {"indices", whole({})},
                               {"data", npy_of({}, {0})}});
    };
    EXPECT_EQ(rejected("m.npz", csr("csr", {1, 3})), "taken");
    EXPECT_TRUE(rejected("m.npz", csr("lil", {1, 3})).starts_with("its format is 'lil'; there are "));
    EXPECT_EQ(rejected("m.npz", csr("csr", {3})), "its array 'shape' is not of two integers");
    EXPECT_EQ(rejected("m.npz", csr("csr", {1 << 20, 1 << 20})),
              "its matrix is 1048576 \u00d7 1048576, and one of 1 to 2147483647 elements is read");
    // The rows are read before room is made for their zeros.
    EXPECT_TRUE(rejected("m.npz", csr("csr", {1 << 15, 1 << 15})).starts_with("it is no matrix in csr: "));
}

}  // namespace
}  // namespace convscope
