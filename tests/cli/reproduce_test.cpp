// convscope reproduce, on what a machine without a GPU can run.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/cli/program.h"

namespace convscope::testing {
namespace {

TEST(Reproduce, ListsWhatCanBeReproduced) {
    const Finished list = run({"reproduce", "--list"});
    EXPECT_EQ(list.status, 0);
    for (const char* part : {"xu2022-table3", "Table III", "cho-fig4a", "cpu", "cuda"}) expect_contains(list.out, part);
}

TEST(Reproduce, WritesPageChartsAndRowsAndGoesOnWhereItStopped) {
    const TempFolder folder;
    const std::vector<std::string> arguments{"reproduce",   "cho-table3", "--out",         (folder / "out").string(),
                                             "--timeout",   "5",          "--min-samples", "3",
                                             "--max-noise", "100"};
    const Finished first = run(arguments);
    EXPECT_EQ(first.status, 0) << first.err;
    const auto out = folder / "out";
    const std::string page = read_file(out / "cho-table3.md");
    // The paper's printed bytes are what the formula gives, so ours are equal to all printed digits.
    expect_contains(page, "| Conv.cpu, memory in all | 203.6 MB | 203.7 MiB |");
    expect_contains(page, "| MEC.cpu, memory in all | 64.6 MB | 64.57 MiB |");
    expect_contains(page, "| cv11 (23 times) |");
    expect_contains(page, "1 thread,");
    expect_contains(read_file(out / "cho-table3-kernel.svg"), "</svg>");
    EXPECT_TRUE(std::filesystem::file_size(out / "cho-table3-kernel.png") > 1000);
    const std::string rows = read_file(out / "cho-table3.csv");
    EXPECT_EQ(std::ranges::count(rows, '\n'), 1 + 5 * 2);

    EXPECT_EQ(run(arguments).status, 0);
    EXPECT_EQ(read_file(out / "cho-table3.csv"), rows);  // nothing was measured again

    // The last row is lost, as in a run that was killed: it alone is measured.
    const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
    std::filesystem::resize_file(out / "cho-table3.csv", last);
    EXPECT_EQ(run(arguments).status, 0);
    const std::string again = read_file(out / "cho-table3.csv");
    EXPECT_EQ(again.substr(0, last), rows.substr(0, last));
    EXPECT_EQ(std::ranges::count(again, '\n'), 1 + 5 * 2);
}

TEST(Reproduce, RowsOfAnotherDeviceAreNotMixedIn) {
    const TempFolder folder;
    const auto out = folder / "out";
    std::filesystem::create_directories(out);
    const std::vector<std::string> arguments{"reproduce", "cho-table3",    "--out", out.string(),  "--timeout",
                                             "5",         "--min-samples", "3",     "--max-noise", "100"};
    ASSERT_EQ(run(arguments).status, 0);
    std::string rows = read_file(out / "cho-table3.csv");
    rows.resize(rows.rfind('\n', rows.size() - 2) + 1);
    for (std::size_t at = 0; (at = rows.find(", 1 thread", at)) != std::string::npos; at += 10)
        rows.replace(at, 10, ", 9 thread");
    folder.write("out/cho-table3.csv", rows);
    const Finished mixed = run(arguments);
    EXPECT_EQ(mixed.status, 2);
    expect_contains(mixed.err, "choose another folder");
    EXPECT_EQ(read_file(out / "cho-table3.csv"), rows);
}

TEST(Reproduce, RefusesInOneSentence) {
    const TempFolder folder;
    const std::string out = (folder / "out").string();
    const auto refused = [](std::vector<std::string> arguments, int status, const std::string& part) {
        arguments.insert(arguments.begin(), "reproduce");
        const Finished finished = run(arguments);
        EXPECT_EQ(finished.status, status) << finished.err;
        expect_contains(finished.err, part);
        EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
    };
    refused({"--out", out}, 2, "reproduce needs a NAME");
    refused({"cho-fig4a"}, 2, "reproduce needs --out DIR");
    refused({"cho-fig5", "--out", out}, 3, "no reproduction 'cho-fig5'; the nearest are cho-fig4");
    refused({"cho-fig4a", "--out", out, "--scope", "kernel"}, 2, "reproduce takes no --scope");
    refused({"cho-fig4a", "--out", folder.write("file", "x").string()}, 6, "cannot be made");
    // The GPU's module is not looked for, so that this is so on every machine.
    const Finished no_gpu = run({"reproduce", "xu2022-table3", "--out", out}, {"CUDA_VISIBLE_DEVICES="});
    EXPECT_EQ(no_gpu.status, 3);
    expect_contains(no_gpu.err, "xu2022-table3 needs an NVIDIA GPU");
    expect_contains(no_gpu.err, "without one these run: cho-fig4a");
}

}  // namespace
}  // namespace convscope::testing
