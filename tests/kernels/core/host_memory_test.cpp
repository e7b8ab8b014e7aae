#include "kernels/core/host_memory.h"

#include <gtest/gtest.h>

#include "tests/kernels/core/temp_folder.h"

namespace convscope {
namespace {

TEST(HostMemory, says_what_there_is) {
    EXPECT_GT(available_host_memory_bytes(), 1'000'000);
    EXPECT_GE(host_memory_bytes(), available_host_memory_bytes());
    EXPECT_GE(last_level_cache_bytes(), 0);
}

TEST(HostMemory, rejects_with_both_figures) {
    EXPECT_NO_THROW(require_host_memory(1, "one byte"));
    const std::string sentence = error_of(ErrorKind::failed, [] { require_host_memory(3e18, "this array"); });
    expect_contains(sentence, "this array needs 3.0 EB of the host's memory, and ");
    expect_contains(sentence, bytes_text(static_cast<double>(available_host_memory_bytes())).substr(0, 1));
}

TEST(HostMemory, prints_bytes_with_sensible_digits) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(999), "999 B");
    EXPECT_EQ(bytes_text(1000), "1.0 kB");
    EXPECT_EQ(bytes_text(9.94e6), "9.9 MB");
    EXPECT_EQ(bytes_text(9.97e6), "10 MB");
    EXPECT_EQ(bytes_text(17.2e9), "17 GB");
    EXPECT_EQ(bytes_text(999.9e9), "1.0 TB");
}

}  // namespace
}  // namespace convscope
