// Expressions over a state that is made by hand.
#include "app/lessons/expression.h"

#include <gtest/gtest.h>

#include "app/lessons/facts.h"
#include "app/lessons/show_state.h"
#include "kernels/layers/preset.h"
#include "tests/support/registries.h"

namespace convscope::lessons {
namespace {

using testing::registry;

Answer value(const FactSource& facts, const std::string& text) {
    std::vector<std::string> problems, doubts;
    const auto expression = Expression::compile(text, registry(), problems, doubts);
    EXPECT_TRUE(expression) << text << ": " << (problems.empty() ? "" : problems.front());
    return expression ? expression->evaluate(facts) : Answer{};
}

std::string complaint(const std::string& text) {
    std::vector<std::string> problems, doubts;
    EXPECT_FALSE(Expression::compile(text, registry(), problems, doubts)) << text;
    return problems.empty() ? "" : problems.front();
}

class LessonFacts : public ::testing::Test {
protected:
    double of(const std::string& text) {
        const Answer answer = value(state_.facts(problem_), text);
        EXPECT_TRUE(answer.value) << text << ": " << answer.why << problem_;
        return answer.value.value_or(-1e9);
    }
    std::string why(const std::string& text) {
        const Answer answer = value(state_.facts(problem_), text);
        EXPECT_FALSE(answer.value) << text;
        return answer.why;
    }
    ShowState state_{registry()};
    std::string problem_;
};

TEST_F(LessonFacts, are_those_of_the_worked_example) {
    EXPECT_EQ(of("dense"), 81);
    EXPECT_EQ(of("dense_adds"), 72);
    EXPECT_EQ(of("needed"), of("elements(\"F_data\")"));
    EXPECT_EQ(of("ptr(0) + ptr(1) + ptr(2)"), 10);
    EXPECT_EQ(of("value(\"F_data\", 0)"), 15);
    EXPECT_EQ(of("value(\"F_data\", 1)"), 22);
    EXPECT_EQ(of("value2(\"y\", 0, 1)"), 38);
    EXPECT_EQ(of("copies(\"im2col\", 2, 2)"), 9);
    EXPECT_EQ(of("copies(\"mec\", 2, 2)"), 3);
    EXPECT_EQ(of("copies(\"im2col\", 0, 0)"), 1);
    EXPECT_EQ(of("bytes(\"im2col\")"), 4 * 9 * 9);
    EXPECT_EQ(of("elements(\"mec\")"), 3 * 5 * 3);
    EXPECT_EQ(of("view(\"layout\") and not view(\"step\") or 0"), 1);
    EXPECT_EQ(of("(1 and 0) + 2 * (0 and 1) + 4 * (1 and 2)"), 4);
    EXPECT_EQ(of("(0 or 0) + 2 * (0 or 3) + 4 * (1 or 0)"), 6);
    EXPECT_EQ(of("not 0 + 2 * (not 3)"), 1);
    EXPECT_EQ(of("h != 5"), 0);
    EXPECT_EQ(of("h > 4 ? 1 : 2"), 1);
    EXPECT_EQ(of("max(1, 2, 3) + round(1.4) + floor(1.9) + ceil(0.1) + abs(-1)"), 7);
    EXPECT_EQ(of("preset(\"examples/xu-fig4\")"), 1);
    const std::string row = "xu2022-scopes: method=ecr3 k=50 timing_scope=kernel: registers";
    EXPECT_EQ(of("recorded(\"" + row + "\") + recorded_sum(\"" + row + "\")"), 64);
}

TEST_F(LessonFacts, that_are_missing_are_a_state_of_their_own) {
    EXPECT_NE(why("time(\"ecr1\") < 5").find("ecr1 is not measured yet"), std::string::npos);
    EXPECT_TRUE(value(state_.facts(problem_), "time(\"ecr1@setup\")").needs_measurement);
    EXPECT_NE(why("sectors").find("no block is traced"), std::string::npos);
    EXPECT_NE(why("elements(\"Data\")").find("Data"), std::string::npos);  // no pooling
    EXPECT_NE(why("copies(\"mec\", 7, 0)").find("outside"), std::string::npos);
    EXPECT_NE(why("1 / 0").find("not a number"), std::string::npos);
}

TEST_F(LessonFacts, follow_the_step_view_and_the_launch) {
    Show show;
    show.view = "step";
    show.method = "ecr1";
    show.moment = 1;
    state_.apply(show);
    EXPECT_EQ(of("moment"), 1);
    EXPECT_GT(of("moments"), 22);
    EXPECT_EQ(of("active_lanes"), 3);
    EXPECT_EQ(of("block_multiplications"), 10);
    EXPECT_EQ(of("threads"), 3);
    EXPECT_GT(of("occupancy"), 0);
    EXPECT_NE(why("quantity(\"nothing\")").find("nothing"), std::string::npos);
    EXPECT_EQ(of("method(\"ecr1\")"), 1);
    EXPECT_EQ(of("race"), 0);
}

TEST_F(LessonFacts, follow_a_changed_layer) {
    Show show;
    show.sparsity = 0.0;
    show.shape = {{&ConvShape::stride_h, 2}, {&ConvShape::stride_w, 2}};
    state_.apply(show);
    EXPECT_EQ(of("p * q"), 4);
    EXPECT_EQ(of("needed"), of("dense"));
    EXPECT_EQ(of("preset(\"examples/xu-fig4\")"), 0);
    show = {};
    const auto index = [](const char* text) {
        std::vector<std::string> wrong, doubts;
        return *Expression::compile(text, registry(), wrong, doubts);
    };
    show.point = PointTarget{"F_data", index("3"), {}};
    state_.apply(show);
    EXPECT_EQ(of("pointed(\"F_data\", 3)"), 1);
    EXPECT_EQ(of("pointed(\"F_data\", 4)"), 0);
    show.point = PointTarget{"x", index("floor(h / 2)"), index("w - 1")};
    state_.apply(show);
    EXPECT_EQ(of("pointed2(\"x\", 2, 4)"), 1);
}

TEST_F(LessonFacts, know_what_pruning_leaves_and_what_the_whole_matrix_takes) {
    Show show;
    show.preset = "resnet8/block3_shortcut";
    show.matrix = MatrixOf::w;
    state_.apply(show);
    EXPECT_EQ(of("weight_sparsity"), 0);
    EXPECT_EQ(of("whole_bytes(\"dense\")"), 4 * 64 * 32);
    EXPECT_EQ(of("whole_bytes(\"csr\")"), 4 * (2 * 64 * 32 + 65));
    EXPECT_LT(of("format_bytes(\"csr\")"), of("whole_bytes(\"csr\")")) << "the page shows a corner";
    EXPECT_EQ(of("weights_kept(\"magnitude\")"), 1) << "nothing is pruned";
    show = {};
    show.weight_pattern = WeightPattern::blocks;
    show.weight_sparsity = 0.5;
    state_.apply(show);
    EXPECT_EQ(of("weight_sparsity"), 0.5);
    EXPECT_EQ(of("whole_bytes(\"bsr\")"), 4 * (64 * 32 / 2 + 64 * 32 / 8 + 33));
    EXPECT_GT(of("weights_kept(\"magnitude\")"), of("weights_kept(\"2:4\")"));
    EXPECT_GT(of("weights_kept(\"2:4\")"), of("weights_kept(\"blocks\")"));
    EXPECT_LT(of("weights_kept(\"magnitude\")"), 1);
    show = {};
    show.preset = "alexnet/fc7";
    state_.apply(show);
    EXPECT_EQ(why("weights_kept(\"magnitude\")"), "what pruning keeps is not counted: the layer is too large");
    EXPECT_EQ(why("whole_bytes(\"csr\")"), "the whole matrix in csr is not counted: it is too large");
}

TEST_F(LessonFacts, bisect_a_matrix_of_up_to_2_to_the_16_elements) {
    Show show;
    show.shape = {{&ConvShape::h, 1 << 8}, {&ConvShape::w, 1 << 8}};
    state_.apply(show);
    EXPECT_GT(of("format_saves_at(\"csr\")"), 0.5);
    show.shape[1].second += 1;
    state_.apply(show);
    EXPECT_EQ(why("format_saves_at(\"csr\")"),
              "from which zeros on csr saves is not counted: the whole matrix has more than 65 536 elements");
    EXPECT_GT(of("whole_bytes(\"csr\")"), 0);
}

TEST_F(LessonFacts, know_the_padding_of_each_side) {
    Show show;
    show.same_padding = true;
    show.shape = {{&ConvShape::r, 2}, {&ConvShape::s, 2}};
    state_.apply(show);
    EXPECT_EQ(of("p"), of("h"));
    EXPECT_EQ(of("pad_h"), 0);
    EXPECT_EQ(of("pad_extra_h"), 1);
    show = {};
    show.shape = {{&ConvShape::pad_h, 1}, {&ConvShape::pad_extra_h, -1}};
    state_.apply(show);
    EXPECT_EQ(of("h + 2 * pad_h + pad_extra_h"), 6);
}

TEST_F(LessonFacts, know_the_cache_mode) {
    EXPECT_EQ(of("cache(\"hot\")"), 1);
    Show show;
    show.cache = CacheMode::cold;
    state_.apply(show);
    EXPECT_EQ(of("cache(\"hot\")"), 0);
    EXPECT_EQ(of("cache(\"cold\")"), 1);
}

TEST(LessonExpression, says_what_is_wrong_with_it) {
    EXPECT_NE(complaint("neded").find("did you mean needed?"), std::string::npos);
    EXPECT_NE(complaint("needed = 3").find("write =="), std::string::npos);
    EXPECT_NE(complaint("value(\"Fdata\", 1)").find("accepted are x, w, y"), std::string::npos);
    EXPECT_NE(complaint("time(\"ecr1@setups\")").find("not a timing scope"), std::string::npos);
    EXPECT_NE(complaint("cache(\"warm\")").find("accepted are hot, cold"), std::string::npos);
    EXPECT_NE(complaint("view(\"layouts\")").find("not a view"), std::string::npos);
    EXPECT_NE(complaint("= 3").find("write =="), std::string::npos);
    EXPECT_NE(complaint("needed =").find("write =="), std::string::npos);
    EXPECT_EQ(complaint("neded +").find("'neded +': there is no name 'neded'"), 0U) << "and no more of it";
    EXPECT_NE(complaint("1, 2").find("holds several expressions"), std::string::npos);
    EXPECT_EQ(complaint("recorded(\"nothing\")").find("recorded: "), 0U);
    EXPECT_EQ(complaint("recorded_sum(\"nothing\")").find("recorded_sum: "), 0U);
    EXPECT_FALSE(complaint("needed +").empty());
    EXPECT_FALSE(complaint("needed(").empty());
    EXPECT_FALSE(complaint("").empty());
    EXPECT_FALSE(complaint("time(\"ecr1").empty());
}

}  // namespace
}  // namespace convscope::lessons
