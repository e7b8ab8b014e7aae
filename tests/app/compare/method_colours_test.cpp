// A method has one colour everywhere, and those that are compared differ.
#include "app/compare/method_colours.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "visualizers/theme/theme.h"

namespace convscope::app {
namespace {

using Ids = std::vector<std::string>;

TEST(MethodColours, differ_among_methods_that_are_compared) {
    for (const Ids& methods :
         {Ids{"fft1", "im2col", "mec1", "mec2", "mec2a", "mec2b", "winograd1"},
          Ids{"csr1", "fft1", "im2col", "mec2", "ocpa", "tiled-multi", "winograd1"},
          Ids{"csr1", "ecr3", "ecr4", "im2col", "mec2", "ocpa", "ocpa2", "pecr3", "pecr4", "winograd1"},
          Ids{"csr1", "ecr1", "ecr2", "ecr3", "pecr1", "pecr2", "pecr3"},
          Ids{"csr1", "ecr3", "fft1", "im2col", "mec1", "mec2", "tiled-multi", "winograd1"},
          Ids{"unfused0", "fused0", "fused1", "fused2", "fused3", "fused4", "fused5", "fused6", "im2col"},
          Ids{"im2col", "tiled-multi", "tiled-multi2", "winograd1"},
          // The published methods beside the fast ones.
          Ids{"ecr3", "ecr4", "ecr5", "tensor1", "im2col", "mec2", "winograd1"},
          Ids{"pecr2", "pecr3", "pecr4", "tensor2"}, Ids{"im2col", "mec1", "mec2", "mec3", "mec5"},
          Ids{"ocpa", "ocpa2", "tensor3"}, Ids{"tiled-single", "tiled-single2", "im2col"}}) {
        std::set<int> numbers;
        std::set<std::uint32_t> dark, light;
        for (const std::string& method : methods) {
            EXPECT_TRUE(numbers.insert(colour_of(method)).second) << method;
            EXPECT_TRUE(dark.insert(dark_theme().method(colour_of(method)).u32()).second) << method;
            EXPECT_TRUE(light.insert(light_theme().method(colour_of(method)).u32()).second) << method;
        }
    }
}

TEST(MethodColours, are_no_colours_of_stages) {
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
        std::set<std::uint32_t> parts;
        for (int i = 0; i < 7; ++i) parts.insert(theme->part(i).u32());
        EXPECT_EQ(parts.size(), 7U);
        for (int i = 0; i < 21; ++i) EXPECT_FALSE(parts.contains(theme->method(i).u32())) << i;
    }
}

TEST(MethodColours, a_librarys_algorithms_differ_by_mark) {
    std::set<PlotSeries::Shape> shapes;
    for (const char* method : {"cudnn", "cudnn-tf32", "cudnn-gemm", "cudnn-implicit-gemm",
                               "cudnn-implicit-precomp-gemm", "cudnn-fft-tiling", "cudnn-fused"})
        EXPECT_TRUE(shapes.insert(mark_of(method)).second) << method;
    EXPECT_EQ(mark_of("ecr3"), PlotSeries::Shape::dot);
}

}  // namespace
}  // namespace convscope::app
