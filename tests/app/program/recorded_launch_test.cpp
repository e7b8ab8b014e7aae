#include "app/program/recorded_launch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "kernels/core/error.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;

const Json sound = Json::parse(R"({"grid": [2, 1, 1], "block": [32, 1, 1], "kept": {
    "symbol": "k", "ptx": {"at": 0, "bytes": 3}, "dynamic_bytes": 16, "arguments": ["00c0ff"], "variables": [0],
    "host_pages": [4096], "memory": [
        {"address": 1000, "room": 64, "name": "x", "bytes": 8, "element_bytes": 4, "constant": false,
         "writable": true, "freed": false, "at": 16},
        {"address": 2000, "room": 64, "name": "y", "bytes": 8, "element_bytes": 4, "constant": false,
         "writable": true, "freed": true}]}})");

TEST(RecordedLaunch, is_read_where_it_is_sound) {
    const auto memory = std::make_shared<LaunchMemory>();
    const char all[] = "ptx.............12345678\x0f\x03";
    ASSERT_EQ(pwrite(memory->descriptor(), all, sizeof all, 0), static_cast<ssize_t>(sizeof all));
    const RecordedLaunch launch = read_recorded(sound, memory);
    EXPECT_EQ(launch.ptx, "ptx");
    EXPECT_EQ(launch.grid, (Dim3{2, 1, 1}));
    EXPECT_EQ(launch.arguments,
              (std::vector<std::vector<std::byte>>{{std::byte{0}, std::byte{0xc0}, std::byte{0xff}}}));
    ASSERT_EQ(launch.memory.size(), 2U);
    EXPECT_EQ(launch.memory[0].data[0], std::byte{'1'});
    EXPECT_EQ(launch.memory[0].written[1], std::byte{3});
    EXPECT_TRUE(launch.memory[1].data.empty());
}

TEST(RecordedLaunch, is_rejected_where_the_program_has_written_over_it) {
    const auto memory = std::make_shared<LaunchMemory>();
    const auto rejects = [&](const char* where, const Json& what) {
        Json torn = sound;
        torn[Json::json_pointer(where)] = what;
        try {
            read_recorded(torn, memory);
            ADD_FAILURE() << where << " = " << what;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::failed);
        }
    };
    rejects("/grid", {1, 1});
    rejects("/kept", 7);
    rejects("/kept/ptx/bytes", LaunchMemory::size + 1);
    rejects("/kept/ptx/at", ~std::uint64_t{0});
    rejects("/kept/arguments/0", "zz");
    rejects("/kept/memory/0/at", LaunchMemory::size - 9);
    rejects("/kept/memory/0/bytes", std::uint64_t{1} << 50);
    rejects("/kept/memory/0/bytes", LaunchMemory::size + 1);
    rejects("/kept/memory/0/address", ~std::uint64_t{0});
    rejects("/kept/memory/1/address", 1004);
    rejects("/kept/memory/0/name", nullptr);
}

// A program that made it smaller would end whoever reads it.
TEST(LaunchMemory, stays_as_large_as_it_is) {
    const LaunchMemory memory;
    EXPECT_EQ(ftruncate(memory.descriptor(), 4096), -1);
    EXPECT_EQ(errno, EPERM);
    EXPECT_EQ(memory.bytes().back(), std::byte{0});
}

}  // namespace
}  // namespace convscope::app
