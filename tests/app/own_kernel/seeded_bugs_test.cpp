// seeded_bugs.cu: each bug is found at its line, and nothing in its clean twin, as `convscope kernel` runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "app/own_kernel/prepared_kernel.h"
#include "kernels/core/error.h"
#include "kernels/core/text_file.h"
#include "kernels/ptx/compile.h"

namespace convscope::app {
namespace {

std::filesystem::path seeded(const std::string& extension) {
    return CONVSCOPE_SEEDED_BUGS + extension;
}

struct SeededBug {
    std::string entry, kind, words;
    unsigned line = 0;
};

/// A bug is the kernel's that stands before it.
std::vector<SeededBug> bugs_in(const std::string& source) {
    std::vector<SeededBug> bugs;
    std::istringstream lines(source);
    unsigned number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.starts_with("KERNEL ")) bugs.push_back({line.substr(7, line.find('(') - 7), "", "", 0});
        const std::string mark = "// bug: ";
        const std::size_t at = line.find(mark);
        if (at == std::string::npos) continue;
        std::istringstream said(line.substr(at + mark.size()));
        std::string words;
        said >> bugs.back().kind;
        std::getline(said, words);
        if (words.size() > 3) bugs.back().words = words.substr(2, words.size() - 3);
        bugs.back().line = number;
    }
    return bugs;
}

/// As a compiler that is here makes them, which CONVSCOPE_CUDA_COMPILER names, or as they are kept beside the source.
class SeededBugs : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "kept") {
            for (const char* kind : {".ptx", ".clean.ptx"})
                texts_.push_back(read_text_file(seeded("").string() + kind));
            return;
        }
        setenv("CONVSCOPE_CUDA_COMPILER", GetParam().c_str(), 1);
        try {
            for (const char* bug : {"BUG=1", "BUG=0"}) texts_.push_back(ptx::compile_to_ptx(seeded(".cu"), {bug}));
        } catch (const Error& error) {
            if (std::string(error.what()).find("cannot be started") == std::string::npos) throw;
            GTEST_SKIP() << error.what();
        }
    }
    void TearDown() override { unsetenv("CONVSCOPE_CUDA_COMPILER"); }

    /// Its findings, a line each.
    std::vector<std::string> found(const std::string& entry, bool buggy) const {
        KernelCall call;
        call.file = seeded(".cu");
        call.entry = entry;
        const auto prepared = prepare_kernel(read_kernel(texts_[buggy ? 0 : 1], call, source), call);
        if (const ArgumentState* rejected = prepared->arguments.rejected()) return {rejected->reason};
        ptx::LaunchRequest request = prepared->request();
        request.max_warp_instructions = 1'000'000;
        const ptx::LaunchResult result = ptx::run(prepared->kernel->program, request);
        std::vector<std::string> lines;
        for (const ptx::Finding& each : result.findings) lines.push_back(each.line(prepared->kernel->module));
        if (!result.failure.empty()) lines.push_back(result.failure);
        return lines;
    }

    const std::string source = read_text_file(seeded(".cu"));

private:
    std::vector<std::string> texts_;
};

TEST_P(SeededBugs, are_found_at_their_lines_and_nothing_in_their_clean_twins) {
    for (const SeededBug& bug : bugs_in(source)) {
        const std::string start = bug.kind + " seeded_bugs.cu:" + std::to_string(bug.line) + " ";
        const std::vector<std::string> lines = found(bug.entry, true);
        EXPECT_TRUE(std::ranges::any_of(lines,
                                        [&](const std::string& line) {
                                            return line.starts_with(start) && line.find(bug.words) != std::string::npos;
                                        }))
            << bug.entry << ": " << start << bug.words << "\nis not among " << ::testing::PrintToString(lines);
        EXPECT_EQ(found(bug.entry, false), std::vector<std::string>()) << bug.entry << ", the clean twin";
    }
}

INSTANTIATE_TEST_SUITE_P(Compiled, SeededBugs, ::testing::Values("kept", "/usr/local/cuda/bin/nvcc", "clang++"),
                         [](const auto& each) {
                             std::string name = std::filesystem::path(each.param).filename();
                             std::erase(name, '+');
                             return name;
                         });

TEST(SeededBugList, has_as_many_bugs_as_the_documentation_says) {
    const std::vector<SeededBug> bugs = bugs_in(read_text_file(seeded(".cu")));
    for (const SeededBug& bug : bugs) EXPECT_NE(bug.line, 0U) << bug.entry;
    const auto of = [&](const std::string& start) {
        return std::ranges::count_if(bugs, [&](const SeededBug& bug) { return bug.entry.starts_with(start); });
    };
    const std::string said = std::to_string(bugs.size()) + " bugs are seeded, " + std::to_string(of("copy_")) +
                             " in asynchronous copies and " + std::to_string(of("barrier_")) + " at barriers";
    EXPECT_NE(read_text_file(CONVSCOPE_TESTING_PAGE).find(said), std::string::npos) << said;
    EXPECT_GE(bugs.size(), 40U);
    EXPECT_GE(of("copy_") + of("barrier_"), 15);
}

}  // namespace
}  // namespace convscope::app
