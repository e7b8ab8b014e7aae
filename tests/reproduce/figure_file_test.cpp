// The files of figures: what they may say, and that those of the papers are whole.
#include <gtest/gtest.h>

#include <set>

#include "kernels/core/registry.h"
#include "kernels/reproduce/figure.h"
#include "tests/core/temp_folder.h"

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

std::string refusal(const std::string& text) {
    const TempFolder folder;
    const auto path = folder.write("f.toml", text);
    return error_of(ErrorKind::file, [&] { load_figures(path); }).substr(path.string().size());
}

std::string with(const std::string& from, const std::string& to, std::string text = good) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(FigureFile, ReadsAFigure) {
    const PaperFigure read =
        figure(good + "claim = [{ says = \"mean\", printed = \"2x\", series = \"S\", take = \"mean\" }]\n");
    EXPECT_EQ(read.paper, "A 2020");
    EXPECT_EQ(read.device, DeviceKind::cuda);
    EXPECT_EQ(read.points.size(), 10u);
    EXPECT_EQ(read.points.front().label, "lenet-conv2");
    ASSERT_EQ(read.scopes.size(), 2u);
    EXPECT_EQ(read.scopes.front(), TimingScope::setup);
    EXPECT_EQ(read.claims.at(0).take, FigureSummary::mean);
}

TEST(FigureFile, ChangesEveryLayer) {
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

TEST(FigureFile, VariesAndLaunches) {
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

TEST(FigureFile, RefusesWithThePlaceAndWhatIsAccepted) {
    expect_contains(refusal(with("\"speedup\"", "\"faster\"")), "'value' is 'faster'; it must be one of time, gflops");
    expect_contains(refusal(with("of = \"ecr1\"", "of = \"ecr7\"")),
                    "'of' is 'ecr7', which is not one of the figure's");
    expect_contains(refusal(with(", over = \"cudnn\"", "")), "a series of 'speedup' needs 'over'");
    expect_contains(refusal(with("\"speedup\"", "\"time\"")), "a series of 'time' has no 'over'");
    expect_contains(refusal(with("over = \"cudnn\"", "over = \"cudnn\", printed = [1, 2]")),
                    "'printed' has 2 values for 10 points");
    expect_contains(refusal(with("\"setup\"", "\"all\"")), "all");
    expect_contains(refusal(with("xu2019/*", "vgg19/conv9")), "conv9");
    expect_contains(refusal(with("xu2019/*", "nothing/*")), "this figure has no points");
    expect_contains(refusal(with("layers", "network = \"vgg19\"\nlayers")), "either 'network' or 'layers'");
    expect_contains(refusal(with("layers", "pooling = \"some\"\nlayers")), "'pooling' is 'some'; it must be one of");
    expect_contains(refusal(with("layers", "vary = \"h\"\nvalues = [1]\nlayers")),
                    "must be one of sparsity, n, stride");
    expect_contains(refusal(with("layers", "launches = [{ block = [1, 2] }]\nlayers")), "'block' must be [x, y, z]");
    expect_contains(refusal(with("layers", "colour = 1\nlayers")), "unknown key 'colour'");
    expect_contains(refusal(good + "claim = [{ says = \"m\", printed = \"2\", series = \"T\", take = \"mean\" }]\n"),
                    "'series' is 'T', which this figure does not have");
}

const std::string goal =
    "goal = [{ target = \"1\", says = \"mean\", of = \"ecr1\", rivals = \"cudnn\", take = \"mean\", at_least = 2 }]\n";

TEST(FigureFile, ReadsGoals) {
    const FigureGoal read = figure(good + goal).goals.at(0);
    EXPECT_EQ(read.of, std::vector<std::string>{"ecr1"});
    EXPECT_EQ(read.rivals, std::vector<std::string>{"cudnn"});
    EXPECT_EQ(read.value, GoalValue::ratio);
    EXPECT_EQ(read.take, FigureSummary::mean);
    EXPECT_EQ(read.at_least, 2);
}

TEST(FigureFile, RefusesGoalsThatCannotBeJudged) {
    const std::string whole = good + goal;
    expect_contains(refusal(with("rivals = \"cudnn\"", "rivals = [\"cudnn\", \"csr1\"]", whole)),
                    "'rivals' has 'csr1', which is not one of the figure's");
    expect_contains(refusal(with(", rivals = \"cudnn\"", "", whole)), "a goal needs 'rivals'");
    expect_contains(refusal(with("of = \"ecr1\", rivals", "rivals", whole)), "a goal needs 'of'");
    expect_contains(refusal(with("of = \"ecr1\", rivals", "of = [\"ecr1\", \"csr1\"], rivals", whole)),
                    "'of' has 'csr1', which is not one of the figure's");
    expect_contains(refusal(with("at_least = 2", "at_least = 0", whole)), "a goal needs 'at_least', more than 0");
    expect_contains(refusal(with("take = \"mean\", at", "value = \"gflops\", take = \"total\", at", whole)),
                    "'take' can be total for a ratio only");
    const std::string second = with(
        "}]", "}, { target = \"1\", says = \"x\", of = \"cudnn\", rivals = \"ecr1\", take = \"mean\", at_least = 1 }]",
        goal);
    expect_contains(refusal(good + second), "'target' is '1', which another goal has with other methods");
}

TEST(FigureFile, ThePapersFiguresAreWhole) {
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

TEST(FigureFile, ThePrintedMemoryOfChoAndBrandIsThatOfOurFormulae) {
    const auto registry = make_registry();
    const PaperFigure& table = find_figure("cho-table3");
    int compared = 0;
    for (const PaperSeries& series : table.series) {
        if (series.value != FigureValue::workspace_mib) continue;
        for (std::size_t i = 0; i < table.points.size(); ++i) {
            const PaperPoint& point = table.points[i];
            const auto bytes = registry->get(series.of, DeviceKind::cpu).workspace_bytes(point.spec.shape);
            const double mib = static_cast<double>(bytes * point.weight) / 0x1p20;
            EXPECT_NEAR(mib, series.printed[i].value(), 0.06) << series.label << " " << point.label;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 2 * 5);
}

TEST(FigureFile, ThePapersFiguresNameMethodsThatThereAre) {
    const auto registry = make_registry();
    const std::set<std::string> on_tensor_cores{"ecr6", "pecr6", "ocpa3", "fused6", "mec5", "mec6", "mec7"};
    for (const PaperFigure& figure : all_figures())
        for (const std::string& method : figure.methods) {
            // A machine without a GPU has no cuDNN and no tensor cores.
            if (method.starts_with("cudnn") || on_tensor_cores.contains(method)) continue;
            const DeviceKind kind = figure.device == DeviceKind::cuda ? DeviceKind::sim : figure.device;
            EXPECT_NO_THROW(registry->get(method, kind)) << figure.name;
        }
}

}  // namespace
}  // namespace convscope
