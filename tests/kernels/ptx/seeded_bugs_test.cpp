// samples/seeded_bugs.cu: each bug is found at its line, and nothing in its clean twin.
#include <gtest/gtest.h>

#include "tests/kernels/ptx/sample.h"
#include "tests/support/source_line.h"

namespace convscope::ptx::testing {
namespace {

class PtxSeededBug : public ::testing::Test {
protected:
    /// Of the findings, the one that is expected.
    template <class... Arguments>
    Finding expect_caught(FindingKind kind, const std::string& entry, const std::string& mark, Dim3 grid, Dim3 block,
                          Arguments... arguments) {
        const unsigned line =
            convscope::testing::line_of("tests/kernels/ptx/samples/seeded_bugs.cu", "bug: " + mark + ".");
        Sample kernel = sample("seeded_bugs", entry);
        kernel.request.max_warp_instructions = 1'000'000;
        kernel.names = names;
        kernel.unwritten = unwritten;
        auto clean = std::tuple(arguments...);
        const LaunchResult quiet =
            std::apply([&](auto&... argument) { return kernel(grid, block, no_, argument...); }, clean);
        for (const std::string& text : kernel.lines(quiet)) ADD_FAILURE() << "in the clean twin: " << text;
        const LaunchResult result = kernel(grid, block, yes_, arguments...);
        for (const Finding& finding : result.findings)
            if (finding.kind == kind && finding.found.at.line == line) return finding;
        ADD_FAILURE() << mark << " was not found at line " << line;
        for (const std::string& text : kernel.lines(result)) ADD_FAILURE() << text;
        return {};
    }
    static std::vector<float> floats(std::size_t n) { return std::vector<float>(n, 1.0f); }

    std::vector<std::string> names = {"buggy", "x", "y"}, unwritten = {"y"};

private:
    bool yes_ = true, no_ = false;
};

TEST_F(PtxSeededBug, bounds) {
    const Finding past =
        expect_caught(FindingKind::out_of_bounds, "past_the_end", "writes past the end", {1}, {64}, floats(40), 40);
    EXPECT_EQ(past.element, "x[40]");
    EXPECT_EQ(past.found.thread, (Dim3{40, 0, 0}));
    EXPECT_EQ(expect_caught(FindingKind::out_of_bounds, "before_the_start", "reads before the start", {1}, {32},
                            floats(32), floats(32))
                  .element,
              "x[-1]");
    EXPECT_EQ(
        expect_caught(FindingKind::out_of_bounds, "shared_past_the_end", "into the next array", {1}, {32}, floats(32))
            .element,
        "a[32]");
    expect_caught(FindingKind::out_of_bounds, "null_pointer", "through null", {1}, {32}, floats(32), std::uint64_t{0});
    expect_caught(FindingKind::misaligned, "misaligned", "starts between two vectors", {1}, {1}, floats(16), floats(1));
}

TEST_F(PtxSeededBug, uninitialised) {
    names = {"buggy", "y"};
    EXPECT_EQ(expect_caught(FindingKind::uninitialised, "uninitialised_output", "adds to what nobody wrote", {1}, {1},
                            floats(1))
                  .element,
              "y[0]");
    EXPECT_EQ(expect_caught(FindingKind::uninitialised, "uninitialised_shared", "reads what nobody wrote", {1}, {32},
                            floats(32))
                  .element,
              "a[63]");
    expect_caught(FindingKind::uninitialised, "uninitialised_local", "mine[0] is missing", {1}, {32}, floats(32), 8);
    names = {"buggy", "x", "y"};
    expect_caught(FindingKind::uninitialised, "missing_wait", "the copy may not be there", {1}, {32}, floats(128),
                  floats(128));
}

TEST_F(PtxSeededBug, races_within_a_block) {
    const Finding race = expect_caught(FindingKind::race, "missing_barrier", "the other warp may not have written it",
                                       {1}, {64}, floats(64));
    ASSERT_TRUE(race.other);
    EXPECT_NE(race.other->thread.x / 32, race.found.thread.x / 32);
    expect_caught(FindingKind::race, "barrier_too_late", "the last round's readers may not be done", {1}, {64},
                  floats(64));
    const Finding lanes = expect_caught(FindingKind::race, "warp_without_sync", "lanes are not in lockstep", {1}, {32},
                                        std::vector<int>(32));
    ASSERT_TRUE(lanes.other);
    EXPECT_EQ(lanes.other_does, "writes it");
    EXPECT_EQ(lanes.other->at.line + 2, lanes.found.at.line);
    expect_caught(FindingKind::race, "same_element", "two lanes write one element", {1}, {32}, std::vector<int>(32));
}

TEST_F(PtxSeededBug, races_between_blocks) {
    const Finding race =
        expect_caught(FindingKind::race, "between_blocks", "another block's element", {4}, {1}, std::vector<int>(4));
    ASSERT_TRUE(race.other);
    EXPECT_NE(race.other->block, race.found.block);
    names = {"buggy", "count"};
    expect_caught(FindingKind::race, "counts_without_atomic", "lost updates", {2}, {1}, std::vector<int>(1));
    names = {"buggy", "flag", "data", "y"};
    expect_caught(FindingKind::race, "missing_fence", "the flag may come before the data", {2}, {32},
                  std::vector<int>(1), floats(1), floats(1));
}

TEST_F(PtxSeededBug, barriers) {
    const Finding skipped = expect_caught(FindingKind::divergent_barrier, "skipped_barrier", "some threads do not come",
                                          {1}, {64}, floats(64));
    EXPECT_EQ(skipped.other_does, "has left the kernel");
    const Finding elsewhere =
        expect_caught(FindingKind::divergent_barrier, "two_barriers", "others wait elsewhere", {1}, {64}, floats(64));
    ASSERT_TRUE(elsewhere.other);
    EXPECT_EQ(elsewhere.other->at.line + 3, elsewhere.found.at.line);
    expect_caught(FindingKind::endless, "endless", "nobody sets it", {1}, {32}, std::vector<int>(1),
                  std::vector<int>(32));
}

}  // namespace
}  // namespace convscope::ptx::testing
