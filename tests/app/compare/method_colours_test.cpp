// A method has one colour everywhere, and those that are compared differ.
#include "app/compare/method_colours.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "kernels/method/registry.h"
#include "visualizers/plots/plot_layout.h"
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
          // The published methods next to the fast ones.
          Ids{"ecr3", "ecr4", "ecr5", "tensor1", "union1", "im2col", "mec2", "winograd1"},
          Ids{"pecr2", "pecr3", "pecr4", "tensor2"}, Ids{"im2col", "mec1", "mec2", "mec3", "mec5"},
          Ids{"ocpa", "ocpa2", "ocpa4", "ocpa4-tf32", "ocpa4-nhwc", "ocpa4-nhwc-tf32", "tensor3"},
          Ids{"tiled-single", "tiled-single2", "im2col"},
          Ids{"csr1", "csr2", "csr3", "ell1", "bitmap1", "bsr1", "coo1", "im2col"}}) {
        std::set<int> numbers;
        std::set<std::uint32_t> dark, light;
        for (const std::string& method : methods) {
            EXPECT_TRUE(numbers.insert(colour_of(method)).second) << method;
            EXPECT_TRUE(dark.insert(dark_theme().method(colour_of(method)).u32()).second) << method;
            EXPECT_TRUE(light.insert(light_theme().method(colour_of(method)).u32()).second) << method;
        }
    }
}

TEST(MethodColours, no_two_methods_of_a_list_share_one) {
    const auto registry = make_registry();
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::sim, DeviceKind::cuda}) {
        std::set<std::string> ids;
        for (const Method* method : registry->methods(kind == DeviceKind::cuda ? DeviceKind::sim : kind))
            if (!method->info().vendor) ids.insert(method->info().id);
        // Methods that the simulated GPU has not, or has only in a build with CUDA.
        if (kind == DeviceKind::cuda)
            for (const char* id : {"tensor1", "tensor2", "tensor3", "mec5", "mec6", "mec7", "fused6", "union1",
                                   "pixel1", "pixel2", "nm1", "ocpa4", "ocpa4-tf32", "ocpa4-nhwc", "ocpa4-nhwc-tf32"})
                ids.insert(id);
        EXPECT_GT(ids.size(), 15U);
        for (const char* id : {"own/conv", "ecr9", "pecr9", "newfamily1", "newfamily2"}) ids.insert(id);
        for (const Theme* theme : {&dark_theme(), &light_theme()}) {
            std::set<std::uint32_t> colours;
            for (const std::string& id : ids)
                EXPECT_TRUE(colours.insert(theme->method(colour_of(id)).u32()).second) << id;
        }
    }
}

TEST(MethodColours, are_apart_on_a_map_where_the_winners_are_relatives) {
    for (const Ids& winners :
         {Ids{"tensor1", "tensor2", "cudnn"}, Ids{"im2col", "tensor2"}, Ids{"ocpa2", "tensor1"},
          Ids{"ecr3", "ecr4", "ecr5", "im2col", "ocpa2", "tensor1", "tensor2", "tensor3", "cudnn"}})
        for (const Theme* theme : {&dark_theme(), &light_theme()}) {
            Plot plot;
            plot.cells.emplace();
            for (const std::string& winner : winners) {
                PlotSeries& series = plot.series.emplace_back();
                series.name = winner;
                series.color = colour_of(winner);
                series.vendor = winner == "cudnn";
            }
            const std::vector<Rgba> inks = inks_of(plot, *theme);
            for (std::size_t i = 0; i < inks.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_GE(colour_difference(inks[i], inks[j]), 20) << winners[i] << " and " << winners[j];
        }
}

TEST(MethodColours, are_no_colours_of_stages) {
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
        std::set<std::uint32_t> parts;
        for (int i = 0; i < 7; ++i) parts.insert(theme->part(i).u32());
        EXPECT_EQ(parts.size(), 7U);
        for (int i = 0; i < 49; ++i) EXPECT_FALSE(parts.contains(theme->method(i).u32())) << i;
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
