#include "app/lessons/recorded_values.h"

#include <gtest/gtest.h>

#include <functional>

#include "kernels/core/error.h"

namespace convscope::lessons {
namespace {

std::string complaint(const std::function<void()>& ask) {
    try {
        ask();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(RecordedValues, are_the_cells_of_the_recorded_files) {
    // The line of presets/recorded/xu2022-scopes.csv that the README's screenshot of the Compare view is of.
    EXPECT_NEAR(recorded_value("xu2022-scopes: method=ecr3 k=50 timing_scope=kernel: time_median_us"), 8.0358, 1e-3);
    EXPECT_EQ(recorded_value("xu2022-scopes: method=ecr3 k=50 timing_scope=kernel: registers"), 32);
    EXPECT_EQ(recorded_value("vgg19-conv5-sparsity: method=cudnn timing_scope=kernel pool_h= sparsity_target=0: h"),
              14);
}

TEST(RecordedValues, are_added_up_over_all_rows) {
    double sum = 0;
    for (const char* scope : {"kernel", "launch", "copies", "alloc", "setup"})
        sum +=
            recorded_value(std::string("xu2022-scopes: method=ecr3 k=50 timing_scope=") + scope + ": time_median_us");
    EXPECT_NEAR(recorded_sum("xu2022-scopes: method=ecr3 k=50: time_median_us"), sum, 1e-9);
}

TEST(RecordedValues, name_the_device_of_a_session) {
    EXPECT_EQ(recorded_device("xu2022-scopes").find("NVIDIA "), 0U);
    EXPECT_NE(complaint([] { recorded_device("nothing"); }).find("no recorded session 'nothing'"), std::string::npos);
}

TEST(RecordedValues, have_each_layer_of_vgg19_once_for_the_lesson_that_adds_them_up) {
    for (const char* method : {"cudnn", "cudnn-tf32", "ocpa", "im2col", "winograd1"})
        EXPECT_EQ(recorded_sum(std::string("vgg19-layers: method=") + method + " timing_scope=kernel: n"), 16)
            << method;
}

TEST(RecordedValues, say_what_is_wrong_with_a_question) {
    const auto of = [](const std::string& word) { return complaint([&] { recorded_value(word); }); };
    EXPECT_NE(of("xu2022-scopes").find("SESSION: QUERY: COLUMN"), std::string::npos);
    EXPECT_NE(of("nothing: method=ecr3: time_median_us").find("no recorded session 'nothing'"), std::string::npos);
    EXPECT_NE(of("../xu2022: method=ecr3: time_median_us").find("no recorded session"), std::string::npos);
    EXPECT_NE(of("xu2022-scopes: method=ecr3 k=50: time_median_us").find("5 rows meet"), std::string::npos);
    EXPECT_NE(of("xu2022-scopes: method=none: time_median_us").find("no row meets"), std::string::npos);
    EXPECT_NE(
        of("xu2022-scopes: method=ecr3 k=50 timing_scope=kernel: family").find("'family' is not a column of numbers"),
        std::string::npos);
    EXPECT_NE(of("xu2022-scopes: metod=ecr3: time_median_us").find("'metod' is not a column"), std::string::npos);
}

TEST(RecordedValues, come_from_no_other_folder) {
    EXPECT_NE(complaint([] {
                  recorded_value("../recorded/xu2022-scopes: method=ecr3 k=50 timing_scope=kernel: time_median_us");
              }).find("no recorded session"),
              std::string::npos);
}

TEST(RecordedValues, a_name_too_long_for_a_file_is_no_session) {
    const std::string name(300, 'x');
    EXPECT_NE(complaint([&] { recorded_value(name + ": a: time_median_us"); }).find("no recorded session"),
              std::string::npos);
}

}  // namespace
}  // namespace convscope::lessons
