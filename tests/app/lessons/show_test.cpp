#include "app/lessons/show.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"
#include "kernels/layers/preset.h"

namespace convscope::lessons {
namespace {

class ShownMapTest : public ::testing::Test {
protected:
    std::string problem(const Show& show) const {
        try {
            shown_map(show, shape_, {}, false);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            return error.what();
        }
        return "";
    }

    const ConvShape shape_{.n = 2, .c = 6, .h = 5, .w = 5, .k = 4, .r = 3, .s = 3, .groups = 2};
};

TEST_F(ShownMapTest, stays_where_a_block_names_nothing) {
    EXPECT_EQ(shown_map({}, shape_, {1, 4, 3}, false), (MapIndex{1, 4, 3}));
}

TEST_F(ShownMapTest, goes_to_the_nearest_that_the_layer_has_and_to_a_filter_that_sees_the_channel) {
    EXPECT_EQ(shown_map({}, shape_, {9, 2, 9}, false), (MapIndex{1, 2, 1})) << "channels 0 to 2 have filters 0 and 1";
}

TEST_F(ShownMapTest, rejects_what_the_layer_of_a_lesson_has_not) {
    Show show;
    show.image = 2;
    EXPECT_EQ(problem(show), "there is no image 2: the layer has 2");
    show = {};
    show.channel = 6;
    EXPECT_EQ(problem(show), "there is no channel 6: the layer has 6");
    show.channel = 5;
    show.filter = 1;
    EXPECT_EQ(problem(show), "filter 1 does not see channel 5: it is of another group");
    show.filter = 2;
    EXPECT_EQ(problem(show), "");
}

TEST_F(ShownMapTest, takes_the_nearest_of_a_layer_that_the_lesson_does_not_know) {
    Show show;
    show.image = 7;
    show.channel = 1;
    show.filter = 3;
    EXPECT_EQ(shown_map(show, shape_, {}, true), (MapIndex{1, 1, 1}));
}

TEST(ShownWorkload, has_the_zeros_in_its_weights_that_a_block_names) {
    const WorkloadSpec layer = find_preset("resnet8/block3_shortcut").spec;
    Show show;
    show.weight_pattern = WeightPattern::magnitude;
    show.weight_sparsity = 0.75;
    EXPECT_TRUE(show.changes_workload());
    const WorkloadSpec pruned = shown_workload(show, layer);
    EXPECT_EQ(pruned.weight_pattern, WeightPattern::magnitude);
    EXPECT_EQ(pruned.weight_sparsity, 0.75);
    EXPECT_EQ(pruned.weights_path, layer.weights_path);
    EXPECT_EQ(pruned.source, Source::file) << "the layer's own weights are pruned";
    EXPECT_EQ(pruned.name, "custom");
    EXPECT_EQ(shown_workload({}, layer).name, layer.name);
}

}  // namespace
}  // namespace convscope::lessons
