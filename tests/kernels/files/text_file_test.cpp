#include "kernels/files/text_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "kernels/core/printable.h"
#include "kernels/files/npy.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

std::filesystem::perms permissions_of(const std::filesystem::path& path) {
    return std::filesystem::status(path).permissions();
}

std::size_t files_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

TEST(TextFile, keeps_the_permissions_of_what_it_replaces) {
    const TempFolder folder;
    const auto secret = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    const auto file = folder.write("a.json", "old");
    std::filesystem::permissions(file, secret);
    write_text_file(file, "new");
    EXPECT_EQ(read_text_file(file), "new");
    EXPECT_EQ(permissions_of(file), secret);

    const auto array = folder.write("a.npy", "old");
    std::filesystem::permissions(array, secret);
    write_npy(array, std::span<const float>(std::vector<float>(4, 1.0F)), {2, 2});
    EXPECT_EQ(permissions_of(array), secret);
    EXPECT_EQ(read_npy(array).shape, (NpyShape{2, 2}));
}

TEST(TextFile, leaves_files_and_links_beside_it_alone) {
    const TempFolder folder;
    const auto other = folder.write("other", "mine");
    const auto partial = folder.write("a.json.partial", "mine too");
    std::filesystem::create_symlink(other, folder / "b.npy.partial");
    write_text_file(folder / "a.json", "x");
    write_npy(folder / "b.npy", std::span<const float>(std::vector<float>(4, 1.0F)), {2, 2});
    EXPECT_EQ(read_text_file(other), "mine");
    EXPECT_EQ(read_text_file(partial), "mine too");
    EXPECT_EQ(files_in(folder / ""), 5U) << "nothing else is left";
}

TEST(TextFile, replaces_what_a_link_leads_to) {
    const TempFolder folder;
    const auto there = folder.write("there.json", "old");
    std::filesystem::create_symlink("there.json", folder / "here.json");
    std::filesystem::create_symlink("fresh.json", folder / "later.json");
    write_text_file(folder / "here.json", "new");
    write_text_file(folder / "later.json", "newer");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "here.json"));
    EXPECT_EQ(read_text_file(there), "new");
    EXPECT_EQ(read_text_file(folder / "fresh.json"), "newer");
}

TEST(TextFile, leaves_nothing_when_a_write_fails_or_an_array_is_not_finished) {
    const TempFolder folder;
    std::signal(SIGXFSZ, SIG_IGN);
    const auto file = folder.write("a.json", "old");
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit tight{100, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const std::string said = error_of(ErrorKind::file, [&] { write_text_file(file, std::string(200, ' ')); });
    setrlimit(RLIMIT_FSIZE, &before);
    expect_contains(said, "a.json' cannot be written: File too large");
    { NpyWriter unfinished(folder / "b.npy", NpyType::f32, {2}); }
    EXPECT_EQ(read_text_file(file), "old");
    EXPECT_EQ(files_in(folder / ""), 1U);
}

TEST(TextFile, written_by_two_at_once_is_one_of_both) {
    const TempFolder folder;
    const std::string one(1 << 16, '1'), two(1 << 16, '2');
    {
        const std::jthread other([&] {
            for (int i = 0; i < 20; ++i) write_text_file(folder / "a", one);
        });
        for (int i = 0; i < 20; ++i) {
            write_text_file(folder / "a", two);
            const std::string text = read_text_file(folder / "a");
            EXPECT_TRUE(text == one || text == two);
        }
    }
    EXPECT_EQ(files_in(folder / ""), 1U);
}

TEST(TextFile, never_waits_for_the_other_end_of_a_pipe) {
    const TempFolder folder;
    const auto pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    expect_contains(error_of(ErrorKind::file, [&] { read_text_file(pipe); }), "is a pipe that nobody writes to");
    expect_contains(error_of(ErrorKind::file, [&] { write_text_file(pipe, "x"); }), "is a pipe that nobody reads");
    expect_contains(error_of(ErrorKind::file, [&] { NpyWriter writer(pipe, NpyType::f32, {2}); }), "is a pipe");
    require_writable(pipe);
}

TEST(TextFile, leaves_nothing_where_it_asks_whether_a_file_can_be_written) {
    const TempFolder folder;
    require_writable(folder / "a.json");
    EXPECT_EQ(files_in(folder / ""), 0U);
    expect_contains(error_of(ErrorKind::file, [&] { require_writable(folder / ""); }), "Is a directory");
    expect_contains(error_of(ErrorKind::file, [&] { require_writable(folder / "none" / "a.json"); }),
                    "a.json' cannot be written: No such file or directory");
}

TEST(TextFile, reads_no_more_than_its_limit) {
    const TempFolder folder;
    const auto sparse = folder.write("sparse", "");
    std::filesystem::resize_file(sparse, std::uintmax_t{6} << 30);
    expect_contains(error_of(ErrorKind::file, [&] { read_text_file(sparse); }), "is larger than the 1 MiB");
    expect_contains(error_of(ErrorKind::file, [&] { read_text_file(sparse, max_records_bytes); }), "1024 MiB");
    expect_contains(error_of(ErrorKind::file, [] { read_text_file("/dev/zero", max_records_bytes); }), "64 MiB");
    EXPECT_EQ(read_text_file(folder.write("most", std::string(max_text_bytes, 'x'))).size(), max_text_bytes);
}

TEST(TextFile, goes_to_devices_and_into_no_folder) {
    const TempFolder folder;
    EXPECT_NO_THROW(write_text_file("/dev/null", "x"));
    expect_contains(error_of(ErrorKind::file, [] { write_text_file("/dev/full", "x"); }), "No space left on device");
    expect_contains(error_of(ErrorKind::file, [&] { write_text_file(folder / "", "x"); }), "cannot be written");
    expect_contains(error_of(ErrorKind::file, [] { read_text_file("/proc/self/mem"); }), "read: Input/output error");
}

TEST(TextFile, is_writable_before_anything_is_made_for_it) {
    const TempFolder folder;
    require_writable(folder / "new");
    EXPECT_FALSE(std::filesystem::exists(folder / "new"));
    EXPECT_NO_THROW(require_writable("/dev/null"));
    expect_contains(error_of(ErrorKind::file, [] { require_writable("/proc/none"); }),
                    "'/proc/none' cannot be written");
}

TEST(TextFile, says_so_where_no_file_can_be_opened_any_more) {
    const TempFolder folder;
    const auto array = folder / "a.npy";
    write_npy(array, std::span<const float>(std::vector<float>(4, 1.0F)), {2, 2});
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit none{0, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const std::string said[] = {
        error_of(ErrorKind::file, [] { write_text_file("/dev/null", "x"); }),
        error_of(ErrorKind::file, [] { NpyWriter writer("/dev/null", NpyType::f32, {2}); }),
        error_of(ErrorKind::file, [&] { read_npy(array); }),
    };
    setrlimit(RLIMIT_NOFILE, &before);
    for (const std::string& sentence : said) expect_contains(sentence, "Too many open files");
}

TEST(TextFile, an_array_with_an_endless_header_is_rejected_unread) {
    const TempFolder folder;
    const auto file = folder.write("a.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xef", 12));
    std::filesystem::resize_file(file, std::uintmax_t{5} << 30);
    expect_contains(error_of(ErrorKind::file, [&] { read_npy(file); }), "its header has 4026531839 bytes");
}

TEST(Printable, writes_control_characters_out_and_keeps_the_rest) {
    EXPECT_EQ(printable("a\x1b[31mb\r\x7f\tc\n"), "a\\x1b[31mb\\x0d\\x7f\tc\n");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J \xc3\xa9 \xe2\x82\xac"),
              "\\x9b2J \xc3\xa9 \xe2\x82\xac");
}

TEST(Printable, leaves_the_middle_of_a_long_text_out) {
    const std::string text = "begins " + std::string(1 << 20, 'x') + " ends";
    const std::string shown = printable(text);
    EXPECT_LT(shown.size(), 5000U);
    EXPECT_TRUE(shown.starts_with("begins ") && shown.ends_with(" ends"));
    expect_contains(shown, "... (1044492 bytes) ...");
    EXPECT_LT(printable(std::string(1 << 20, '\x1b')).size(), 20000U);
}

}  // namespace
}  // namespace convscope
