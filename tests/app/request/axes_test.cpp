#include "app/request/axes.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/request/numbers.h"
#include "kernels/core/error.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

using Strings = std::vector<std::string>;

TEST(Axes, ranges_include_both_ends) {
    EXPECT_EQ(expand_list("--n", "1:4:1"), (Strings{"1", "2", "3", "4"}));
    EXPECT_EQ(expand_list("--n", "1:6:2"), (Strings{"1", "3", "5"}));
    EXPECT_EQ(expand_list("--n", "3:3:1"), (Strings{"3"}));
    EXPECT_EQ(expand_list("--sparsity", "0:0.3:0.1"), (Strings{"0", "0.1", "0.2", "0.3"}));
    EXPECT_EQ(expand_list("--sparsity", "0.7:1:0.1").back(), "1");
}

TEST(Axes, lists_and_ranges_mix) {
    EXPECT_EQ(expand_list("--n", "1,8:32:8,64"), (Strings{"1", "8", "16", "24", "32", "64"}));
    EXPECT_EQ(expand_list("--scope", "kernel,launch"), (Strings{"kernel", "launch"}));
}

TEST(Axes, blocks_vary_by_extent_or_as_whole) {
    EXPECT_EQ(expand_dim3("--block", "32:96:32,1,1"), (Strings{"32,1,1", "64,1,1", "96,1,1"}));
    EXPECT_EQ(expand_dim3("--block", "32,1:2:1"), (Strings{"32,1", "32,2"}));
    EXPECT_EQ(expand_dim3("--block", "32x2x1,64x1x1"), (Strings{"32x2x1", "64x1x1"}));
    EXPECT_EQ(expand_dim3("--block", "32,4,2"), (Strings{"32,4,2"}));
}

TEST(Axes, are_counted_before_they_are_spelt_out) {
    const auto rejection = [](const std::string& text) {
        return error_of(ErrorKind::usage, [&] { expand_dim3("--block", text); });
    };
    expect_contains(rejection("1:10000:1,1:10000:1"), "has more than 100000 values");
    expect_contains(error_of(ErrorKind::usage, [] { expand_list("--n", "1:60000:1,1:60000:1"); }), "100000 values");
    EXPECT_EQ(expand_dim3("--block", "1:1000:1,1:100:1").size(), 100000U);
}

TEST(Axes, rejects_what_is_no_range) {
    for (const char* text : {"1:2", "1:2:3:4", "1:2:0", "2:1:1", "1:"})
        expect_contains(error_of(ErrorKind::usage, [&] { expand_list("--n", text); }), "' is not a range; give start");
    expect_contains(error_of(ErrorKind::usage, [] { expand_list("--n", "1:200000:1"); }), "more than 100000 values");
}

std::vector<Axis> axes_of(const std::string& flag, const std::string& text) {
    FlagValues given;
    given.set(flag, text);
    return find_axes(given);
}

TEST(Axes, of_presets_are_names_patterns_and_files) {
    const TempFolder folder;
    const std::string file =
        folder.write("a.toml", "family = 'f'\n[[preset]]\nname = 'x'\nc = 1\nh = 5\nw = 5\nk = 1\nr = 3\ns = 3\n");
    EXPECT_EQ(axes_of("--preset", "mec/cv8,vgg19/conv5_4*," + file).at(0).values,
              (Strings{"mec/cv8", "vgg19/conv5_4", "vgg19/conv5_4+pool", file + "/x"}));
    EXPECT_TRUE(axes_of("--preset", "mec/cv1").empty());
    expect_contains(error_of(ErrorKind::not_found, [] { axes_of("--preset", "vgg20/*"); }),
                    "no preset matches 'vgg20/*'");
}

TEST(Axes, are_what_each_flag_takes_for_a_list) {
    EXPECT_EQ(axes_of("--device", "cpu,cuda:0").at(0).values, (Strings{"cpu", "cuda:0"}));
    EXPECT_TRUE(axes_of("--device", "cuda:0").empty()) << "no range";
    EXPECT_EQ(axes_of("--weight-pattern", "2:4,rows").at(0).values, (Strings{"2:4", "rows"}));
    EXPECT_TRUE(axes_of("--weight-pattern", "2:4").empty()) << "no range";
    EXPECT_EQ(axes_of("--weight-sparsity", "0:0.5:0.25").at(0).values, (Strings{"0", "0.25", "0.5"}));
    EXPECT_EQ(axes_of("--define", "N=1,2").at(0).values, (Strings{"N=1", "N=2"}));
    for (const char* text : {"FILL=f(1,2)", "N"}) EXPECT_TRUE(axes_of("--define", text).empty()) << text;
    EXPECT_TRUE(axes_of("--own", "a,b.cu:1:2:3").empty());
    EXPECT_TRUE(axes_of("--set", "tile").empty());
    EXPECT_EQ(axes_of("--n", "3:3:1").at(0).values, (Strings{"3"})) << "not as it was given";
    FlagValues twice;
    twice.set_all("--n", {"1", "2"});
    expect_contains(error_of(ErrorKind::usage, [&] { find_axes(twice); }), "--n is given 2 times");
}

TEST(Axes, whole_triples_of_blocks_and_grids_span_a_sweep) {
    FlagValues given;
    given.set("--block", "16x16x4,16x16x2");
    given.set("--grid", "7x7x96,7x7x128,7x7x64");
    const auto points = span_points(given, find_axes(given));
    ASSERT_EQ(points.size(), 6U);
    EXPECT_EQ(parse_dim3("--block", points[0].get("--block")), (Dim3{16, 16, 4}));
    EXPECT_EQ(parse_dim3("--grid", points[0].get("--grid")), (Dim3{7, 7, 96}));
    EXPECT_EQ(parse_dim3("--block", points[5].get("--block")), (Dim3{16, 16, 2}));
    EXPECT_EQ(parse_dim3("--grid", points[5].get("--grid")), (Dim3{7, 7, 64}));
}

TEST(Axes, points_are_every_combination) {
    FlagValues given;
    given.set("--h", "5");
    given.set("--n", "1,2");
    given.set("--cache", "hot,cold");
    given.set_all("--set", {"a=1,2", "b=7"});
    const auto axes = find_axes(given);
    ASSERT_EQ(axes.size(), 3U);
    EXPECT_EQ(axes[0].flag, "--n") << "the workload varies slowest";
    EXPECT_EQ(axes[2].flag, "--cache") << "timing varies fastest";
    const auto points = span_points(given, axes);
    ASSERT_EQ(points.size(), 8U);
    EXPECT_EQ(points[0].all("--set"), (Strings{"a=1", "b=7"}));
    EXPECT_EQ(points[3].all("--set"), (Strings{"a=2", "b=7"}));
    EXPECT_EQ(points[1].get("--cache"), "cold");
    EXPECT_EQ(points[4].get("--n"), "2");
    EXPECT_EQ(points[7].get("--h"), "5");
    EXPECT_THROW(span_points(given, axes, 7), Error);
}

TEST(Numbers, pairs_and_triples) {
    using Sizes = std::vector<std::int64_t>;
    EXPECT_EQ(parse_sizes("--stride", "2", 2, 1), (Sizes{2}));
    EXPECT_EQ(parse_sizes("--stride", "2,1", 2, 1), (Sizes{2, 1}));
    EXPECT_EQ(parse_sizes("--stride", "2x1", 2, 1), (Sizes{2, 1}));
    EXPECT_EQ(parse_sizes("--pad", "0,1,2,3", 4, 0), (Sizes{0, 1, 2, 3}));
    EXPECT_EQ(parse_sizes("--pad", "0x1x2x3", 4, 0), (Sizes{0, 1, 2, 3}));
    EXPECT_EQ(parse_sizes("--pad", "same", 4, 0), Sizes{});
    EXPECT_EQ(parse_dim3("--block", "32"), (Dim3{32, 1, 1}));
    EXPECT_EQ(parse_dim3("--block", "32,4,2"), (Dim3{32, 4, 2}));
    EXPECT_EQ(parse_dim3("--block", "32x4"), (Dim3{32, 4, 1}));
}

TEST(Numbers, the_whole_text_or_nothing) {
    EXPECT_EQ(parse_whole("--n", "007", 1), 7);
    EXPECT_EQ(parse_seed("--seed", "18446744073709551615"), 18446744073709551615U);
    EXPECT_DOUBLE_EQ(parse_real("--sparsity", ".85", 0, 1), 0.85);
    EXPECT_DOUBLE_EQ(parse_real("--sparsity", "1e-3", 0, 1), 0.001);
    expect_contains(error_of(ErrorKind::usage, [] { parse_whole("--n", "8 ", 1); }), "--n: '8 '");
    expect_contains(error_of(ErrorKind::usage, [] { parse_real("--x", "1,5", 0, 9); }), "--x: '1,5'");
}

}  // namespace
}  // namespace convscope
