#include "kernels/core/nearest_names.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

const std::vector<std::string> names{"vgg19/conv1_1", "vgg19/conv5_1", "mec/cv1", "mec/cv12", "examples/xu-fig4"};

TEST(NearestNames, corrects_a_typing_error) {
    EXPECT_EQ(nearest_names("vgg19/conv51", names).front(), "vgg19/conv5_1");
    EXPECT_EQ(nearest_names("mec/vc1", names).front(), "mec/cv1");
}

TEST(NearestNames, finds_a_part_of_a_name) {
    EXPECT_EQ(nearest_names("fig4", names), (std::vector<std::string>{"examples/xu-fig4"}));
    EXPECT_EQ(nearest_names("CV1", names), (std::vector<std::string>{"mec/cv1", "mec/cv12"}));
}

TEST(NearestNames, says_nothing_when_nothing_is_near) {
    EXPECT_TRUE(nearest_names("resnet", names).empty());
    EXPECT_TRUE(nearest_names("", names).empty());
    EXPECT_TRUE(nearest_names(std::string(100000, 'a'), names).empty());
}

TEST(NearestNames, gives_no_more_than_asked) {
    EXPECT_EQ(nearest_names("c", names, 2).size(), 2u);
}

}  // namespace
}  // namespace convscope
