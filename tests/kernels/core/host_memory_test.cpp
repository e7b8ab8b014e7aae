#include "kernels/core/host_memory.h"

#include <gtest/gtest.h>

#include "kernels/core/format_units.h"
#include "tests/kernels/files/temp_folder.h"

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
    expect_contains(sentence, "this array needs 3 EB of the host's memory, and ");
    expect_contains(sentence, format_bytes(available_host_memory_bytes()).substr(0, 1));
}

}  // namespace
}  // namespace convscope
