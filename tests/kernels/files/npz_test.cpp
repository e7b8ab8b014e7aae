#include "kernels/files/npz.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <functional>

#include "kernels/core/error.h"

namespace convscope {
namespace {

NpyBytes three_floats() {
    constexpr float values[] = {1, 2, 3};
    NpyBytes array{"f4", {3}, std::vector<std::byte>(sizeof values)};
    std::memcpy(array.data.data(), values, sizeof values);
    return array;
}

std::string archive() {
    return npz_file_bytes({{"data", npy_file_bytes(three_floats())}, {"format", npy_file_of_text("csr")}});
}

TEST(Npz, arrays_come_back) {
    const NpzFile file("a.npz", archive());
    EXPECT_TRUE(file.has("data"));
    EXPECT_FALSE(file.has("data.npy"));
    const NpyBytes data = file.read("data");
    EXPECT_EQ(data.type, "f4");
    EXPECT_EQ(data.shape, NpyShape{3});
    EXPECT_EQ(data.data, three_floats().data);
    EXPECT_EQ(file.read_text("format"), "csr");
}

/// A member that Python's zlib deflated without a header: 1,000 bytes of a float array of 218 zeros. By hand, so that
/// reader and writer are not tested against each other only.
const std::string zeros_deflated(
    "\x9b\xec\x17\xea\x1b\x10\xc9\xc8\x50\xc6\x50\xad\x9e\x92\x5a\x9c\x5c\xa4\x6e\xa5\xa0\x6e\x93\x66\xa2\xae"
    "\xa3\xa0\x9e\x96\x5f\x54\x52\x94\x98\x17\x9f\x5f\x94\x92\x0a\x12\x77\x4b\xcc\x29\x4e\x05\x8a\x17\x67\x24"
    "\x16\xa4\x02\xf9\x1a\x46\x86\x16\x3a\x9a\x3a\x0a\xb5\x0a\x64\x03\x2e\x86\x51\x30\x0a\x46\x01\xcd\x01\x00",
    78);
std::string deflated_archive(std::uint32_t bytes, std::uint32_t crc, const std::string& stored = zeros_deflated) {
    std::string file;
    const auto put = [&](std::uint32_t value, int size) {
        for (int i = 0; i < size; ++i) file += static_cast<char>(value >> (8 * i) & 0xff);
    };
    const auto about = [&] {
        put(20, 2);
        put(8 << 16, 4);
        put(0, 4);
        put(crc, 4);
        put(static_cast<std::uint32_t>(stored.size()), 4);
        put(bytes, 4);
        put(5, 4);
    };
    put(0x04034b50, 4);
    about();
    file += "x.npy" + stored;
    const auto begin = static_cast<std::uint32_t>(file.size());
    put(0x02014b50, 4);
    put(20, 2);
    about();
    for (int i = 0; i < 14; ++i) file += '\0';
    file += "x.npy";
    const auto end = static_cast<std::uint32_t>(file.size());
    put(0x06054b50, 4);
    put(0, 4);
    put(1 << 16 | 1, 4);
    put(end - begin, 4);
    put(begin, 4);
    put(0, 2);
    return file;
}

std::string rejected(const std::function<void()>& read) {
    try {
        read();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::file);
        const std::string sentence = error.what();
        EXPECT_TRUE(sentence.find("; accepted are ") != std::string::npos) << sentence;
        return sentence.substr(0, sentence.find("; accepted are "));
    }
    return "taken";
}

TEST(Npz, a_deflated_array_is_read) {
    const NpyBytes array = NpzFile("a.npz", deflated_archive(1000, 0x49555739)).read("x");
    EXPECT_EQ(array.shape, NpyShape{218});
    EXPECT_EQ(array.data, std::vector<std::byte>(872));
}

TEST(Npz, a_size_that_its_bytes_cannot_have_is_rejected_before_it_is_made) {
    EXPECT_EQ(rejected([] { NpzFile("a.npz", deflated_archive(0x7fffffff, 0)); }),
              "a.npz: its member 'x.npy' has 78 bytes for the 2147483647 that it says");
    EXPECT_EQ(rejected([] { NpzFile("a.npz", deflated_archive(1000 + 1, 0x49555739)).read("x"); }),
              "a.npz: its deflated data are damaged");
    EXPECT_EQ(rejected([] { NpzFile("a.npz", deflated_archive(1000, 1)).read("x"); }),
              "a.npz: its array 'x' is damaged (CRC-32)");
}

TEST(Npz, memory_grows_with_what_a_member_holds) {
    // 4 MiB of nothing behind deflated data that have ended; the member says that they are 1 GiB.
    std::string file = deflated_archive(1 << 30, 0, std::string("\x63\x60\x00\x00", 4) + std::string(4 << 20, '\0'));
    const auto peak = [] {
        rusage use{};
        getrusage(RUSAGE_SELF, &use);
        return use.ru_maxrss;
    };
    const NpzFile archive("a.npz", std::move(file));
    const long before = peak();
    EXPECT_EQ(rejected([&] { archive.read("x"); }), "a.npz: its deflated data are damaged");
    EXPECT_LT(peak() - before, 100 << 10) << "KiB more than the file itself";
}

TEST(Npz, a_header_is_read_without_what_follows_it) {
    const std::string header = make_npy_header("<f4", {1000, 1000});
    const std::string npy = header + std::string(4'000'000, '\0');
    // Two blocks that deflate leaves as they are; what should be the third is no block.
    const std::string block("\x00\xff\xff\x00\x00", 5);
    const std::string stored =
        block + npy.substr(0, 0xffff) + block + npy.substr(0xffff, 0xffff) + "\x07" + npy.substr(2 * 0xffff);
    std::string file = npz_file_bytes({{"x", npy}});
    file[file.size() / 2] = '\1';
    const auto bytes = static_cast<std::uint32_t>(npy.size());
    for (const auto& [archive, why] : {std::pair{deflated_archive(bytes, 0, stored), "its deflated data are damaged"},
                                       {file, "its array 'x' is damaged (CRC-32)"}}) {
        const NpzFile damaged("a.npz", archive);
        const NpyFile begun = damaged.open_header("x");
        EXPECT_EQ(begun.header.shape, (NpyShape{1000, 1000}));
        EXPECT_EQ(begun.data_bytes, 4'000'000);
        EXPECT_EQ(rejected([&] { damaged.read("x"); }), std::string("a.npz: ") + why);
    }
}

TEST(Npz, what_is_too_long_for_a_text_is_not_unpacked) {
    // Two blocks that deflate leaves as they are; what should be the third is no block.
    const std::string npy = make_npy_header("|S4000000", {}) + std::string(4'000'000, 'c');
    const std::string block("\x00\xff\xff\x00\x00", 5);
    const std::string stored =
        block + npy.substr(0, 0xffff) + block + npy.substr(0xffff, 0xffff) + "\x07" + npy.substr(2 * 0xffff);
    const NpzFile file("a.npz", deflated_archive(static_cast<std::uint32_t>(npy.size()), 0, stored));
    EXPECT_EQ(rejected([&] { file.read("x"); }), "a.npz: its deflated data are damaged");
    EXPECT_EQ(rejected([&] { file.read_text("x"); }), "a.npz: its array 'x' is no string");
}

TEST(Npz, what_is_no_archive_of_arrays_is_rejected) {
    EXPECT_EQ(rejected([] { NpzFile("a.npz", ""); }), "a.npz: it is no zip archive (it has no directory at its end)");
    EXPECT_EQ(rejected([] { NpzFile("a.npz", archive()).read("row"); }),
              "a.npz: it has no array 'row'; its arrays are data, format");
    EXPECT_EQ(rejected([] { NpzFile("a.npz", archive()).read_text("data"); }), "a.npz: its array 'data' is no string");
    EXPECT_EQ(rejected([] {
                  NpzFile("a.npz", npz_file_bytes({{"x", ""}, {"x", ""}}));
              }),
              "a.npz: it has two members 'x.npy'");
}

TEST(Npz, every_byte_may_be_damaged) {
    const std::string whole = archive(), data = npy_file_bytes(three_floats());
    const std::size_t begin = whole.find(data);
    ASSERT_NE(begin, std::string::npos);
    int taken = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const char flip : {'\x01', '\x80', '\xff'}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ flip);
            try {
                EXPECT_EQ(NpzFile("a.npz", damaged).read("data").data, three_floats().data) << at;
                EXPECT_FALSE(at >= begin && at < begin + data.size()) << at;
                ++taken;
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::file) << error.what();
            }
        }
    // Damage is no error in bytes that are not read: dates, versions, the other array.
    EXPECT_GT(taken, 100);
}

}  // namespace
}  // namespace convscope
