#include "app/request/request.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/npy.h"
#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

FlagValues flags_of(const Given& given) {
    FlagValues flags;
    for (const auto& [flag, value] : given) flags.set(flag, value);
    return flags;
}

template <class Read>
void expect_rejected(Read read, const Given& given, const std::string& part, ErrorKind kind = ErrorKind::usage) {
    expect_contains(error_of(kind, [&] { read(flags_of(given)); }), part);
}

MeasureOptions timing(const FlagValues& flags) {
    return read_timing(flags);
}

TEST(Timing, is_what_is_given_and_the_defaults_otherwise) {
    const MeasureOptions options = timing(flags_of({{"--scope", "setup"},
                                                    {"--cache", "cold"},
                                                    {"--min-samples", "7"},
                                                    {"--max-samples", "9"},
                                                    {"--max-noise", "0.5"},
                                                    {"--timeout", "2.5"},
                                                    {"--runs", "6"}}));
    EXPECT_EQ(options.scope, TimingScope::setup);
    EXPECT_EQ(options.cache, CacheMode::cold);
    EXPECT_EQ(options.min_samples, 7);
    EXPECT_EQ(options.max_samples, 9);
    EXPECT_EQ(options.max_noise_pct, 0.5);
    EXPECT_EQ(options.timeout_s, 2.5);
    EXPECT_EQ(options.runs, 6);
    const MeasureOptions defaults = timing({});
    EXPECT_EQ(defaults.scope, TimingScope::kernel);
    EXPECT_EQ(defaults.cache, CacheMode::hot);
    EXPECT_EQ(defaults.runs, 1);
    EXPECT_EQ(timing(flags_of({{"--min-samples", "20000"}})).max_samples, 20000) << "as many at least";
}

TEST(Timing, rejects_what_cannot_be) {
    expect_rejected(timing, {{"--scope", "all"}}, "all");
    expect_rejected(timing, {{"--cache", "warm"}}, "warm");
    expect_rejected(timing, {{"--min-samples", "0"}}, "--min-samples: '0' is not accepted; give a whole number from 1");
    expect_rejected(timing, {{"--max-samples", "5"}}, "--max-samples is 5, below --min-samples (20)");
    expect_rejected(timing, {{"--runs", "1000001"}}, "give a whole number from 1 to 1000000");
    expect_rejected(timing, {{"--max-noise", "0"}}, "--max-noise: '0' is not accepted; give a number from 0.001");
    expect_rejected(timing, {{"--timeout", "1e9"}}, "to 86400");
    expect_rejected(timing, {{"--timeout", "inf"}}, "'inf' is not accepted");
    expect_rejected(timing, {{"--runs", "5"}}, "--runs is 5; give 1, or 6 and more");
}

TEST(Timing, is_of_devices_with_a_clock) {
    const auto registry = make_registry();
    const Device &cpu = registry->device("cpu"), &sim = registry->device("sim");
    const Given runs{{"--runs", "6"}}, scope{{"--scope", "launch"}};
    EXPECT_EQ(read_timing(flags_of(runs), cpu).runs, 6);
    EXPECT_EQ(read_timing(flags_of(scope), cpu).scope, TimingScope::launch);
    EXPECT_EQ(read_timing(flags_of({{"--timeout", "3"}}), sim).timeout_s, 3);
    const auto on_sim = [&](const FlagValues& flags) { return read_timing(flags, sim); };
    expect_rejected(on_sim, runs, "--runs says how often times are taken, and sim has no clock; give --device cpu");
    expect_rejected(on_sim, scope, "--scope says what is timed, and sim has no clock");
    expect_rejected(on_sim, {{"--cache", "hot"}}, "--cache says what is timed, and sim has no clock");
}

TEST(Launch, is_block_grid_and_tunables) {
    FlagValues flags = flags_of({{"--block", "32,4"}, {"--grid", "7x5x2"}});
    flags.set_all("--set", {"tile=8", "unroll=2"});
    const LaunchConfig launch = read_launch(flags);
    EXPECT_EQ(launch.block, (Dim3{32, 4, 1}));
    EXPECT_EQ(launch.grid, (Dim3{7, 5, 2}));
    EXPECT_EQ(launch.tunables, (std::map<std::string, std::int64_t>{{"tile", 8}, {"unroll", 2}}));
    const LaunchConfig none = read_launch({});
    EXPECT_TRUE(!none.block && !none.grid && none.tunables.empty());
}

TEST(Launch, takes_a_tunable_by_its_former_name) {
    FlagValues flags;
    flags.set_all("--set", {"parts=2", "flush=8"});
    EXPECT_EQ(read_launch(flags).tunables,
              (std::map<std::string, std::int64_t>{{"split_k", 2}, {"promotion_interval", 8}}));
    flags.set_all("--set", {"parts=2", "split_k=2"});
    expect_contains(error_of(ErrorKind::usage, [&] { read_launch(flags); }), "--set split_k is given twice");
}

TEST(Launch, rejects_what_cannot_be) {
    expect_rejected(read_launch, {{"--block", "1,2,3,4"}}, "--block: '1,2,3,4' is not accepted; give up to three");
    expect_rejected(read_launch, {{"--set", "tile"}}, "--set: 'tile' is not accepted; give NAME=VALUE");
    expect_rejected(read_launch, {{"--set", "=8"}}, "--set: '=8' is not accepted");
    expect_rejected(read_launch, {{"--set", "tile=x"}}, "--set tile: 'x' is not accepted");
    FlagValues twice;
    twice.set_all("--set", {"tile=8", "tile=9"});
    expect_contains(error_of(ErrorKind::usage, [&] { read_launch(twice); }), "--set tile is given twice");
}

TEST(Devices, is_the_one_that_is_given) {
    const auto registry = make_registry();
    EXPECT_EQ(read_device(*registry, flags_of({{"--device", "sim"}})).info().id, "sim");
    const DeviceInfo* gpu = registry->usable_device(DeviceKind::cuda);
    EXPECT_EQ(read_device(*registry, {}).info().id, gpu ? gpu->id : "cpu");
    error_of(ErrorKind::not_found, [&] { read_device(*registry, flags_of({{"--device", "tpu"}})); });
}

class Methods : public ::testing::Test {
protected:
    std::vector<std::string> ids(const std::optional<std::string>& list) const {
        std::vector<std::string> found;
        for (const Method* method : read_methods(*registry_, sim_, list)) found.push_back(method->info().id);
        return found;
    }
    std::vector<const Method*> methods(const std::string& list) const { return read_methods(*registry_, sim_, list); }

    const std::unique_ptr<Registry> registry_ = make_registry();
    const Device& sim_ = registry_->device("sim");
    const ConvShape shape_ = find_preset("vgg19/conv5_1").spec.shape;
};

TEST_F(Methods, are_named_one_by_one_by_family_or_all) {
    EXPECT_EQ(ids("ecr1,ecr2"), (std::vector<std::string>{"ecr1", "ecr2"}));
    EXPECT_EQ(ids("ecr"), (std::vector<std::string>{"ecr4"}));
    EXPECT_EQ(ids("all").size(), registry_->methods(DeviceKind::sim).size());
    EXPECT_FALSE(ids(std::nullopt).empty());
}

TEST_F(Methods, rejects_none_strangers_and_what_is_named_twice) {
    expect_contains(error_of(ErrorKind::usage, [&] { ids(" , "); }), "--methods names none");
    expect_contains(error_of(ErrorKind::usage, [&] { ids(""); }), "--methods names none");
    expect_contains(error_of(ErrorKind::usage, [&] { ids("ecr4,ecr"); }), "'ecr4' is named twice");
    expect_contains(error_of(ErrorKind::not_found, [&] { ids("ecr99"); }), "ecr99");
}

TEST_F(Methods, take_what_they_let_be_set) {
    const LaunchConfig requested{Dim3{64, 1, 1}, Dim3{7, 1, 1}, {{"nobody's", 1}}};
    for (const Method* method : methods("all")) {
        const LaunchConfig taken = take_settable(*method, shape_, requested).launch;
        const LaunchSpace space = method->supports(shape_) ? method->launch_space(shape_) : LaunchSpace{};
        EXPECT_EQ(taken.block.has_value(), space.block_free) << method->info().id;
        EXPECT_EQ(taken.grid.has_value(), space.grid_free) << method->info().id;
        EXPECT_TRUE(taken.tunables.empty()) << method->info().id;
        if (space.tunables.empty()) continue;
        const std::string name = space.tunables.front().name;
        const LaunchConfig own{{}, {}, {{name, 2}}};
        EXPECT_EQ(take_settable(*method, shape_, own).launch.tunables.at(name), 2) << method->info().id;
    }
}

TEST_F(Methods, a_part_that_none_takes_is_rejected_but_by_one_method_itself) {
    const LaunchConfig stranger{{}, {}, {{"nobody's", 1}}};
    expect_contains(error_of(ErrorKind::usage, [&] { make_candidates(methods("ecr1,ecr2"), shape_, stranger); }),
                    "--set nobody's: none of the chosen methods lets it be set");
    const std::vector<Candidate> one = make_candidates(methods("ecr1"), shape_, stranger);
    EXPECT_EQ(one.at(0).launch.tunables, stranger.tunables);
    const LaunchConfig block{Dim3{64, 1, 1}, {}, {}};
    EXPECT_EQ(make_candidates(methods("all"), shape_, block).size(), methods("all").size()) << "some take it";
    const std::vector<const Method*> cpu = read_methods(*registry_, registry_->device("cpu"), "im2col,mec1");
    expect_contains(error_of(ErrorKind::usage, [&] { make_candidates(cpu, shape_, block); }), "--block: none of");
    const LaunchConfig grid{{}, Dim3{64, 1, 1}, {}}, tunable{{}, {}, {{"convert_warps", 4}}};
    const std::vector<Candidate> two = make_candidates(methods("ecr1,ecr3"), shape_, grid);
    EXPECT_FALSE(two.at(0).launch.grid) << "ecr1's follows from the layer";
    EXPECT_EQ(two.at(1).launch.grid, grid.grid);
    EXPECT_EQ(make_candidates(methods("ecr1,ecr3"), shape_, tunable).at(1).launch.tunables, tunable.tunables);
    expect_contains(error_of(ErrorKind::usage, [&] { make_candidates(cpu, shape_, grid); }), "--grid: none of");
}

TEST(WorkloadFlags, are_a_shape_with_what_is_left_out_filled_in) {
    const WorkloadSpec spec = read_workload(flags_of({{"--h", "9"}, {"--r", "3"}, {"--stride", "2,1"}}));
    EXPECT_EQ(spec.name, "custom");
    EXPECT_EQ(spec.shape.w, 9);
    EXPECT_EQ(spec.shape.s, 3);
    EXPECT_EQ(spec.shape.stride_h, 2);
    EXPECT_EQ(spec.shape.stride_w, 1);
    const ConvShape pooled =
        read_workload(flags_of({{"--h", "9"}, {"--w", "7"}, {"--r", "3"}, {"--s", "1"}, {"--pool", "2"}})).shape;
    EXPECT_EQ(pooled.w, 7);
    EXPECT_EQ(pooled.s, 1);
    EXPECT_EQ(pooled.pool_w, 2);
    EXPECT_EQ(pooled.pool_stride, 2) << "the window's height";
    const Given strided{{"--h", "9"}, {"--r", "3"}, {"--pool", "3"}, {"--pool-stride", "1"}};
    EXPECT_EQ(read_workload(flags_of(strided)).shape.pool_stride, 1);
}

TEST(WorkloadFlags, have_the_name_of_a_preset_where_the_layer_is_still_that) {
    const auto name = [](const char* preset, const char* flag, const char* value) {
        return read_workload(flags_of({{"--preset", preset}, {flag, value}})).name;
    };
    EXPECT_EQ(name("vgg19/conv5_1", "--n", "4"), "vgg19/conv5_1");
    EXPECT_EQ(name("vgg19/conv5_1", "--sparsity", "0.5"), "vgg19/conv5_1");
    EXPECT_EQ(name("vgg19/conv5_1", "--h", "20"), "custom");
    EXPECT_EQ(name("examples/xu-fig4", "--stride", "1"), "examples/xu-fig4");
    EXPECT_EQ(name("examples/xu-fig4", "--seed", "7"), "examples/xu-fig4");
    EXPECT_EQ(name("examples/xu-fig4", "--sparsity", "1"), "custom");
    EXPECT_EQ(name("examples/xu-fig4", "--n", "2"), "custom") << "its values are those of one image";
}

TEST(WorkloadFlags, are_a_preset_with_other_fields_and_data) {
    const WorkloadSpec named = find_preset("vgg19/conv5_1").spec;
    const WorkloadSpec spec = read_workload(flags_of({{"--preset", "vgg19/conv5_1"},
                                                      {"--sparsity", "0.25"},
                                                      {"--pattern", "channels"},
                                                      {"--seed", "77"},
                                                      {"--n", "2"}}));
    EXPECT_EQ(spec.shape.n, 2);
    EXPECT_EQ(spec.shape.c, named.shape.c);
    EXPECT_EQ(spec.sparsity, 0.25);
    EXPECT_EQ(spec.source, Source::channels);
    EXPECT_EQ(spec.seed, 77U);
    for (const char* pattern : {"uniform", "blobs"})
        EXPECT_EQ(read_workload(flags_of({{"--h", "9"}, {"--r", "3"}, {"--pattern", pattern}})).source,
                  parse_source(pattern));
}

TEST(WorkloadFlags, say_which_weights_are_zero) {
    const auto spec_of = [](Given more) {
        more.insert(more.end(), {{"--h", "9"}, {"--r", "3"}, {"--c", "8"}});
        return read_workload(flags_of(more));
    };
    EXPECT_EQ(spec_of({}).weight_sparsity, 0);
    EXPECT_EQ(spec_of({}).weight_pattern, WeightPattern::uniform);
    for (const WeightPattern pattern : weight_patterns) {
        const WorkloadSpec spec = spec_of({{"--weight-pattern", to_string(pattern)}, {"--weight-sparsity", "0.5"}});
        EXPECT_EQ(spec.weight_pattern, pattern);
        EXPECT_EQ(spec.weight_sparsity, 0.5);
        EXPECT_NO_THROW(validate(spec));
    }
    EXPECT_EQ(spec_of({{"--weight-pattern", "2:4"}}).weight_sparsity, 0.5) << "it has no other share";
    EXPECT_EQ(spec_of({{"--weight-pattern", "uniform"}}).weight_sparsity, 0);
    EXPECT_EQ(spec_of({{"--weight-pattern", "rows"}, {"--weight-sparsity", "0"}}).weight_sparsity, 0);
    const WorkloadSpec mixed = spec_of({{"--weight-pattern", "2:4"}, {"--weight-sparsity", "0.3"}});
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(mixed); }),
              "weight sparsity is 0.3; the pattern 2:4 keeps two of each four weights, so that it must be 0.5");
    const WorkloadSpec example =
        read_workload(flags_of({{"--preset", "examples/xu-fig4"}, {"--weight-sparsity", "1"}}));
    EXPECT_EQ(example.source, Source::example);
    EXPECT_EQ(example.weight_sparsity, 1);
}

TEST(WorkloadFlags, a_worked_example_keeps_its_values_as_far_as_they_fit) {
    const auto& presets = all_presets();
    const auto example = std::ranges::find(presets, Source::example, [](const Preset& p) { return p.spec.source; });
    ASSERT_NE(example, presets.end());
    const std::string& name = example->spec.name;
    EXPECT_EQ(read_workload(flags_of({{"--preset", name}})).source, Source::example);
    EXPECT_EQ(read_workload(flags_of({{"--preset", name}, {"--sparsity", "1"}})).sparsity, 1);
    for (const char* size : {"--n", "--k"})
        EXPECT_EQ(read_workload(flags_of({{"--preset", name}, {size, "7"}})).source, Source::uniform) << size;
}

TEST(WorkloadFlags, rejects_what_is_no_layer) {
    const Given layer{{"--h", "9"}, {"--r", "3"}};
    const auto with = [&](Given more) {
        more.insert(more.end(), layer.begin(), layer.end());
        return more;
    };
    expect_rejected(read_workload, {}, "no workload: give --preset NAME");
    expect_rejected(read_workload, {{"--h", "9"}}, "no workload");
    expect_rejected(read_workload, {{"--r", "9"}}, "no workload");
    expect_rejected(read_workload, {{"--h", "five"}}, "--h: 'five' is not accepted");
    expect_rejected(read_workload, {{"--h", "-3"}}, "--h: '-3' is not accepted");
    expect_rejected(read_workload, with({{"--weights", "w.npy"}}), "--weights goes with --input; give both");
    expect_rejected(read_workload, with({{"--pool", "2,0"}}), "--pool: '2,0' is not accepted");
    expect_rejected(read_workload, with({{"--pool", "0,2"}}), "--pool: '0,2' is not accepted");
    expect_rejected(read_workload, with({{"--pool-stride", "2"}}), "--pool-stride needs a pooling window");
    expect_rejected(read_workload, with({{"--pad", "1,2,3"}}),
                    "--pad: '1,2,3' is not accepted; give one number, or two as height,width, or four as "
                    "top,bottom,left,right, or same");
    expect_rejected(read_workload, with({{"--pad", "1,2,3,4,5"}}), "or four as top,bottom,left,right, or same");
    expect_rejected(read_workload, with({{"--pad", "0,1,-1,0"}}), "--pad: '-1' is not accepted; give a whole number");
    expect_rejected(read_workload, with({{"--pad", "valid"}}), "--pad: 'valid' is not accepted");
    expect_rejected(read_workload, with({{"--stride", "1,1,1,1"}}), "give one number, or two as height,width");
    expect_rejected(read_workload, with({{"--stride", "same"}}), "--stride: 'same' is not accepted");
    expect_rejected(read_workload, with({{"--n", "0"}}), "--n: '0' is not accepted");
    expect_rejected(read_workload, with({{"--n", "99999999999999999999"}}), "is not accepted");
    expect_rejected(read_workload, with({{"--sparsity", "1.5"}}), "--sparsity: '1.5' is not accepted");
    expect_rejected(read_workload, with({{"--seed", "-1"}}), "--seed: '-1' is not accepted");
    expect_rejected(read_workload, with({{"--seed", "18446744073709551616"}}), "to 2^64 - 1");
    expect_rejected(read_workload, with({{"--pattern", "rows"}}), "--pattern: 'rows' is not accepted");
    expect_rejected(read_workload, with({{"--weight-sparsity", "1.5"}}), "--weight-sparsity: '1.5' is not accepted");
    expect_rejected(read_workload, with({{"--weight-pattern", "blobs"}}),
                    "--weight-pattern: 'blobs' is not accepted; give uniform, 2:4, rows, blocks, magnitude");
    for (const std::string pattern : {"rows", "blocks", "magnitude"})
        expect_rejected(
            read_workload, with({{"--weight-pattern", pattern}}),
            "--weight-pattern " + pattern + " needs the share of zeros: give --weight-sparsity as well, 0 to 1");
}

TEST(WorkloadFlags, padding_may_differ_by_side) {
    const auto padded = [](const char* pad, const char* r = "2") {
        return to_string(
            read_workload(flags_of({{"--pad", pad}, {"--h", "9"}, {"--r", r}, {"--stride", "2,1"}})).shape);
    };
    EXPECT_EQ(padded("0,1,2,3"), "1x1x9x9 * 1x1x2x2, stride 2,1, pad 0,1,2,3");
    EXPECT_EQ(padded("0x1x2x3"), "1x1x9x9 * 1x1x2x2, stride 2,1, pad 0,1,2,3");
    EXPECT_EQ(padded("1,1,2,2"), "1x1x9x9 * 1x1x2x2, stride 2,1, pad 1,2");
    EXPECT_EQ(padded("same"), "1x1x9x9 * 1x1x2x2, stride 2,1, pad 0,1,0,1") << "of what the other flags say";
    EXPECT_EQ(padded("same", "3"), "1x1x9x9 * 1x1x3x3, stride 2,1, pad 1");
    EXPECT_EQ(padded("same", "1"), "1x1x9x9 * 1x1x1x1, stride 2,1, pad 0");
}

TEST(WorkloadFlags, files_say_their_sizes_and_their_zeros) {
    const TempFolder folder;
    const std::vector<float> zeros(60);
    const auto write = [&](const char* name, const NpyShape& shape, std::size_t elements) {
        write_npy(folder / name, std::span<const float>(zeros).first(elements), shape);
        return (folder / name).string();
    };
    const std::string x = write("x.npy", {1, 2, 5, 6}, 60), w = write("w.npy", {3, 2, 3, 1}, 18);
    const WorkloadSpec spec = read_workload(flags_of({{"--input", x}, {"--weights", w}, {"--h", "5"}, {"--pad", "1"}}));
    EXPECT_EQ(spec.source, Source::file);
    EXPECT_EQ(spec.shape.c, 2);
    EXPECT_EQ(spec.shape.w, 6);
    EXPECT_EQ(spec.shape.k, 3);
    EXPECT_EQ(spec.shape.pad_h, 1);
    const ConvShape same = read_workload(flags_of({{"--input", x}, {"--weights", w}, {"--pad", "same"}})).shape;
    EXPECT_EQ(std::pair(same.p(), same.q()), std::pair(same.h, same.w)) << "of the files' sizes";
    const WorkloadSpec drawn = read_workload(flags_of({{"--input", x}, {"--r", "3"}, {"--k", "4"}}));
    EXPECT_EQ(drawn.shape.k, 4);
    EXPECT_EQ(drawn.weights_path, "");
    EXPECT_EQ(read_workload(flags_of({{"--input", x}, {"--preset", "mec/cv1"}})).shape.k, 96) << "the preset's filters";
    const std::string file =
        folder.write("a.toml",
                     "family = 'f'\n[[preset]]\nname = 'x'\nc = 2\nh = 5\nw = 6\nk = 3\nr = 3\ns = 1\n"
                     "input = 'x.npy'\nweights = 'w.npy'\n");
    const std::string preset = file + "/x";
    const WorkloadSpec whole = read_workload(flags_of({{"--preset", preset}}));
    ASSERT_EQ(whole.name, "f/x");
    const std::string& of_preset = whole.input_path;
    EXPECT_EQ(
        read_workload(flags_of({{"--preset", preset}, {"--input", of_preset}, {"--weights", whole.weights_path}})).name,
        "f/x");
    EXPECT_EQ(read_workload(flags_of({{"--preset", preset}, {"--input", of_preset}})).name, "custom")
        << "drawn filters";
    expect_rejected(read_workload, {{"--input", x}}, "--input needs filters");
    expect_rejected(read_workload, {{"--input", x}, {"--weights", w}, {"--h", "6"}}, "--h is 6, but the files have 5");
    for (const char* flag : {"--sparsity", "--pattern"})
        expect_rejected(read_workload, {{"--input", x}, {"--weights", w}, {flag, *(flag + 2) == 's' ? "0.5" : "blobs"}},
                        std::string(flag) + " does not go with --input");
}

TEST(Flags, of_a_layer_are_those_that_files_do_not_say) {
    std::vector<std::string> names;
    for (const Flag& flag : layer_flags()) names.emplace_back(flag.name);
    for (const ShapeKey& key : size_keys) EXPECT_EQ(std::ranges::count(names, key.flag), 0) << key.flag;
    EXPECT_EQ(names.front(), "--stride");
    EXPECT_EQ(names.back(), "--pool-stride");
}

TEST(FlagValues, take_one_value_or_as_many_as_they_say) {
    FlagValues flags = flags_of({{"--pad", "1"}});
    flags.set_all("--set", {"a=1", "b=2"});
    flags.set_all("--block", {"1", "2"});
    EXPECT_EQ(flags.all("--set"), (std::vector<std::string>{"a=1", "b=2"}));
    EXPECT_EQ(flags.get("--set"), "a=1");
    EXPECT_EQ(flags.get_or("--pad", "0"), "1");
    EXPECT_EQ(flags.get_or("--stride", "7"), "7");
    EXPECT_EQ(flags.get_if("--pad"), "1");
    EXPECT_EQ(flags.get_if("--stride"), std::nullopt);
    EXPECT_TRUE(flags.all("--nothing").empty());
    EXPECT_FALSE(flags.has("--methods"));
    flags.of("--methods");
    EXPECT_FALSE(flags.has("--methods")) << "there is a place for it, and nothing there";
    expect_contains(error_of(ErrorKind::usage, [&] { flags.get("--block"); }),
                    "--block is given 2 times; give it once");
    FlagValues unknown;
    unknown.set_all("--unknown", {"1", "2"});
    expect_contains(error_of(ErrorKind::usage, [&] { unknown.get("--unknown"); }), "given 2 times");
}

}  // namespace
}  // namespace convscope
