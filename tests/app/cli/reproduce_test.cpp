// convscope reproduce, on what a machine without a GPU can run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "kernels/core/version.h"
#include "tests/app/cli/program.h"

namespace convscope::testing {
namespace {

TEST(Reproduce, lists_what_can_be_reproduced) {
    const Finished list = run({"reproduce", "--list"});
    EXPECT_EQ(list.status, 0);
    for (const char* part : {"xu2022-table3", "Table III", "cho-fig4a", "cpu", "cuda"}) expect_contains(list.out, part);
    // The title stands in one column, behind the longest of what stands before it.
    const auto title_at = [&](const std::string& name, const std::string& title) {
        const std::size_t line = list.out.find(name + " ");
        return list.out.find(title, line) - line;
    };
    EXPECT_EQ(title_at("fast-patterns", "VGG-19 conv5_1 with zeros"), title_at("fast-vgg19", "VGG-19 whole"));
    EXPECT_EQ(title_at("fast-patterns", "VGG-19 conv5_1 with zeros"), title_at("chang-fig4", "tiled-single over"));
}

/// A folder of presets with one small figure, so that measuring takes no time.
class SmallFigure {
public:
    SmallFigure() {
        std::filesystem::create_directories(folder_ / "presets/reproduce");
        folder_.write("presets/small.toml",
                      "family = \"small\"\npreset = [\n"
                      "{ name = \"a\", c = 2, h = 9, w = 9, k = 3, r = 3, s = 3 },\n"
                      "{ name = \"b\", c = 2, h = 12, w = 7, k = 3, r = 3, s = 3 },\n]\n");
        folder_.write(
            "presets/reproduce/small.toml",
            "paper = \"A 2020\"\n[[figure]]\nname = \"small\"\nshows = \"Fig. 1\"\ntitle = \"T\"\ntext = \"X\"\n"
            "device = \"cpu\"\nthreads = 1\nmethods = [\"im2col\", \"mec2\"]\nscopes = [\"kernel\"]\n"
            "layers = \"small/*\"\n"
            "series = [{ label = \"MEC\", value = \"workspace\", of = \"mec2\", printed = [1, nan] }]\n"
            "claim = [{ says = \"in all\", printed = \"2 MB\", series = \"MEC\", take = \"total\" }]\n"
            "goal = [{ target = \"1 small\", says = \"over im2col\", of = \"mec2\", baselines = \"im2col\", "
            "take = \"geometric mean\", at_least = 1000 },\n"
            "{ page = \"zeros\", target = \"2 large\", says = \"over im2col\", of = \"mec2\", "
            "baselines = \"im2col\", take = \"smallest\", at_least = 1e-9 }]\ntwice = true\n"
            "[[figure]]\nname = \"skipping\"\nshows = \"Fig. 2\"\ntitle = \"Z\"\ntext = \"X\"\n"
            "finding = \"It is {S|kernel|at a}.\"\n"
            "device = \"cpu\"\nthreads = 1\n"
            "methods = [\"ecr3\", \"im2col openblas=1\", \"onednn-direct-nchw\"]\n"
            "sparse = \"ecr3\"\nscopes = \"kernel\"\nlayers = \"small/*\"\nweighted = true\n"
            "series = [{ label = \"S\", value = \"speedup\", of = \"ecr3\", "
            "over = [\"im2col openblas=1\", \"onednn-direct-nchw\"] }]\n"
            "[[figure]]\nname = \"part\"\nshows = \"Fig. 3\"\ntitle = \"P\"\ntext = \"X\"\n"
            "device = \"cpu\"\nthreads = 1\nmethods = \"ecr3\"\nrecords = \"skipping\"\nscopes = \"kernel\"\n"
            "layers = \"small/a\"\nseries = [{ label = \"T\", value = \"time\", of = \"ecr3\" }]\n"
            "[[figure]]\nname = \"cold\"\nshows = \"Fig. 4\"\ntitle = \"C\"\ntext = \"X\"\n"
            "device = \"cpu\"\nthreads = 1\nmethods = \"ecr3\"\nscopes = \"kernel cold\"\n"
            "layers = \"small/a\"\nseries = [{ label = \"T\", value = \"time\", of = \"ecr3\" }]\n");
        folder_.write("presets/reproduce/overview.md", "Mean: {skipping|S|kernel|mean}.\n\n{pays}{pages}{devices}");
    }
    Finished reproduce(const std::string& name = "small", const std::string& to = "out",
                       std::vector<std::string> environment = {},
                       const std::vector<std::string>& timing = {"--timeout", "5", "--min-samples", "3", "--max-noise",
                                                                 "100"}) const {
        environment.push_back(this->environment().front());
        std::vector<std::string> arguments{"reproduce", name, "--out", (folder_ / to).string()};
        arguments.insert(arguments.end(), timing.begin(), timing.end());
        return run(arguments, environment);
    }
    std::filesystem::path out(const std::string& name) const { return folder_ / "out" / name; }
    std::vector<std::string> environment() const { return {"CONVSCOPE_PRESETS=" + (folder_ / "presets").string()}; }

private:
    TempFolder folder_;
};

TEST(Reproduce, writes_page_charts_and_rows_and_goes_on_where_it_stopped) {
    const SmallFigure figure;
    const Finished first = figure.reproduce();
    EXPECT_EQ(first.status, 0) << first.err;
    const std::string page = read_file(figure.out("small.md"));
    // MEC's L is n q (h + 2 pad) s c floats: 4 * 7 * 9 * 3 * 2 and 4 * 5 * 12 * 3 * 2 bytes.
    expect_contains(page, "| in all | 2 MB |");
    expect_contains(page, "| a | 1x2x9x9 * 3x2x3x3, stride 1, pad 0 | 0 | 1.00 MB | 0.00151 MB |");
    expect_contains(page, "| b | 1x2x12x7 * 3x2x3x3, stride 1, pad 0 | 0 | - | 0.00144 MB |");
    expect_contains(page, "1 thread,");
    expect_contains(read_file(figure.out("small-kernel.svg")), "</svg>");
    const std::string rows = read_file(figure.out("small.csv"));
    EXPECT_EQ(std::ranges::count(rows, '\n'), 1 + 2 * 2);

    EXPECT_EQ(figure.reproduce().status, 0);
    EXPECT_EQ(read_file(figure.out("small.csv")), rows);  // nothing was measured again

    // The last row is lost, as in a run that was killed: it alone is measured.
    const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
    std::filesystem::resize_file(figure.out("small.csv"), last);
    EXPECT_EQ(figure.reproduce().status, 0);
    const std::string again = read_file(figure.out("small.csv"));
    EXPECT_EQ(again.substr(0, last), rows.substr(0, last));
    EXPECT_EQ(std::ranges::count(again, '\n'), 1 + 2 * 2);
}

TEST(Reproduce, a_page_names_the_command_that_measured_it) {
    const SmallFigure figure;
    const std::string command =
        "\n    convscope reproduce small --out DIR --min-samples 3 --max-noise 100 --timeout 5\n";
    ASSERT_EQ(figure.reproduce().status, 0);
    expect_contains(read_file(figure.out("small.md")), command);
    ASSERT_EQ(figure.reproduce("small", "out", {}, {}).status, 0);  // made again, from what was measured so
    expect_contains(read_file(figure.out("small.md")), command);
    std::filesystem::remove(figure.out("small.csv"));
    ASSERT_EQ(figure.reproduce("small", "out", {}, {"--timeout", "0.1"}).status, 0);
    expect_contains(read_file(figure.out("small.md")), "\n    convscope reproduce small --out DIR --timeout 0.1\n");
}

TEST(Reproduce, exact_pages_have_all_digits_and_no_charts) {
    const SmallFigure figure;
    ASSERT_EQ(figure.reproduce().status, 0);
    std::filesystem::remove(figure.out("small-kernel.svg"));
    const Finished exact =
        run({"reproduce", "small", "--exact", "--out", figure.out("").string()}, figure.environment());
    ASSERT_EQ(exact.status, 0) << exact.err;
    expect_contains(read_file(figure.out("small.md")), "| 0.001512000000 MB |");
    EXPECT_FALSE(std::filesystem::exists(figure.out("small-kernel.svg")));
    const Finished pays = run({"reproduce", "pays", "--exact", "--out", figure.out("").string()}, figure.environment());
    EXPECT_EQ(pays.status, 2);
    expect_contains(pays.err, "reproduce pays takes no --exact");
}

TEST(Reproduce, rows_of_several_days_and_versions_are_told_apart) {
    const SmallFigure figure;
    ASSERT_EQ(figure.reproduce("skipping").status, 0);
    std::string rows = read_file(figure.out("skipping.csv"));
    const std::string ours = program_version();
    const std::size_t version = rows.rfind(ours + ",cpu");
    rows.replace(version, ours.size(), "0.0.9");
    rows.replace(rows.find("T", version - 20) - 10, 10, "2001-02-03");
    std::ofstream(figure.out("skipping.csv"), std::ios::binary) << rows;
    ASSERT_EQ(figure.reproduce("skipping").status, 0);
    const std::string page = read_file(figure.out("skipping.md"));
    expect_contains(page, fmt::format("convscope {}, on 20", ours));
    expect_contains(page, "convscope 0.0.9, on 2001-02-03.\n");
    ASSERT_EQ(figure.reproduce("pays").status, 0);
    const std::string pays = read_file(figure.out("pays.md"));
    expect_contains(pays, "convscope 0.0.9 | 2001-02-03 |\n");
}

TEST(Reproduce, charts_are_the_same_whatever_fonts_the_machine_has) {
    const SmallFigure figure;
    ASSERT_EQ(figure.reproduce().status, 0);
    const std::string svg = read_file(figure.out("small-kernel.svg"));
    const Finished bare = figure.reproduce(
        "small", "out", {"FONTCONFIG_FILE=/dev/null", "HOME=/nonexistent", "XDG_DATA_DIRS=/nonexistent"});
    EXPECT_EQ(bare.status, 0);
    EXPECT_EQ(bare.err.find("ontconfig"), std::string::npos) << bare.err;
    EXPECT_TRUE(read_file(figure.out("small-kernel.svg")) == svg);
}

TEST(Reproduce, a_missing_font_is_named) {
    const SmallFigure figure;
    const Finished finished = figure.reproduce("small", "out", {"CONVSCOPE_FONTS=/nonexistent"});
    EXPECT_EQ(finished.status, 6);
    expect_contains(finished.err, "the font '/nonexistent/Inter-Regular.otf' cannot be read");
}

TEST(Reproduce, goals_are_held_against_two_runs) {
    const SmallFigure figure;
    ASSERT_EQ(figure.reproduce().status, 0);
    ASSERT_EQ(figure.reproduce("small", "out/second-run").status, 0);
    const Finished fast = figure.reproduce("fast");
    EXPECT_EQ(fast.status, 0) << fast.err;
    const std::string rows = read_file(figure.out("fast.csv"));
    EXPECT_TRUE(
        rows.starts_with("target,row,baseline,baseline_us,ours,ours_us,ratio,roofline_fraction,max_rel_err\r\n"));
    expect_contains(rows, "1 small,a,im2col,");
    expect_contains(rows, "1 small,b,im2col,");
    const std::string page = read_file(figure.out("fast.md"));
    expect_contains(page, "| 1 small | `mec2` over im2col | 1000.00x |");
    expect_contains(page, "x | no |");
    EXPECT_EQ(page.find("2 large"), std::string::npos) << "it is on another page";
    expect_contains(read_file(figure.out("small.md")), "| `mec2` over im2col | 1000.00x |");
    EXPECT_EQ(figure.reproduce("zeros").status, 0);
    expect_contains(read_file(figure.out("zeros.md")), "| 2 large | `mec2` over im2col |");
    EXPECT_EQ(read_file(figure.out("zeros.md")).find("1 small"), std::string::npos);
    // Each measurement's samples, at least the three that were requested.
    const std::string samples = read_file(figure.out("small-samples.csv"));
    EXPECT_EQ(std::ranges::count(samples, '\n'), 1 + 2 * 2);
    const std::size_t last = samples.rfind("kernel,");
    EXPECT_GE(std::ranges::count(samples.substr(last), ' '), 2);
}

TEST(Reproduce, results_of_an_earlier_device_stand_in_their_own_column) {
    const SmallFigure figure;
    ASSERT_EQ(figure.reproduce().status, 0);
    std::filesystem::create_directory(figure.out("h100"));
    std::string rows = read_file(figure.out("small.csv"));
    for (std::size_t at = 0; (at = rows.find(", 1 thread\"", at)) != std::string::npos; at += 10)
        rows.replace(at, 10, " of before");
    std::ofstream(figure.out("h100/small.csv"), std::ios::binary) << rows;
    ASSERT_EQ(figure.reproduce().status, 0);
    const std::string page = read_file(figure.out("small.md"));
    expect_contains(page, " of before, kernel |");
    expect_contains(page, "The columns of an earlier GPU: measured on ");
    expect_contains(page, " of before |\n");  // of the goals
    // A goal of a method that the earlier device did not run has a dash: it would be about less.
    const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
    std::filesystem::resize_file(figure.out("h100/small.csv"), last);
    ASSERT_EQ(figure.reproduce().status, 0);
    expect_contains(read_file(figure.out("small.md")), "x | no | - |");
}

TEST(Reproduce, a_method_with_a_tunable_and_a_part_of_a_figure_have_their_rows) {
    const SmallFigure figure;
    const Finished measured = figure.reproduce("skipping");
    ASSERT_EQ(measured.status, 0) << measured.err;
    const std::string rows = read_file(figure.out("skipping.csv"));
    EXPECT_EQ(std::ranges::count(rows, '\n'), 1 + 2 * 3);
    expect_contains(rows, ",openblas=1,");
    EXPECT_EQ(rows.find("openblas=0"), std::string::npos);
    const std::string page = read_file(figure.out("skipping.md"));
    expect_contains(page, "It is ");
    EXPECT_EQ(page.find("(not measured)"), std::string::npos) << page;
    // A part of the figure takes its rows, and measures nothing.
    ASSERT_EQ(figure.reproduce("part").status, 0);
    EXPECT_EQ(read_file(figure.out("skipping.csv")), rows);
    EXPECT_FALSE(std::filesystem::exists(figure.out("part.csv")));
    expect_contains(read_file(figure.out("part.md")), "[skipping.csv](skipping.csv)");
}

TEST(Reproduce, a_cold_cache_is_measured_and_named) {
    const SmallFigure figure;
    const Finished measured = figure.reproduce("cold");
    ASSERT_EQ(measured.status, 0) << measured.err;
    expect_contains(read_file(figure.out("cold.csv")), ",kernel,cold,");
    expect_contains(read_file(figure.out("cold.md")), "- Scope `kernel cold`: ");
    expect_contains(read_file(figure.out("cold-kernel-cold.svg")), "scope kernel cold");
}

TEST(Reproduce, pages_over_many_figures_are_made_of_the_csvs_that_are_there) {
    const SmallFigure figure;
    const Finished empty = figure.reproduce("overview");
    EXPECT_EQ(empty.status, 6);
    EXPECT_NE(empty.err.find("has no complete CSV of a figure"), std::string::npos) << empty.err;
    const Finished none = figure.reproduce("pays");
    EXPECT_EQ(none.status, 6);
    expect_contains(none.err, "has no complete CSV of a figure with sparse methods");
    ASSERT_EQ(figure.reproduce("skipping").status, 0);
    ASSERT_EQ(figure.reproduce("pays").status, 0);
    const std::string pays = read_file(figure.out("pays.md"));
    expect_contains(pays, "| [Z](skipping.md) | hot | ");
    expect_contains(pays, " of 2");
    expect_contains(pays, "| network | cache | dense methods | all layers sparse | better of both in each layer | ");
    expect_contains(pays, "| [Z](skipping.md) | hot | FP32 | ");
    expect_contains(pays, "| [skipping.csv](skipping.csv) | ");  // where and when each file was measured
    expect_contains(pays, "compute in FP32, also where a column holds them against FP16");
    expect_contains(pays, "larger than that shows that the sparse method is faster without a zero, too");
    expect_contains(pays, "## Z, cache hot");
    expect_contains(pays, "`ecr3`");
    expect_contains(pays, "| not measured |");  // TF32 and FP16, which a CPU has not
    ASSERT_EQ(figure.reproduce("overview").status, 0);
    const std::string overview = read_file(figure.out("README.md"));
    EXPECT_EQ(overview.find("(not measured)"), std::string::npos) << overview;
    expect_contains(overview, "Mean: ");
    expect_contains(overview, "| [skipping.csv](skipping.csv) | ");
    expect_contains(overview, "- [skipping](skipping.md): A 2020, Fig. 2: Z\n");
    EXPECT_EQ(overview.find("[small]"), std::string::npos);  // not measured in this folder
}

TEST(Reproduce, rows_of_another_device_are_not_mixed_in) {
    const SmallFigure figure;
    ASSERT_EQ(figure.reproduce().status, 0);
    std::string rows = read_file(figure.out("small.csv"));
    rows.resize(rows.rfind('\n', rows.size() - 2) + 1);
    for (std::size_t at = 0; (at = rows.find(", 1 thread", at)) != std::string::npos; at += 10)
        rows.replace(at, 10, ", 9 thread");
    std::ofstream(figure.out("small.csv"), std::ios::binary) << rows;
    const Finished mixed = figure.reproduce();
    EXPECT_EQ(mixed.status, 2);
    expect_contains(mixed.err, "choose another folder");
    EXPECT_EQ(read_file(figure.out("small.csv")), rows);
}

TEST(Reproduce, rejects_in_one_sentence) {
    const TempFolder folder;
    const std::string out = (folder / "out").string();
    const auto rejected = [](std::vector<std::string> arguments, int status, const std::string& part) {
        arguments.insert(arguments.begin(), "reproduce");
        const Finished finished = run(arguments);
        EXPECT_EQ(finished.status, status) << finished.err;
        expect_contains(finished.err, part);
        EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
    };
    rejected({"--out", out}, 2, "reproduce needs a NAME");
    rejected({"cho-fig4a"}, 2, "reproduce needs --out DIR");
    rejected({"cho-fig5", "--out", out}, 3, "no reproduction 'cho-fig5'; the nearest are cho-fig4");
    rejected({"cho-fig4a", "--out", out, "--scope", "kernel"}, 2, "reproduce takes no --scope");
    rejected({"cho-fig4a", "--out", folder.write("file", "x").string()}, 6, "cannot be made");
    rejected({"cho-fig4a", "--out", out, "--cache", "cold"}, 2, "reproduce takes no --cache");
    rejected({"fast", "cho-fig4a", "--out", out}, 2, "reproduce fast is a page over many figures and stands alone");
    // The GPU's module is not looked for, so that this is so on every machine.
    const Finished no_gpu = run({"reproduce", "xu2022-table3", "--out", out}, {"CUDA_VISIBLE_DEVICES="});
    EXPECT_EQ(no_gpu.status, 3);
    expect_contains(no_gpu.err, "xu2022-table3 needs an NVIDIA GPU");
    expect_contains(no_gpu.err, "without one these run: cho-fig4a");
}

}  // namespace
}  // namespace convscope::testing
