// Each kind of bad input: the exit status, and one sentence that names what was wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "kernels/core/host_memory.h"
#include "kernels/files/preset_folder.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using testing::expect_rejected;
using testing::Finished;
using testing::npy_bytes;
using testing::run;

/// bench on a small layer, with more.
std::vector<std::string> bench(const std::vector<std::string>& more) {
    std::vector<std::string> words{"bench", "--device", "cpu", "--h", "5", "--r", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(BadInput, unknown_words) {
    expect_rejected({"--frobnicate"}, 2, "no flag '--frobnicate'");
    expect_rejected({"benhc"}, 2,
                    "'benhc' is neither a subcommand nor a .toml, .npy, .npz, .safetensors, .onnx, .png, .ppm, .pgm, "
                    ".csv, .json, .md or .cu file; see convscope --help");
    expect_rejected({"benhc", "--device", "cpu"}, 2, "'benhc' is neither a subcommand nor");
    expect_rejected({"--ui-scale", "2"}, 2, "no flag '--ui-scale'");
    expect_rejected({"bench", "--frobnicate"}, 2, "no flag '--frobnicate' for bench");
    expect_rejected(bench({"--sparsty", "0.5"}), 2, "did you mean --sparsity?");
    expect_rejected({"bemch"}, 2, "did you mean bench?");
    expect_rejected({"bench", "stray"}, 2, "no argument 'stray' for bench");
    expect_rejected({"program", "p.cu", "a", "b"}, 2,
                    "no argument 'a' for program; the program's own arguments follow '--'; see convscope program");
    expect_rejected({"program", "p.cu", "--verify"}, 2, "the program's own arguments follow '--'");
    expect_rejected({"list"}, 2, "methods, presets, networks, devices or formats");
    expect_rejected({"list", "colours"}, 2, "'colours'");
    expect_rejected({"list", "methods", "presets"}, 2, "'presets'");
    expect_rejected({"missing.toml"}, 6, "missing.toml");
    expect_rejected({"tour", "--out", "x", "--theme", "purple"}, 2, "--theme takes dark or light, not 'purple'");
}

TEST(BadInput, unknown_names) {
    expect_rejected({"bench", "--preset", "vgg19/conv5_l"}, 3, "vgg19/conv5_l");
    expect_rejected(bench({"--methods", "ecr9"}), 3, "no method 'ecr9' on cpu; there are");
    expect_rejected(bench({"--methods", "im2col,,ecr1"}), 3, "no method ''");
    for (const char* none : {"", ",", " "}) expect_rejected(bench({"--methods", none}), 2, "--methods names none");
    expect_rejected({"sweep", "--h", "5", "--r", "3", "--methods", ""}, 2, "--methods names none");
    expect_rejected({"network", "--preset", "alexnet", "--methods", ""}, 2, "--methods names none");
    expect_rejected({"bench", "--preset", "missing.toml"}, 6, "missing.toml");
    expect_rejected(bench({"--methods", "im2col,im2col"}), 2, "named twice");
    expect_rejected({"bench", "--h", "5", "--r", "3", "--device", "tpu"}, 3, "no device 'tpu'; there are cpu");
    expect_rejected(bench({"--pattern", "stripes"}), 2, "--pattern: 'stripes'");
    expect_rejected(bench({"--scope", "everything"}), 2, "kernel, launch, copies, alloc, setup");
    expect_rejected(bench({"--cache", "warm"}), 2, "hot, cold");
    expect_rejected({"sweep", "--preset", "nowhere/*"}, 3, "nowhere/*");
}

// In our words, whichever version of CLI11 there is.
TEST(BadInput, flags_without_their_values_say_what_they_take) {
    expect_rejected(bench({"--sparsity"}), 2, "--sparsity needs a value: X, share of zeros in x");
    expect_rejected(bench({"--csv="}), 2, "--csv needs a value: FILE");
    expect_rejected(bench({"--seed", "3", "--seed"}), 2, "--seed needs a value: N");
    expect_rejected(bench({"--set"}), 2, "--set needs a value: NAME=VALUE");
    expect_rejected(bench({"--verdict", "im2col"}), 2, "--verdict takes 2 values, A B: ");
    expect_rejected(bench({"--verdict", "im2col", "ecr5", "mec2"}), 2, "; 3 are given");
    expect_rejected({"sweep", "--search", "all", "--search", "local"}, 2, "--search is given 2 times; give it once");
    expect_rejected({"merge", "a.csv", "--csv", "b.csv", "--csv", "c.csv"}, 2, "--csv is given 2 times");
    for (const char* given : {"--resume=no", "--resume=maybe"})
        expect_rejected({"sweep", given}, 2, "--resume takes no value");
    expect_rejected({"list", "methods", "--json=4"}, 2, "--json takes no value");
    expect_rejected({"completion"}, 2, "completion for which shell? Give bash, zsh or fish");
}

TEST(BadInput, numbers_are_read_strictly) {
    for (const char* text : {"12abc", "1e3", "-3", "0", "3.0", "", " 5", "+5", "99999999999999999999", "0x10", "--c"})
        expect_rejected({"bench", "--r", "3", "--h", text}, 2, std::string("--h: '") + text + "'");
    for (const char* text : {"1.5", "-0.1", "nan", "inf", "0.5x", ""})
        expect_rejected(bench({"--sparsity", text}), 2, std::string("--sparsity: '") + text + "'");
    for (const char* text : {"1.5", "-0.1", "nan", ""})
        expect_rejected(bench({"--weight-sparsity", text}), 2, std::string("--weight-sparsity: '") + text + "'");
    expect_rejected(bench({"--weight-pattern", "4:2"}), 2,
                    "--weight-pattern: '4:2' is not accepted; give uniform, 2:4, rows, blocks, magnitude");
    expect_rejected(bench({"--weight-pattern", "2:4", "--weight-sparsity", "0.3"}), 2,
                    "weight sparsity is 0.3; the pattern 2:4 keeps two of each four weights, so that it must be 0.5");
    expect_rejected(bench({"--stride", "0"}), 2, "--stride: '0'");
    expect_rejected(bench({"--stride", "1,2,3"}), 2, "--stride: '1,2,3'");
    expect_rejected(bench({"--stride", "1,"}), 2, "--stride: ''");
    expect_rejected(bench({"--pad", "-1"}), 2, "--pad: '-1'");
    for (const char* text : {"same,1", "1,same", "same,same"})
        expect_rejected(bench({"--pad", text}), 2,
                        std::string("--pad: '") + text +
                            "' is not accepted; give one number, or two as height,width, or four as "
                            "top,bottom,left,right, or same alone");
    expect_rejected(bench({"--pool", "2,0"}), 2, "--pool: '2,0'");
    expect_rejected(bench({"--pool", "2", "--pool-stride", "0"}), 2, "--pool-stride: '0'");
    expect_rejected(bench({"--pool-stride", "2"}), 2, "give --pool as well");
    expect_rejected(bench({"--seed", "18446744073709551616"}), 2, "--seed: '18446744073709551616'");
    expect_rejected(bench({"--timeout", "0"}), 2, "--timeout: '0'");
    expect_rejected(bench({"--min-samples", "0"}), 2, "--min-samples: '0'");
    expect_rejected(bench({"--max-samples", "5"}), 2, "--max-samples is 5, below --min-samples (20)");
    expect_rejected(bench({"--block", "32,1,1,1"}), 2, "--block: '32,1,1,1'");
    expect_rejected(bench({"--block", "0"}), 2, "--block: '0'");
    expect_rejected(bench({"--set", "T"}), 2, "--set: 'T'");
    expect_rejected(bench({"--set", "T=ten"}), 2, "--set T: 'ten'");
    expect_rejected(bench({"--n", "1", "--n", "2"}), 2, "--n is given 2 times");
    expect_rejected(bench({"--runs", "3"}), 2, "--runs is 3; give 1, or 6 and more");
    expect_rejected(bench({"--tie", "2"}), 2, "--tie belongs to --verdict A B");
    expect_rejected(bench({"--verdict", "im2col", "mec2", "--methods", "mec2"}), 2, "--methods and --verdict exclude");
    expect_rejected(bench({"--verdict", "im2col", "all"}), 2, "--verdict: 'all' is not accepted; give two methods");
    expect_rejected(bench({"--verdict", "im2col", "nonsense"}), 3, "nonsense");
    expect_rejected(bench({"--verdict", "ecr", "ecr5"}), 2, "--verdict: both methods are ecr5; give two");
    expect_rejected(bench({"--verdict", "im2col", "mec2", "--time-limit", "0"}), 2, "--time-limit: '0'");
    expect_rejected({"bench", "--device", "sim", "--h", "5", "--r", "3", "--verdict", "ecr1", "ecr2"}, 2,
                    "--verdict compares times, and sim has no clock");
    expect_rejected({"bench", "--device", "sim", "--h", "5", "--r", "3", "--runs", "6"}, 2, "sim has no clock");
    expect_rejected({"bench", "--h"}, 2, "--h");
}

TEST(BadInput, shapes_that_cannot_be) {
    expect_rejected({"bench"}, 2, "no workload");
    expect_rejected({"bench", "--h", "5", "--r", "7"}, 2, "7x7 filter");
    expect_rejected(bench({"--pool", "4"}), 2, "4x4 pooling window");
    expect_rejected({"bench", "--h", "100000", "--r", "3"}, 2, "elements");
    expect_rejected({"layout", "--format", "ecr", "--out", "x", "--h", "5", "--r", "7"}, 2, "7x7 filter");
}

TEST(BadInput, formats_and_matrices_that_there_are_not) {
    const auto layout = [](std::vector<std::string> more) {
        std::vector<std::string> words{"layout", "--preset", "examples/xu-fig4", "--out", "x"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    expect_rejected(layout({"--format", "csx"}), 3, "no format 'csx'; the nearest are csr, csc");
    expect_rejected(layout({"--format", "csrr"}), 3, "no format 'csrr'; the nearest is csr");
    expect_rejected(layout({"--format", "nothing-like-it"}), 3, "there are ecr, pecr, mec, im2col, coo, csr, ");
    expect_rejected(layout({"--format", "csr", "--of", "y"}), 2, "accepted are x, im2col, w");
    expect_rejected(layout({"--format", "csr", "--from", "a.npz"}), 2,
                    "--from takes the matrix of a file, and --preset is of a layer; give one of them");
    expect_rejected({"layout", "--from", "a.npz", "--of", "x"}, 2, "--of is of a layer");
    expect_rejected({"layout", "--from", "a.npz", "--out", "x"}, 2, "layout --out needs --format");
    expect_rejected({"layout", "--from", "a.npz", "--format", "ecr"}, 3, "no format 'ecr'");
    expect_rejected({"layout", "--from", "/nowhere/a.npz"}, 6, "/nowhere/a.npz");
    expect_rejected({"layout", "--from", "/proc/self/status"}, 6, "it is no zip archive");
    expect_rejected(layout({"--format", "ecr", "--of", "x"}), 2, "--of is of a sparse format; ecr is of the layer");
    expect_rejected({"layout", "--preset", "examples/xu-fig4"}, 2, "layout needs --format");
    for (const char* format : {"ecr", "pecr", "mec", "im2col"})
        expect_rejected({"layout", "--preset", "examples/xu-fig4", "--format", format}, 2,
                        std::string("layout needs --out DIR for the arrays of ") + format);
    expect_rejected({"layout", "--preset", "examples/xu-fig4", "--format", "csx"}, 3, "no format 'csx'");
    expect_rejected({"list", "form"}, 2, "give methods, presets, networks, devices or formats");
}

TEST(BadInput, too_large_for_memory_is_seen_before_allocating) {
    // The largest shape there can be: x, the output and the reference's copies take 51 GB.
    if (available_host_memory_bytes() > 50'000'000'000) GTEST_SKIP() << "this machine can hold it";
    const Finished finished =
        run({"bench", "--device", "cpu", "--h", "46000", "--w", "46000", "--r", "1", "--methods", "im2col"});
    rusage children{};
    getrusage(RUSAGE_CHILDREN, &children);
    EXPECT_LT(children.ru_maxrss, 4'000'000) << "kB: x alone has twice as many";
    EXPECT_EQ(finished.status, 5) << finished.err;
    expect_contains(finished.err, "memory");
}

TEST(BadInput, launch_configurations_that_nothing_takes) {
    expect_rejected(bench({"--methods", "im2col,mec1", "--block", "32"}), 2, "--block");
    expect_rejected(bench({"--methods", "im2col,mec1", "--set", "nonsense=1"}), 2, "--set nonsense");
}

TEST(BadInput, a_single_method_says_itself_why_it_rejects) {
    const Finished finished = run(bench({"--methods", "im2col", "--block", "32"}));
    EXPECT_EQ(finished.status, 2);
    expect_contains(finished.out, "im2col on the CPU takes no block");
    expect_contains(finished.out, "invalid_config");
}

TEST(BadInput, paths_that_cannot_be_written) {
    expect_rejected(bench({"--csv", "/nonexistent/a.csv"}), 6, "'/nonexistent/a.csv'");
    expect_rejected(bench({"--json", "/nonexistent/a.json"}), 6, "'/nonexistent/a.json");
    expect_rejected({"layout", "--h", "5", "--r", "3", "--format", "ecr", "--out", "/proc/nowhere"}, 6,
                    "/proc/nowhere");
    expect_rejected(bench({"--csv", "/dev/full"}), 6, "No space left");
    const Finished late = run(bench({"--json", "/dev/full", "--methods", "im2col", "--timeout", "0.1"}));
    EXPECT_EQ(late.status, 6) << "a device shows only when it is written that it is full";
    expect_contains(late.err, "No space left");
    const TempFolder folder;
    const auto other = folder.write("other.csv", "a,b\n1,2\n");
    expect_rejected(bench({"--csv", other.string()}), 6, "column 1 is 'a'");
    expect_rejected({"sweep", "--h", "5", "--r", "3", "--resume"}, 2, "--resume needs --csv");
}

TEST(BadInput, one_file_for_two_things) {
    const TempFolder folder;
    const std::string rows = (folder / "k.csv").string();
    ASSERT_EQ(run(bench({"--methods", "im2col", "--timeout", "0.1", "--csv", rows})).status, 0);
    const std::string before = testing::read_file(rows);
    expect_rejected(bench({"--csv", rows, "--json", rows}), 2, "name the same file");
    expect_rejected(bench({"--csv", rows, "--json", (folder / "." / "k.csv").string()}), 2, "name the same file");
    EXPECT_EQ(testing::read_file(rows), before);
    const std::string x = folder.write("x.npy", npy_bytes("(3, 3)", {1, 2, 3, 4, 5, 6, 7, 8, 9})).string();
    const std::string array = testing::read_file(x);
    expect_rejected({"bench", "--device", "cpu", "--input", x, "--r", "2", "--json", x}, 2, "name the same file");
    EXPECT_EQ(testing::read_file(x), array);
}

TEST(BadInput, a_failed_run_leaves_what_was_there) {
    const TempFolder folder;
    const std::string x = folder.write("x.npy", npy_bytes("(2, 2)", {1, 2, 3, 4})).string();
    const std::string w = folder.write("w.npy", npy_bytes("(1, 1)", {2})).string();
    const std::string broken = folder.write("broken.npy", "no array").string();
    const std::string before = testing::read_file(x);
    EXPECT_EQ(run({"run", "--method", "im2col", "--input", broken, "--weights", w, "--output", x}).status, 6);
    EXPECT_EQ(testing::read_file(x), before);
    // In place: the input is whole until the result is.
    ASSERT_EQ(run({"run", "--method", "im2col", "--input", x, "--weights", w, "--output", x}).status, 0);
    EXPECT_NE(testing::read_file(x), before);
    EXPECT_FALSE(std::filesystem::exists(x + ".partial"));
}

TEST(BadInput, a_full_standard_output_is_no_success) {
    const TempFolder folder;
    const std::string err = (folder / "err").string();
    const std::string command = std::string(CONVSCOPE_PROGRAM) + " list presets >/dev/full 2>" + err;
    const int state = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(state), 6);
    expect_contains(testing::read_file(err), "standard output cannot be written");
}

TEST(BadInput, files_that_are_no_arrays) {
    const TempFolder folder;
    const std::string good = npy_bytes("(1, 1, 2, 2)", {1, 2, 3, 4});
    const auto w = folder.write("w.npy", npy_bytes("(1, 1)", {1})).string();
    const auto reject = [&](const std::string& name, const std::string& bytes, const std::string& part) {
        expect_rejected({"run", "--method", "im2col", "--input", folder.write(name, bytes).string(), "--weights", w,
                         "--output", (folder / "y.npy").string()},
                        6, part);
        EXPECT_FALSE(std::filesystem::exists(folder / "y.npy"));
    };
    reject("truncated.npy", good.substr(0, good.size() - 3), "truncated.npy");
    reject("text.npy", "hello, this is not an array", "text.npy");
    reject("empty.npy", "", "empty.npy");
    reject("integers.npy", npy_bytes("(1, 1, 2, 2)", {1, 2, 3, 4}, false, "<i4"), "integers.npy");
    const auto doubles = [](const std::string& shape, const std::vector<double>& values) {
        const std::string bytes(reinterpret_cast<const char*>(values.data()), 8 * values.size());
        return npy_bytes(shape, {}, false, "<f8") + bytes;
    };
    reject("large.npy", doubles("(1, 1, 1, 2)", {1, 1e300}),
           "large.npy: its element 1e+300 is beyond the range of float32; accepted are float32 and float64");
    expect_rejected({"layout", "--from", folder.write("large.npy", doubles("(1, 2)", {1, -1e300})).string()}, 6,
                    "its array 'dense' has -1e+300, beyond the range of float32");
    expect_rejected({"layout", "--from", folder.write("c.npy", npy_bytes("(1, 1)", {1, 2}, false, "<c8")).string()}, 6,
                    "c.npy: its elements are of type '<c8'; accepted are .npy arrays of float16 to float64, int8 to "
                    "int64, uint8 to uint64 or bool");
    reject("flat.npy", npy_bytes("(4,)", {1, 2, 3, 4}), "flat.npy");
    expect_rejected({"run", "--method", "im2col", "--input", (folder / "none.npy").string(), "--weights", w, "--output",
                     (folder / "y.npy").string()},
                    6, "none.npy");
}

TEST(BadInput, run_names_what_is_missing_or_does_not_fit) {
    const TempFolder folder;
    const auto x = folder.write("x.npy", npy_bytes("(1, 2, 2, 2)", std::vector<float>(8, 1))).string();
    const auto w = folder.write("w.npy", npy_bytes("(1, 3, 1, 1)", {1, 1, 1})).string();
    const std::string y = (folder / "y.npy").string();
    expect_rejected({"run", "--method", "im2col", "--input", x, "--output", y}, 2, "run needs --weights");
    expect_rejected({"run", "--method", "im2col", "--input", x, "--weights", w, "--output", y}, 2, "channel");
    const auto one = folder.write("one.npy", npy_bytes("(1, 2, 1, 1)", {1, 1})).string();
    expect_rejected({"run", "--method", "ecr1", "--input", x, "--weights", one, "--output", y}, 2, "ecr1 cannot run");
    expect_rejected({"run", "--method", "im2col", "--input", x, "--weights", one, "--output", "/nonexistent/y.npy"}, 6,
                    "/nonexistent/y.npy");
    expect_rejected({"bench", "--input", x, "--weights", one, "--h", "3"}, 2, "--h is 3, but the files have 2");
    expect_rejected({"bench", "--input", x, "--weights", one, "--sparsity", "0.5"}, 2, "--sparsity does not go with");
    expect_rejected({"bench", "--h", "5", "--r", "3", "--weights", one}, 2, "--weights goes with --input");
    expect_rejected({"bench", "--input", x}, 2, "--input needs filters");
}

TEST(BadInput, preset_files_say_where_they_are_wrong) {
    const TempFolder folder;
    folder.write("mine.toml", "title = \"unfinished\n");
    const std::vector<std::string> environment{"CONVSCOPE_PRESETS=" + (folder / "").string()};
    expect_rejected({"list", "presets"}, 6, "mine.toml:1:", environment);
}

TEST(BadInput, a_wrong_file_of_a_format_leaves_the_others) {
    const TempFolder folder;
    std::filesystem::copy(preset_folder() / "formats", folder / "formats");
    const std::string typo = folder.write("formats/typo.toml", "name = \"mine\"\ntitle = 3\n").string();
    const std::vector<std::string> environment{"CONVSCOPE_PRESETS=" + (folder / "").string()};
    const Finished list = run({"list", "formats"}, environment);
    EXPECT_EQ(list.status, 6) << "it was to be listed too";
    for (const char* name : {"csr ", "dia "}) EXPECT_NE(list.out.find(name), std::string::npos) << list.out;
    EXPECT_EQ(list.err.find("convscope: " + typo + ":2:9: "), 0U) << list.err;
    EXPECT_EQ(std::ranges::count(list.err, '\n'), 1) << list.err;
    const Finished csr = run({"layout", "--format", "csr", "--h", "3", "--r", "1"}, environment);
    EXPECT_EQ(csr.status, 0) << csr.err;
    EXPECT_NE(csr.out.find("row_ptr"), std::string::npos) << csr.out;
    EXPECT_EQ(csr.err, list.err);
    for (const std::vector<std::string>& rest :
         {std::vector<std::string>{"--h", "3", "--r", "1"}, {"--from", "none.npz"}}) {
        std::vector<std::string> arguments{"layout", "--format", "mine"};
        arguments.insert(arguments.end(), rest.begin(), rest.end());
        expect_rejected(arguments, 6, typo + ":2:9: ", environment);
    }
    expect_rejected({"layout", "--format", "csrr", "--h", "3", "--r", "1"}, 3, "no format 'csrr'; the nearest is csr",
                    environment);
    std::filesystem::remove(typo);
    const std::filesystem::path first = folder / "formats/csr.toml", second = folder / "formats/second.toml";
    std::filesystem::copy(first, second);
    const Finished twice = run({"list", "formats"}, environment);
    EXPECT_EQ(twice.status, 6);
    EXPECT_EQ(twice.err, fmt::format("convscope: {}:1:8: {} has a format named 'csr', too; give this one a name of its "
                                     "own\n",
                                     second.string(), first.string()));
}

TEST(BadInput, ranges_that_lead_nowhere) {
    const auto sweep = [](const std::string& flag, const std::string& value) {
        return std::vector<std::string>{"sweep", "--device", "cpu", "--h", "5", "--r", "3", flag, value};
    };
    expect_rejected(sweep("--sparsity", "1:0:0.1"), 2, "--sparsity: '1:0:0.1' is not a range");
    expect_rejected(sweep("--sparsity", "0:1:0"), 2, "--sparsity: '0:1:0' is not a range");
    expect_rejected(sweep("--sparsity", "0:1"), 2, "--sparsity: '0:1' is not a range");
    expect_rejected(sweep("--sparsity", "0:2:0.5"), 2, "--sparsity: '1.5'");
    expect_rejected(sweep("--n", "1,two"), 2, "--n: 'two'");
    expect_rejected(sweep("--seed", "0:1000000:1"), 2, "more than");
    const auto break_even = [](std::vector<std::string> range) {
        range.insert(range.begin(), {"break-even", "--device", "cpu", "--h", "5", "--r", "3", "--method", "ecr5",
                                     "--over", "sparsity"});
        return range;
    };
    expect_rejected(break_even({"--from", "0.995"}), 2,
                    "--from: 0.995 is not below 0.99, where the range ends without --to");
    expect_rejected(break_even({"--to", "0"}), 2, "--to: 0 is not above 0, where the range begins without --from");
    expect_rejected(break_even({"--from", "0.5", "--to", "0.4"}), 2, "--from is 0.5 and --to 0.4; the range must grow");
}

#ifndef __SANITIZE_ADDRESS__  // the sanitizer's own shadow is larger than any limit of use here
// OpenBLAS's threads wait for ever where they get no buffers; which limit that is depends on how many there are.
TEST(BadInput, the_program_ends_under_any_limit_of_memory) {
    const TempFolder folder;
    for (int mib = 100; mib <= 400; mib += 20) {
        const std::string command = fmt::format("ulimit -v {}; timeout 600 '{}' list devices > '{}' 2>&1", mib * 1024,
                                                CONVSCOPE_PROGRAM, (folder / "out").string());
        const int status = std::system(command.c_str());
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 124) << "with " << mib << " MiB it never ends";
    }
}
#endif

}  // namespace
}  // namespace convscope
