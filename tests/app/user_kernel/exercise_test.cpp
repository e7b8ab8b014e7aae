// Each exercise: what a student begins with fails with a sentence that helps, the solution passes.
#include "app/user_kernel/exercise.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/user_kernel/kernel_check.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/preset.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

class EachExercise : public ::testing::TestWithParam<Exercise> {
protected:
    void SetUp() override {
        if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    }
    std::shared_ptr<KernelCheckResult> check_source(const std::string& source,
                                                    const std::vector<std::string>& defines) {
        KernelCheckRequest request;
        request.call.file = folder_ / "mine.cu";
        request.call.defines = defines;
        std::ofstream(request.call.file) << source;
        return check_kernel(request, {});
    }
    TempFolder folder_;
};

std::string problems_of(const KernelCheckResult& check) {
    std::string all = check.verdict;
    for (const SourceProblem& each : check.problems) all += each.sentence + "\n";
    if (check.prepared && check.prepared->arguments.rejected()) all += check.prepared->arguments.rejected()->reason;
    if (check.result)
        for (const ptx::Finding& each : check.result->findings) all += "\n" + each.line(check.kernel().module);
    return all;
}

TEST_P(EachExercise, is_not_solved_as_it_begins) {
    const auto check = check_source(GetParam().start, {});
    ASSERT_TRUE(check->result) << problems_of(*check);
    EXPECT_NE(check->unsolved, "");
    EXPECT_GE(check->unsolved.size(), 20U) << "a sentence: " << check->unsolved;
}

TEST_P(EachExercise, is_solved_by_its_solution) {
    const std::string source = "// exercise: " + GetParam().id + "\n" + read_text_file(GetParam().file);
    const auto check = check_source(source, {"SOLUTION"});
    ASSERT_TRUE(check->result) << problems_of(*check);
    EXPECT_EQ(problems_of(*check), "");
}

INSTANTIATE_TEST_SUITE_P(Shipped, EachExercise, ::testing::ValuesIn(all_exercises()), [](const auto& each) {
    std::string name = each.param.id;
    std::erase(name, '-');
    return name;
});

TEST(Exercise, holds_the_task_and_leaves_the_solution_out) {
    ASSERT_GE(all_exercises().size(), 16U);
    for (const Exercise& each : all_exercises()) {
        EXPECT_TRUE(each.start.starts_with("// exercise: " + each.id + "\n")) << each.id;
        EXPECT_EQ(each.start.find("SOLUTION"), std::string::npos) << each.id;
        EXPECT_EQ(each.start.find("//!"), std::string::npos) << each.id;
        EXPECT_NE(each.start.find("// convscope: "), std::string::npos) << each.id;
        EXPECT_TRUE(each.solution.starts_with("// exercise: " + each.id + "\n")) << each.id;
        EXPECT_EQ(each.solution.find("SOLUTION"), std::string::npos) << each.id;
        EXPECT_NE(each.solution.substr(each.solution.find("// convscope: ")),
                  each.start.substr(each.start.find("// convscope: ")))
            << each.id;
    }
}

TEST(Exercise, says_what_is_wrong_with_its_file) {
    const TempFolder folder;
    const auto file = folder / "broken.cu";
    std::ofstream(file) << "//! title: T\n//! tusk: words\n";
    EXPECT_THROW(read_exercise(file), Error);
    std::ofstream(file) << "//! title: T\n__global__ void k() {}\n";
    EXPECT_THROW(read_exercise(file), Error);
    EXPECT_THROW(exercise_of("// exercise: 99-nothing\n"), Error);
    EXPECT_THROW(exercise_of("// exercise: ../../secret\n"), Error);
    EXPECT_FALSE(exercise_of("__global__ void k() {}\n"));
}

TEST(Exercise, begins_in_a_file_of_its_own_and_overwrites_none) {
    const TempFolder folder;
    const Exercise first = all_exercises().front();
    start_exercise(first, folder / "mine.cu");
    EXPECT_EQ(read_text_file(folder / "mine.cu"), first.start);
    EXPECT_THROW(start_exercise(first, folder / "mine.cu"), Error);
}

TEST(Exercise, of_the_users_own_is_opened_as_it_is_and_its_solution_beside_it) {
    const TempFolder folder;
    setenv("XDG_DATA_HOME", (folder / "data").c_str(), 1);
    const Exercise first = all_exercises().front();
    const auto mine = own_exercise(first.id);
    EXPECT_EQ(read_text_file(mine), first.start);
    std::ofstream(mine) << "mine";
    EXPECT_EQ(own_exercise(first.id), mine);
    EXPECT_EQ(read_text_file(mine), "mine");
    const auto solved = own_exercise(first.id, true);
    EXPECT_NE(solved, mine);
    EXPECT_EQ(solved.parent_path(), mine.parent_path());
    EXPECT_EQ(read_text_file(solved), first.solution);
    EXPECT_THROW(own_exercise("../secret"), Error);
    unsetenv("XDG_DATA_HOME");
}

}  // namespace
}  // namespace convscope::app
