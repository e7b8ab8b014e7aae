// Protocol Buffers' wire format, byte by byte.
#include "kernels/onnx/wire_format.h"

#include <gtest/gtest.h>

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

using namespace std::string_view_literals;

/// The last field of a message, which must have one.
WireField last_field(std::string_view message) {
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
    }
    return field;
}

std::string defect(std::string_view message) {
    try {
        last_field(message);
    } catch (const BadMessage& found) {
        return found.what();
    }
    return {};
}

TEST(WireFormat, reads_each_type) {
    EXPECT_EQ(last_field("\x08\x96\x01"sv).integer(), 150) << "the format's own example";
    EXPECT_EQ(last_field("\x08\x96\x01"sv).number, 1U);
    EXPECT_EQ(last_field("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv).integer(), -1);
    EXPECT_EQ(last_field("\x12\x07testing"sv).text(), "testing");
    EXPECT_EQ(last_field("\x15\x00\x00\x80\x3f"sv).real(), 1.0F);
    std::vector<double> doubles;
    last_field("\x51\x00\x00\x00\x00\x00\x00\x00\x40"sv).append_to(doubles);
    EXPECT_EQ(doubles, std::vector<double>{2.0});
}

TEST(WireFormat, lists_are_packed_or_one_by_one) {
    std::vector<std::int64_t> integers;
    last_field("\x32\x06\x03\x8e\x02\x9e\xa7\x05"sv).append_to(integers);
    last_field("\x30\x07"sv).append_to(integers);
    EXPECT_EQ(integers, (std::vector<std::int64_t>{3, 270, 86942, 7}));
    std::vector<float> reals;
    last_field("\x22\x08\x00\x00\x80\x3f\x00\x00\x00\x40"sv).append_to(reals);
    last_field("\x25\x00\x00\x80\xbf"sv).append_to(reals);
    EXPECT_EQ(reals, (std::vector<float>{1, 2, -1}));
}

TEST(WireFormat, says_what_is_wrong) {
    EXPECT_EQ(defect("\x08"sv), "it ends within a number");
    EXPECT_EQ(defect("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"sv), "it has a number of more than 64 bits");
    EXPECT_EQ(defect("\x12\x07test"sv), "it ends within a field of 7 bytes, 4 of which are there");
    EXPECT_EQ(defect("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv),
              "it ends within a field of 18446744073709551615 bytes, 0 of which are there");
    EXPECT_EQ(defect("\x0b"sv), "it has a field of the unknown type 3");
    EXPECT_THROW(last_field("\x12\x01x"sv).integer(), BadMessage);
    EXPECT_THROW(last_field("\x08\x01"sv).text(), BadMessage);
    EXPECT_THROW(last_field("\x08\x01"sv).real(), BadMessage);
    std::vector<float> reals;
    EXPECT_THROW(last_field("\x22\x05\x00\x00\x80\x3f\x00"sv).append_to(reals), BadMessage) << "half a number";
}

}  // namespace
}  // namespace convscope
