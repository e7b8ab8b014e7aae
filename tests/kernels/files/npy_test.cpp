#include "kernels/files/npy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "kernels/files/npy_bytes.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

/// A .npy file as bytes, put together here by hand so that reader and writer are not tested against each other only.
std::string npy(const std::string& dictionary, const std::string& data, int major = 1) {
    std::string text = dictionary + "\n";
    std::string file = "\x93NUMPY";
    file += static_cast<char>(major);
    file += '\0';
    const auto length = static_cast<std::uint32_t>(text.size());
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) file += static_cast<char>(length >> (8 * i) & 0xff);
    return file + text + data;
}

std::string dictionary(const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

template <class T>
std::string bytes(std::initializer_list<T> values, bool reversed = false) {
    std::string text;
    for (T value : values) {
        std::string one(sizeof(T), '\0');
        std::memcpy(one.data(), &value, sizeof(T));
        if (reversed) one = std::string(one.rbegin(), one.rend());
        text += one;
    }
    return text;
}

const std::string six = bytes<float>({1, 2, 3, 4, 5, 6});

TEST(NpyRead, reads_float_in_row_major_order) {
    TempFolder folder;
    const NpyArray array = read_npy(folder.write("a.npy", npy(dictionary("<f4", "False", "(2, 3)"), six)));
    EXPECT_EQ(array.shape, (NpyShape{2, 3}));
    EXPECT_EQ(array.data, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(NpyRead, reorders_fortran_order) {
    TempFolder folder;
    const NpyArray two = read_npy(folder.write("a.npy", npy(dictionary("<f4", "True", "(2, 3)"), six)));
    EXPECT_EQ(two.data, (std::vector<float>{1, 3, 5, 2, 4, 6}));
    // a[i][j][k] = 100 i + 10 j + k, first index fastest.
    const NpyArray three = read_npy(
        folder.write("b.npy", npy(dictionary("<f4", "True", "(2, 1, 3)"), bytes<float>({0, 100, 1, 101, 2, 102}))));
    EXPECT_EQ(three.data, (std::vector<float>{0, 1, 2, 100, 101, 102}));
}

TEST(NpyRead, takes_either_quotation_mark) {
    TempFolder folder;
    std::string text = dictionary("<f4", "False", "(2, 3)");
    std::ranges::replace(text, '\'', '"');
    EXPECT_EQ(read_npy(folder.write("a.npy", npy(text, six))).data, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(NpyRead, rounds_doubles_to_float) {
    TempFolder folder;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto read = [&](double second) {
        return read_npy(folder.write("a.npy", npy(dictionary("<f8", "False", "(1, 2)"), bytes<double>({0.1, second}))));
    };
    EXPECT_EQ(read(-infinity).data, (std::vector<float>{0.1f, -std::numeric_limits<float>::infinity()}));
    expect_contains(error_of(ErrorKind::file, [&] { read(-1e300); }),
                    "its element -1e+300 is beyond the range of float32");
}

TEST(NpyRead, swaps_the_other_byte_order) {
    TempFolder folder;
    const NpyArray floats =
        read_npy(folder.write("a.npy", npy(dictionary(">f4", "False", "(1, 2)"), bytes<float>({1.5f, -2}, true))));
    EXPECT_EQ(floats.data, (std::vector<float>{1.5f, -2}));
    const NpyArray doubles =
        read_npy(folder.write("b.npy", npy(dictionary(">f8", "False", "(1, 2)"), bytes<double>({1.5, -2}, true))));
    EXPECT_EQ(doubles.data, (std::vector<float>{1.5f, -2}));
}

TEST(NpyRead, takes_format_versions1_to_3) {
    TempFolder folder;
    for (int major : {1, 2, 3})
        EXPECT_EQ(read_npy_shape(folder.write("a.npy", npy(dictionary("<f4", "False", "(1,1,2,3)"), six, major))),
                  (NpyShape{1, 1, 2, 3}));
}

TEST(NpyRead, reads_an_array_larger_than_one_chunk) {
    TempFolder folder;
    std::vector<float> values(300 * 257);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    write_npy(folder / "a.npy", std::span<const float>(values), {300, 257});
    EXPECT_EQ(read_npy(folder / "a.npy").data, values);
}

struct BadFile {
    const char* name;
    std::string bytes;
    const char* found;
};

class NpyReadBad : public ::testing::TestWithParam<BadFile> {};

TEST_P(NpyReadBad, is_rejected_in_one_sentence) {
    TempFolder folder;
    const auto path = folder.write("bad.npy", GetParam().bytes);
    for (bool shape_only : {false, true}) {
        const std::string sentence =
            error_of(ErrorKind::file, [&] { shape_only ? (void)read_npy_shape(path) : (void)read_npy(path); });
        expect_contains(sentence, path.string());
        expect_contains(sentence, GetParam().found);
        expect_contains(sentence, "accepted are float32 and float64");
    }
}

const std::string good_npy = npy(dictionary("<f4", "False", "(2, 3)"), six);

INSTANTIATE_TEST_SUITE_P(
    Files, NpyReadBad,
    ::testing::Values(
        BadFile{"Empty", "", "it ends inside its header"}, BadFile{"Text", "hello, world", "it is not an .npy file"},
        BadFile{"CutMagic", good_npy.substr(0, 7), "it ends inside its header"},
        BadFile{"CutLength", good_npy.substr(0, 9), "it ends inside its header"},
        BadFile{"CutDictionary", good_npy.substr(0, 30), "it ends inside its header"},
        BadFile{"CutData", good_npy.substr(0, good_npy.size() - 1), "23 bytes of data follow its header"},
        BadFile{"TooMuchData", good_npy + "x", "25 bytes of data follow its header, where its shape 2x3 takes 24"},
        BadFile{"Version9", npy(dictionary("<f4", "False", "(2, 3)"), six, 9), "its format version is 9.0"},
        BadFile{"HugeHeader", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), "it ends inside its header"},
        BadFile{"Int32", npy(dictionary("<i4", "False", "(2, 3)"), six), "its elements are of type '<i4'"},
        BadFile{"Half", npy(dictionary("<f2", "False", "(2, 3)"), six), "its elements are of type '<f2'"},
        BadFile{"Quadruple", npy(dictionary("<f16", "False", "(2, 3)"), six), "its elements are of type '<f16'"},
        BadFile{"Objects", npy(dictionary("|O", "False", "(2, 3)"), six), "it holds Python objects"},
        BadFile{"Structured", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,3)}", six),
                "its header describes a structured array"},
        BadFile{"OneDimension", npy(dictionary("<f4", "False", "(6,)"), six), "it has 1 dimension(s)"},
        BadFile{"Scalar", npy(dictionary("<f4", "False", "()"), six), "it has 0 dimension(s)"},
        BadFile{"FiveDimensions", npy(dictionary("<f4", "False", "(1,1,1,2,3)"), six), "it has 5 dimension(s)"},
        BadFile{"NoElements", npy(dictionary("<f4", "False", "(0, 3)"), ""), "its shape 0x3 has no elements"},
        BadFile{"Overflow", npy(dictionary("<f4", "False", "(4294967296, 4294967296)"), ""), "more than 2^31 - 1"},
        BadFile{"Negative", npy(dictionary("<f4", "False", "(-2, 3)"), six), "has a 'shape' with a size"},
        BadFile{"BeyondInt64", npy(dictionary("<f4", "False", "(99999999999999999999, 3)"), six), "with a size"},
        BadFile{"BadBoolean", npy(dictionary("<f4", "Maybe", "(2, 3)"), six), "neither True nor False"},
        BadFile{"NoType", npy("{'fortran_order': False, 'shape': (2, 3)}", six), "lacks one of"},
        BadFile{"NoOrder", npy("{'descr': '<f4', 'shape': (2, 3)}", six), "lacks one of"},
        BadFile{"NoShape", npy("{'descr': '<f4', 'fortran_order': False}", six), "lacks one of"},
        BadFile{"UnknownKey", npy("{'descr': '<f4', 'colour': 'red'}", six), "has the unknown key 'colour'"},
        BadFile{"NoBrace", npy("'descr': '<f4'", six), "has no '{'"},
        BadFile{"OpenQuote", npy("{'descr: }", six), "has a quotation that does not end"},
        BadFile{"NothingAfterBrace", npy("{", six), "has no quoted name"},
        BadFile{"NoQuote", npy("{descr: 1}", six), "has no quoted name"},
        BadFile{"TextAfter", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,3)} 1", six), "has text after"}),
    [](const auto& test) { return test.param.name; });

/// Any one byte of the header changed to any value: the file is read as something, or rejected, and nothing else.
TEST(NpyRead, survives_every_changed_byte) {
    TempFolder folder;
    int rejected = 0;
    const std::size_t header = good_npy.size() - six.size();
    for (std::size_t place = 0; place < header; ++place)
        for (char value : {'\0', '\1', ' ', '(', '9', ',', '\'', '\xff'}) {
            std::string bytes = good_npy;
            bytes[place] = value;
            try {
                EXPECT_LE(read_npy(folder.write("a.npy", bytes)).data.size(), 6u);
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::file);
                ++rejected;
            }
        }
    EXPECT_GT(rejected, 300);
}

TEST(NpyRead, names_a_file_that_is_not_there) {
    TempFolder folder;
    expect_contains(error_of(ErrorKind::file, [&] { read_npy(folder / "none.npy"); }), "there is no such file");
    expect_contains(error_of(ErrorKind::file, [&] { read_npy("/dev/null"); }), "it is not a regular file");
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(NpyBytes, reads_and_writes_numbers_of_every_type) {
    TempFolder folder;
    for (const std::string type : {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}) {
        const std::size_t size = static_cast<std::size_t>(type[1] - '0');
        for (const std::string order : {"<", "=", "|"}) {
            const auto path =
                folder.write("a.npy", npy(dictionary(order + type, "False", "(2, 3)"), std::string(6 * size, 'x')));
            const NpyBytes array = read_npy_bytes(path);
            EXPECT_EQ(array.type, type);
            EXPECT_EQ(array.shape, (NpyShape{2, 3}));
            EXPECT_EQ(array.data, std::vector<std::byte>(6 * size, std::byte{'x'}));
            write_npy_bytes(folder / "b.npy", array);
            const NpyBytes again = read_npy_bytes(folder / "b.npy");
            EXPECT_EQ(again.type, type);
            EXPECT_EQ(again.data, array.data);
        }
    }
    EXPECT_EQ(read_npy_bytes(folder.write("one.npy", npy(dictionary("<f4", "True", "(6,)"), six))).data.size(), 24U)
        << "one dimension has one order";
    EXPECT_TRUE(read_npy_bytes(folder.write("none.npy", npy(dictionary("<f4", "False", "(0, 3)"), ""))).data.empty());
}

TEST(NpyBytes, have_this_machines_order_whatever_the_files) {
    TempFolder folder;
    const auto read = [&](const std::string& descr, const std::string& order, const std::string& shape,
                          const std::string& data) {
        const NpyBytes array = read_npy_bytes(folder.write("a.npy", npy(dictionary(descr, order, shape), data)));
        return std::string(reinterpret_cast<const char*>(array.data.data()), array.data.size());
    };
    EXPECT_EQ(read(">i2", "False", "(3,)", bytes<std::int16_t>({1, -2, 300}, true)), bytes<std::int16_t>({1, -2, 300}));
    EXPECT_EQ(read(">f8", "True", "(2, 1, 3)", bytes<double>({0, 100, 1, 101, 2, 102}, true)),
              bytes<double>({0, 1, 2, 100, 101, 102}));
    EXPECT_EQ(read("|u1", "True", "(2, 2)", "acbd"), "abcd");
    EXPECT_EQ(read("<f4", "True", "()", bytes<float>({7})), bytes<float>({7})) << "one number has no order";
}

TEST(NpyBytes, rejects_what_is_no_array_of_numbers) {
    TempFolder folder;
    const auto rejected = [&](const std::string& descr, const std::string& order, const std::string& shape,
                              const std::string& data, const char* part) {
        const auto path = folder.write("bad.npy", npy(dictionary(descr, order, shape), data));
        expect_contains(error_of(ErrorKind::file, [&] { read_npy_bytes(path); }), part);
    };
    const std::string zero(1, '\0');
    for (const std::string& type : {std::string("<c8"), std::string("<f1"), std::string("<b2"), std::string("<f44"),
                                    "<f" + zero, zero + "f4", "<b" + zero, "<x" + zero})
        rejected(type, "False", "(2, 3)", six, "its elements are of type");
    rejected("<f4", "False", "(2, 1099511627776)", six, "its shape is");
    rejected("<f4", "False", "(2, 4)", six, "bad.npy");
}

TEST(NpyWrite, writes_what_num_py_reads) {
    TempFolder folder;
    write_npy(folder / "a.npy", std::span<const std::int32_t>(std::array<std::int32_t, 3>{1, -1, 7}), {3});
    const std::string file = contents(folder / "a.npy");
    EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const auto length = static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
    EXPECT_EQ((length + 10) % 64, 0u);
    expect_contains(file.substr(10, length), "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }");
    EXPECT_EQ(file[10 + length - 1], '\n');
    EXPECT_EQ(file.substr(10 + length), bytes<std::int32_t>({1, -1, 7}));
}

TEST(NpyWrite, writes_int64) {
    TempFolder folder;
    write_npy(folder / "a.npy", std::span<const std::int64_t>(std::array<std::int64_t, 2>{1, -1}), {1, 2});
    const std::string file = contents(folder / "a.npy");
    expect_contains(file, "'<i8'");
    EXPECT_EQ(file.substr(file.size() - 16), bytes<std::int64_t>({1, -1}));
}

TEST(NpyWriter, appends_rows_whose_number_is_not_known_before) {
    TempFolder folder;
    NpyWriter writer(folder / "a.npy", NpyType::f32, {2, 2});
    for (float row = 0; row < 5; ++row) writer.append(std::span<const float>(std::array{row, row, row, row}));
    writer.finish();
    const NpyArray array = read_npy(folder / "a.npy");
    EXPECT_EQ(array.shape, (NpyShape{5, 2, 2}));
    EXPECT_EQ(array.data[19], 4.0f);
}

TEST(NpyWriter, leaves_no_half_written_file) {
    TempFolder folder;
    { NpyWriter writer(folder / "a.npy", NpyType::f32, {2}); }
    EXPECT_FALSE(std::filesystem::exists(folder / "a.npy"));
}

TEST(NpyWriter, rejects_a_part_of_a_row_and_another_type) {
    TempFolder folder;
    NpyWriter writer(folder / "a.npy", NpyType::f32, {2});
    EXPECT_THROW(writer.append(std::span<const float>(std::array{1.0f})), std::logic_error);
    EXPECT_THROW(writer.append(std::span<const std::int32_t>(std::array{1, 2})), std::logic_error);
    NpyWriter empty_rows(folder / "b.npy", NpyType::f32, {0});
    EXPECT_THROW(empty_rows.append(std::span<const float>(std::array{1.0f})), std::logic_error);
}

template <class Element>
void expect_no_other_shape(const std::filesystem::path& path) {
    const std::vector<Element> zeros(6);
    for (const NpyShape& shape : {NpyShape{}, NpyShape{5}, NpyShape{2, 2}})
        EXPECT_THROW(write_npy(path, std::span<const Element>(zeros), shape), std::logic_error);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(NpyWrite, rejects_a_shape_of_another_size) {
    TempFolder folder;
    expect_no_other_shape<float>(folder / "a.npy");
    expect_no_other_shape<std::int32_t>(folder / "a.npy");
    expect_no_other_shape<std::int64_t>(folder / "a.npy");
}

TEST(NpyWrite, writes_no_rows_and_to_devices) {
    TempFolder folder;
    write_npy(folder / "a.npy", std::span<const float>(), {0, 3});
    EXPECT_EQ(read_npy_bytes(folder / "a.npy").shape, (NpyShape{0, 3}));
    const std::vector<float> many(1 << 16);
    EXPECT_NO_THROW(write_npy("/dev/null", std::span<const float>(many), {1 << 16}));
    expect_contains(error_of(ErrorKind::file, [&] { write_npy("/dev/full", std::span<const float>(many), {1 << 16}); }),
                    "/dev/full' cannot be written: No space left");
}

TEST(NpyWrite, names_a_path_that_cannot_be_written) {
    TempFolder folder;
    const std::array values{1.0f};
    const std::string no_folder =
        error_of(ErrorKind::file, [&] { write_npy(folder / "none/a.npy", std::span<const float>(values), {1}); });
    expect_contains(no_folder, "none/a.npy' cannot be written: No such file or directory");
    const std::string full =
        error_of(ErrorKind::file, [&] { write_npy("/dev/full", std::span<const float>(values), {1}); });
    expect_contains(full, "/dev/full' cannot be written");
    EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

}  // namespace
}  // namespace convscope
