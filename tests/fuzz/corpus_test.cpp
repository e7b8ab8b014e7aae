// Every run of the tests reads fuzzing's seeds and its past findings again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/readers.h"

namespace convscope::testing {
namespace {

void read_corpus(std::span<const FuzzedReader> readers) {
    for (const FuzzedReader& reader : readers) {
        const std::filesystem::path folder = std::filesystem::path(FUZZ_CORPUS) / reader.name;
        ASSERT_TRUE(std::filesystem::is_directory(folder)) << folder;
        std::size_t inputs = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), {}};
            const std::clock_t begin = std::clock();  // of this process: other work on the machine does not count
            EXPECT_NO_THROW(reader.read(bytes)) << entry.path();
            EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1) << entry.path();
            ++inputs;
        }
        EXPECT_GT(inputs, 0U) << folder;
    }
}

TEST(FuzzCorpus, readers_of_files_take_or_reject_each_input_within_a_second) {
    read_corpus(file_readers());
}

TEST(FuzzCorpus, readers_of_the_app_take_or_reject_each_input_within_a_second) {
    read_corpus(app_readers());
}

}  // namespace
}  // namespace convscope::testing
