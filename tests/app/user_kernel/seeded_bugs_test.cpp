// Seeded bugs: each is found at its line, and nothing in its clean twin, as `convscope kernel` runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "app/user_kernel/prepared_kernel.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/ptx/compiler_here.h"

namespace convscope::app {
namespace {

const std::string files[] = {"seeded_bugs", "seeded_copies", "seeded_barriers", "seeded_mbarriers",
                             "seeded_bulk", "seeded_wgmma",  "seeded_clusters"};

std::filesystem::path seeded(const std::string& file) {
    return std::filesystem::path(CONVSCOPE_SAMPLES) / (file + ".cu");
}

/// clang has no __cluster_dims__.
bool needs_nvcc(const std::string& file) {
    return file == "seeded_clusters";
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

/// A file of bugs, as a compiler that is here makes it.
class SeededBugs : public ::testing::TestWithParam<std::pair<std::string, std::string>> {
protected:
    void SetUp() override {
        const auto compiler = testing::compiler_here(GetParam().second);
        if (!compiler) GTEST_SKIP() << "there is no " << GetParam().second;
        setenv("CONVSCOPE_CUDA_COMPILER", compiler->c_str(), 1);
        for (const char* bug : {"BUG=1", "BUG=0"}) texts_.push_back(ptx::compile_to_ptx(seeded(file), {bug}));
    }
    void TearDown() override { unsetenv("CONVSCOPE_CUDA_COMPILER"); }

    /// Its findings, a line each.
    std::vector<std::string> found(const std::string& entry, bool buggy) const {
        KernelCall call;
        call.file = seeded(file);
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

    const std::string file = GetParam().first, source = read_text_file(seeded(file));

private:
    std::vector<std::string> texts_;
};

TEST_P(SeededBugs, are_found_at_their_lines_and_nothing_in_their_clean_twins) {
    for (const SeededBug& bug : bugs_in(source)) {
        const std::string start = bug.kind + " " + file + ".cu:" + std::to_string(bug.line) + " ";
        const std::vector<std::string> lines = found(bug.entry, true);
        EXPECT_TRUE(std::ranges::any_of(lines,
                                        [&](const std::string& line) {
                                            return line.starts_with(start) && line.find(bug.words) != std::string::npos;
                                        }))
            << bug.entry << ": " << start << bug.words << "\nis not among " << ::testing::PrintToString(lines);
        EXPECT_EQ(found(bug.entry, false), std::vector<std::string>()) << bug.entry << ", the clean twin";
    }
}

INSTANTIATE_TEST_SUITE_P(Compiled, SeededBugs, ::testing::ValuesIn(testing::with_compilers(files, needs_nvcc)),
                         [](const auto& each) {
                             return each.param.first + "_" + testing::plain_name(each.param.second);
                         });

TEST(SeededBugList, has_as_many_bugs_as_the_documentation_says) {
    std::vector<SeededBug> bugs;
    for (const std::string& file : files)
        for (const SeededBug& bug : bugs_in(read_text_file(seeded(file)))) bugs.push_back(bug);
    for (const SeededBug& bug : bugs) EXPECT_NE(bug.line, 0U) << bug.entry;
    const auto of = [&](const std::string& start) {
        return std::ranges::count_if(bugs, [&](const SeededBug& bug) { return bug.entry.starts_with(start); });
    };
    const std::string said = std::to_string(bugs.size()) + " bugs are seeded, " + std::to_string(of("copy_")) +
                             " in asynchronous copies, " + std::to_string(of("barrier_")) + " at barriers, " +
                             std::to_string(of("mbarrier_")) + " at mbarriers, " + std::to_string(of("bulk_")) +
                             " in bulk copies, " + std::to_string(of("cluster_")) + " in clusters and " +
                             std::to_string(of("wgmma_")) + " in products of warpgroups";
    std::string page = read_text_file(CONVSCOPE_TESTING_PAGE);
    std::ranges::replace(page, '\n', ' ');
    EXPECT_NE(page.find(said), std::string::npos) << said;
    EXPECT_GE(bugs.size(), 40U);
    EXPECT_GE(of("copy_") + of("barrier_"), 15);
}

}  // namespace
}  // namespace convscope::app
