// The files of figures: what they may say, and that those of the papers are whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/files/preset_folder.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/preset.h"
#include "kernels/method/former_names.h"
#include "kernels/method/registry.h"
#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/fill_in.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

const std::string head =
    "paper = \"A 2020\"\n[[figure]]\nname = \"a\"\nshows = \"Fig. 1\"\ntitle = \"T\"\ntext = \"X\"\n";
const std::string good = head +
                         "methods = [\"ecr1\", \"cudnn\"]\nscopes = [\"setup\", \"kernel\"]\nlayers = \"xu2019/*\"\n"
                         "series = [{ label = \"S\", value = \"speedup\", of = \"ecr1\", over = \"cudnn\" }]\n";

PaperFigure figure(const std::string& text) {
    const TempFolder folder;
    return load_figures(folder.write("f.toml", text)).at(0);
}

std::string rejection(const std::string& text) {
    const TempFolder folder;
    const auto path = folder.write("f.toml", text);
    return error_of(ErrorKind::file, [&] { load_figures(path); }).substr(path.string().size());
}

std::string with(const std::string& from, const std::string& to, std::string text = good) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(FigureFile, reads_a_figure) {
    const PaperFigure read =
        figure(good + "claim = [{ says = \"mean\", printed = \"2x\", series = \"S\", take = \"mean\" }]\n");
    EXPECT_EQ(read.paper, "A 2020");
    EXPECT_EQ(read.device, DeviceKind::cuda);
    EXPECT_EQ(read.points.size(), 10u);
    EXPECT_EQ(read.points.front().label, "lenet-conv2");
    ASSERT_EQ(read.timings.size(), 2u);
    EXPECT_EQ(read.timings.front(), (FigureTiming{TimingScope::setup, CacheMode::hot}));
    EXPECT_EQ(read.records, "a");
    EXPECT_EQ(read.claims.at(0).take, FigureSummary::mean);
}

TEST(FigureFile, changes_every_layer) {
    const std::string network = with("layers = \"xu2019/*\"", "network = \"vgg19\"");
    EXPECT_EQ(figure(network).points.size(), 16u);
    const PaperFigure pooled =
        figure(with("network", "pooling = \"only\"\nsingle_map = true\nstride = 2\nnetwork", network));
    EXPECT_EQ(pooled.points.size(), 5u);
    for (const PaperPoint& point : pooled.points) {
        EXPECT_TRUE(point.spec.shape.pooled());
        EXPECT_EQ(point.spec.shape.c * point.spec.shape.k * point.spec.shape.n, 1);
        EXPECT_EQ(point.spec.shape.stride_w, 2);
    }
    const PaperFigure plain = figure(with("network", "pooling = \"removed\"\nn = 4\nnetwork", network));
    EXPECT_EQ(plain.points.size(), 16u);
    for (const PaperPoint& point : plain.points) {
        EXPECT_FALSE(point.spec.shape.pooled());
        EXPECT_FALSE(point.label.ends_with("+pool")) << point.label;
        EXPECT_EQ(point.spec.shape.n, 4);
    }
}

TEST(FigureFile, varies_and_launches) {
    const std::string one = with("\"xu2019/*\"", "\"vgg19/conv5_1\"");
    const PaperFigure varied = figure(with("layers", "vary = \"sparsity\"\nvalues = [0.5, 0.95]\nlayers", one));
    ASSERT_EQ(varied.points.size(), 2u);
    EXPECT_EQ(varied.points[1].label, "0.95");
    EXPECT_EQ(varied.points[1].spec.sparsity, 0.95);
    const PaperFigure launched =
        figure(with("layers", "launches = [{ block = [16, 16, 4], grid = [7, 7, 96] }]\nlayers", one));
    EXPECT_EQ(launched.points.at(0).launch.block, (Dim3{16, 16, 4}));
    EXPECT_EQ(launched.points.at(0).label, "7x7x96 / 16x16x4");
    // Several layers keep their names.
    const PaperFigure both = figure(with("layers", "vary = \"n\"\nvalues = [1, 2]\nlayers"));
    EXPECT_EQ(both.points.size(), 20u);
    EXPECT_EQ(both.points[1].label, "lenet-conv2 2");
}

TEST(FigureFile, rejects_with_the_place_and_what_is_accepted) {
    expect_contains(rejection(with("\"speedup\"", "\"faster\"")),
                    "'value' is 'faster'; it must be one of time, gflops");
    expect_contains(rejection(with("of = \"ecr1\"", "of = \"ecr7\"")),
                    "'of' has 'ecr7', which is not one of the figure's");
    expect_contains(rejection(with(", over = \"cudnn\"", "")), "a series of 'speedup' needs 'over'");
    expect_contains(rejection(with("\"speedup\"", "\"time\"")), "a series of 'time' has no 'over'");
    expect_contains(rejection(with("over = \"cudnn\"", "over = \"cudnn\", printed = [1, 2]")),
                    "'printed' has 2 values for 10 points");
    expect_contains(rejection(with("\"setup\"", "\"all\"")), "all");
    expect_contains(rejection(with("\"setup\"", "\"setup tepid\"")), "tepid");
    expect_contains(rejection(with("[\"ecr1\"", "[\"ecr1 warps\"")),
                    "'ecr1 warps' must be a method, or METHOD NAME=VALUE");
    expect_contains(rejection(with("scopes", "sparse = \"csr1\"\nscopes")), "'sparse' has 'csr1', which is not one of");
    expect_contains(rejection(with("layers", "patterns = \"stripes\"\nlayers")), "stripes");
    expect_contains(rejection(good + "claim = [{ says = \"m\", printed = \"2\", series = \"S\", with = \"T\" }]\n"),
                    "'with' is 'T', which this figure does not have");
    expect_contains(rejection(with("xu2019/*", "vgg19/conv9")), "conv9");
    expect_contains(rejection(with("xu2019/*", "nothing/*")), "this figure has no points");
    expect_contains(rejection(with("layers", "network = \"vgg19\"\nlayers")), "either 'network' or 'layers'");
    expect_contains(rejection(with("layers", "pooling = \"some\"\nlayers")), "'pooling' is 'some'; it must be one of");
    expect_contains(rejection(with("layers", "vary = \"h\"\nvalues = [1]\nlayers")),
                    "must be one of sparsity, n, stride");
    expect_contains(rejection(with("layers", "launches = [{ block = [1, 2] }]\nlayers")),
                    "'block' is an array; it must be three whole numbers of at least 1: [x, y, z]");
    expect_contains(rejection(with("layers", "colour = 1\nlayers")), "unknown key 'colour'");
    expect_contains(rejection(good + "claim = [{ says = \"m\", printed = \"2\", series = \"T\", take = \"mean\" }]\n"),
                    "'series' is 'T', which this figure does not have");
}

TEST(FigureFile, reads_patterns_cold_caches_and_tunables_of_methods) {
    const PaperFigure read = figure(with(
        "of = \"ecr1\"", "of = [\"ecr1 x=2\", \"csr1\"]",
        with("[\"ecr1\"", "[\"ecr1 x=2\", \"csr1\"",
             with("\"setup\"", "\"kernel cold\"",
                  with("layers = \"xu2019/*\"", "patterns = [\"uniform\", \"channels\"]\nlayers = \"xu2019/*\"")))));
    ASSERT_EQ(read.points.size(), 20u);
    EXPECT_EQ(read.points[10].label, "channels lenet-conv2");
    EXPECT_EQ(read.points[10].spec.source, Source::channels);
    EXPECT_EQ(read.timings.front(), (FigureTiming{TimingScope::kernel, CacheMode::cold}));
    EXPECT_EQ(to_string(read.timings.front()), "kernel cold");
    EXPECT_EQ(read.series.front().of, (std::vector<std::string>{"ecr1 x=2", "csr1"}));
    const FigureMethod method = parse_figure_method("ecr1 x=2");
    EXPECT_EQ(method.id, "ecr1");
    EXPECT_EQ(method.launch.tunables.at("x"), 2);
    EXPECT_EQ(parse_figure_method("tiled-multi2 splits=2").launch.tunables.at("split_k"), 2);
}

TEST(FigureFile, a_method_with_a_tunable_has_its_own_records) {
    Record record;
    record.method = "mec2";
    record.tunables = "T=100;openblas=1";
    EXPECT_TRUE(is_of(record, "mec2"));
    EXPECT_TRUE(is_of(record, "mec2 openblas=1"));
    EXPECT_FALSE(is_of(record, "mec2 openblas=0"));
    EXPECT_FALSE(is_of(record, "mec2 blas=1"));
    EXPECT_FALSE(is_of(record, "mec"));
    record.tunables.clear();
    record.status = Status::not_supported;
    EXPECT_TRUE(is_of(record, "mec2 openblas=0"));
}

const std::string goal_line =
    "goal = [{ target = \"1\", says = \"mean\", of = \"ecr1\", baselines = \"cudnn\", take = \"mean\", at_least = 2 "
    "}]\n";

TEST(FigureFile, reads_goals) {
    const FigureGoal read = figure(good + goal_line).goals.at(0);
    EXPECT_EQ(read.of, std::vector<std::string>{"ecr1"});
    EXPECT_EQ(read.baselines, std::vector<std::string>{"cudnn"});
    EXPECT_EQ(read.value, GoalValue::ratio);
    EXPECT_EQ(read.take, FigureSummary::mean);
    EXPECT_EQ(read.at_least, 2);
}

TEST(FigureFile, rejects_goals_that_cannot_be_checked) {
    const std::string whole = good + goal_line;
    expect_contains(rejection(with("baselines = \"cudnn\"", "baselines = [\"cudnn\", \"csr1\"]", whole)),
                    "'baselines' has 'csr1', which is not one of the figure's");
    expect_contains(rejection(with(", baselines = \"cudnn\"", "", whole)), "this goal needs 'baselines'");
    expect_contains(rejection(with("of = \"ecr1\", baselines", "baselines", whole)), "this goal needs 'of'");
    expect_contains(rejection(with("of = \"ecr1\", baselines", "of = [\"ecr1\", \"csr1\"], baselines", whole)),
                    "'of' has 'csr1', which is not one of the figure's");
    expect_contains(rejection(with("at_least = 2", "at_least = 0", whole)), "a goal needs 'at_least', more than 0");
    expect_contains(rejection(with("take = \"mean\", at", "value = \"gflops\", take = \"total\", at", whole)),
                    "'take' can be total for a ratio only");
    const std::string second = with(
        "}]",
        "}, { target = \"1\", says = \"x\", of = \"cudnn\", baselines = \"ecr1\", take = \"mean\", at_least = 1 }]",
        goal_line);
    expect_contains(rejection(good + second), "'target' is '1', which another goal has with other methods");
}

TEST(FigureFile, the_papers_figures_are_whole) {
    std::set<std::string> papers;
    for (const PaperFigure& figure : all_figures()) {
        papers.insert(figure.paper);
        EXPECT_FALSE(figure.points.empty()) << figure.name;
        for (const PaperPoint& point : figure.points) EXPECT_FALSE(point.label.empty()) << figure.name;
        // Two points that look alike could not be told apart on the axis.
        std::set<std::string> labels;
        for (const PaperPoint& point : figure.points)
            EXPECT_TRUE(labels.insert(point.label).second) << figure.name << " " << point.label;
    }
    EXPECT_TRUE(papers.contains("Xu 2019") && papers.contains("Xu 2022") && papers.contains("Cho & Brand 2017"));
    EXPECT_TRUE(papers.contains("Chang et al.") && papers.contains("Grisett"));
    EXPECT_EQ(find_figure("xu2022-table3").points.size(), 14u);
    expect_contains(error_of(ErrorKind::not_found, [] { find_figure("xu2022-tabel3"); }),
                    "the nearest are xu2022-table3");
}

TEST(FigureFile, the_printed_memory_of_cho_and_brand_is_that_of_our_formulae) {
    const auto registry = make_registry();
    const PaperFigure& table = find_figure("cho-table3");
    int compared = 0;
    for (const PaperSeries& series : table.series) {
        if (series.value != FigureValue::workspace_mib) continue;
        for (std::size_t i = 0; i < table.points.size(); ++i) {
            const PaperPoint& point = table.points[i];
            const Method& method = registry->get(parse_figure_method(series.of.front()).id, DeviceKind::cpu);
            const auto bytes = method.workspace_bytes(point.spec.shape);
            const double mib = static_cast<double>(bytes * point.weight) / 0x1p20;
            const bool slip = point.label == "cv9" && series.printed[i] == 6.7;
            EXPECT_EQ(std::abs(mib - series.printed[i].value()) > 0.0501, slip) << series.label << " " << point.label;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 2 * 5);
}

TEST(FigureFile, the_papers_figures_name_methods_that_there_are) {
    const auto registry = make_registry();
    const std::set<std::string> on_tensor_cores{"tensor1", "tensor2", "tensor3", "fused6",
                                                "mec5",    "mec6",    "mec7",    "union1"};
    for (const PaperFigure& figure : all_figures())
        for (const std::string& text : figure.methods) {
            const std::string method = parse_figure_method(text).id;
            // A machine without a GPU has no cuDNN and no tensor cores.
            if (method.starts_with("cudnn") || on_tensor_cores.contains(std::string(current_method_id(method))))
                continue;
            const DeviceKind kind = figure.device == DeviceKind::cuda ? DeviceKind::sim : figure.device;
            EXPECT_NO_THROW(registry->get(method, kind)) << figure.name;
        }
}

TEST(FigureFile, a_figure_of_anothers_records_is_a_part_of_it) {
    for (const PaperFigure& figure : all_figures()) {
        if (figure.records == figure.name) continue;
        const PaperFigure& whole = find_figure(figure.records);
        EXPECT_EQ(whole.records, whole.name) << figure.name;
        EXPECT_TRUE(figure.device == whole.device && figure.threads == whole.threads) << figure.name;
        for (const std::string& method : figure.methods)
            EXPECT_NE(std::ranges::find(whole.methods, method), whole.methods.end()) << figure.name << " " << method;
        for (const FigureTiming& timing : figure.timings)
            EXPECT_NE(std::ranges::find(whole.timings, timing), whole.timings.end()) << figure.name;
        for (const PaperPoint& point : figure.points)
            EXPECT_TRUE(std::ranges::any_of(whole.points,
                                            [&](const PaperPoint& other) {
                                                return other.spec.shape == point.spec.shape &&
                                                       other.spec.source == point.spec.source &&
                                                       other.spec.sparsity == point.spec.sparsity &&
                                                       other.spec.seed == point.spec.seed;
                                            }))
                << figure.name << " " << point.label;
    }
}

TEST(FigureFile, what_is_called_sparse_skips_zeros_and_what_is_called_dense_does_not) {
    const auto in = [](const std::string& word, const std::string& text) {
        return text.find(word) != std::string::npos;
    };
    for (const PaperFigure& figure : all_figures())
        for (const FigureGoal& each : figure.goals) {
            const auto skips = [&](const std::string& method) {
                return std::ranges::find(figure.sparse, method) != figure.sparse.end();
            };
            const auto is_fp16 = [](const std::string& method) { return method.ends_with("fp16"); };
            const bool zeros = each.page == GoalPage::zeros && !figure.sparse.empty();
            const bool sparse = zeros || in("sparse", each.target) || in("break-even", each.target);
            if (sparse) {
                EXPECT_TRUE(std::ranges::all_of(each.of, skips)) << each.target;
                EXPECT_TRUE(each.value == GoalValue::fall || std::ranges::none_of(each.baselines, skips))
                    << each.target;
            }
            if (each.page == GoalPage::fast && in("dense", each.target) && !sparse) {
                EXPECT_TRUE(std::ranges::none_of(each.of, skips)) << each.target;
            }
            if (in("any precision", each.target)) {
                EXPECT_TRUE(std::ranges::any_of(each.baselines, is_fp16)) << each.target;
            }
        }
}

TEST(FigureFile, what_pays_is_held_against_holds_no_method_that_skips_zeros) {
    const std::set<std::string> skip{"csr1",  "ecr1",  "ecr2",  "ecr3", "ecr4",  "pecr1",
                                     "pecr2", "pecr3", "pecr4", "ocpa", "ocpa2", "union1"};
    for (const PaperFigure& figure : all_figures())
        for (const std::string& method : figure.methods) {
            if (figure.sparse.empty()) continue;
            const bool sparse = std::ranges::find(figure.sparse, method) != figure.sparse.end();
            EXPECT_EQ(sparse, skip.contains(method)) << figure.name << " " << method;
            // It takes ecr4 and pecr4 for small layers: neither the one nor the other.
            EXPECT_NE(method, "tensor3") << figure.name;
        }
}

TEST(FigureFile, every_placeholder_stands_for_a_number_of_its_figure) {
    const auto nothing = [](const FigureTiming&) { return PointRecords{}; };
    for (const PaperFigure& figure : all_figures())
        EXPECT_NO_THROW(fill_in(figure.finding, [&](const std::vector<std::string>& parts) {
            return placeholder_value(parts, figure, nothing);
        })) << figure.name;
    int numbers = 0;
    fill_in(read_text_file(preset_folder() / "reproduce/overview.md"), [&](const std::vector<std::string>& parts) {
        if (parts.size() > 1) {
            const PaperFigure& figure = find_figure(parts.front());
            EXPECT_EQ(placeholder_value({parts.begin() + 1, parts.end()}, figure, nothing), "(not measured)");
            ++numbers;
        }
        return std::string();
    });
    EXPECT_GT(numbers, 20);
}

}  // namespace
}  // namespace convscope
