// The executor against this machine's own processor: what kernels made up at random compute. CONVSCOPE_RANDOM_KERNELS
// says how many; the same numbers are the same kernels.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/ptx/run/launch.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/ptx/compiler_here.h"
#include "tests/kernels/ptx/random/random_kernel.h"

namespace convscope::ptx::testing {
namespace {

constexpr std::uint64_t kernels_of_a_file = 20;

struct Results {
    std::vector<unsigned> out = std::vector<unsigned>(random_blocks * random_threads * random_outputs);
    std::vector<unsigned> sums = std::vector<unsigned>(random_sums, 0xffff);
};

/// Numbers of all sizes, and those at which something changes.
std::vector<unsigned> inputs() {
    std::mt19937 random(1);
    std::vector<unsigned> values(random_inputs);
    static constexpr std::array<unsigned, 6> special{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 31};
    for (unsigned& value : values)
        value =
            random() % 4 == 0 ? special[random() % special.size()] : static_cast<unsigned>(random()) >> random() % 32;
    return values;
}

/// The kernels of some seeds in one file, and compiled for the host.
class RandomFile {
public:
    RandomFile(std::uint64_t first, std::uint64_t count) : path_(folder_ / "kernels.cu") {
        std::string text = random_kernel_macros();
        for (std::uint64_t seed = first; seed < first + count; ++seed) text += random_kernel(seed);
        std::ofstream(path_) << text;
        const std::string library = (folder_ / "kernels.so").string();
        // GCC 12 makes -0 of 0.0f - 0.0f where the second was an unsigned number, unless rounding modes count.
        const std::string command = fmt::format(
            "{} -x c++ -std=c++17 -w -DHOST -fwrapv -ffp-contract=off -frounding-math -fno-strict-aliasing "
            "-shared -fPIC '{}' -o '{}'",
            CONVSCOPE_CXX, path_.string(), library);
        if (std::system(command.c_str()) != 0) throw std::runtime_error(text);
        library_ = dlopen(library.c_str(), RTLD_NOW);
        if (!library_) throw std::runtime_error(dlerror());
    }
    ~RandomFile() {
        if (library_) dlclose(library_);
    }
    RandomFile(const RandomFile&) = delete;
    RandomFile& operator=(const RandomFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    Results on_host(std::uint64_t seed, const std::vector<unsigned>& in) const {
        using Block = void (*)(const unsigned*, unsigned*, unsigned*, unsigned);
        const auto block = reinterpret_cast<Block>(dlsym(library_, fmt::format("k{}_block", seed).c_str()));
        Results results;
        for (unsigned b = 0; b < random_blocks; ++b) block(in.data(), results.out.data(), results.sums.data(), b);
        return results;
    }

private:
    const TempFolder folder_;
    const std::filesystem::path path_;
    void* library_ = nullptr;
};

/// Findings, or the reason why it failed, go to 'complaints'.
Results executed(const Module& module, std::uint64_t seed, std::vector<unsigned> in, std::string& complaints) {
    const std::string name = fmt::format("k{}", seed);
    const auto entry =
        std::ranges::find(module.functions, fmt::format("_Z{}{}PKjPjS1_", name.size(), name), &Function::name);
    if (entry == module.functions.end()) throw std::runtime_error("there is no kernel " + name);
    const Program program = make_program(module, *entry);
    Results results;
    LaunchRequest request;
    request.grid = {random_blocks, 1, 1};
    request.block = {random_threads, 1, 1};
    const auto array = [](const char* array_name, std::vector<unsigned>& values, bool written) {
        return Argument{ArrayArgument{array_name, std::as_writable_bytes(std::span(values)), 4, written}, {}};
    };
    request.arguments = {array("in", in, true), array("out", results.out, false), array("sums", results.sums, true)};
    const LaunchResult result = run(program, request);
    complaints = result.failure;
    for (const Finding& finding : result.findings) complaints += finding.line(module) + "\n";
    return results;
}

std::string difference(const Results& ours, const Results& hosts) {
    const auto [our, their] = std::ranges::mismatch(ours.out, hosts.out);
    if (our != ours.out.end()) {
        const auto place = static_cast<unsigned>(our - ours.out.begin());
        return fmt::format("thread {}, variable {}: {:#x}, and {:#x} on the host", place / random_outputs,
                           place % random_outputs, *our, *their);
    }
    for (unsigned i = 0; i < random_sums; ++i)
        if (ours.sums[i] != hosts.sums[i])
            return fmt::format("sum {}: {:#x}, and {:#x} on the host", i, ours.sums[i], hosts.sums[i]);
    return {};
}

/// Compiles with 'compiler' while it lives.
class Compiler {
public:
    explicit Compiler(const std::string& path) { setenv(variable, path.c_str(), 1); }
    ~Compiler() { unsetenv(variable); }
    Compiler(const Compiler&) = delete;
    Compiler& operator=(const Compiler&) = delete;

private:
    static constexpr const char* variable = "CONVSCOPE_CUDA_COMPILER";
};

class RandomKernels : public ::testing::TestWithParam<const char*> {};

TEST_P(RandomKernels, ComputeOnTheExecutorWhatTheyDoOnTheHost) {
    const auto path = convscope::testing::compiler_here(GetParam());
    if (!path) GTEST_SKIP() << "there is no " << GetParam();
    const Compiler compiler(*path);
    const char* const said = std::getenv("CONVSCOPE_RANDOM_KERNELS");
    const std::uint64_t all = said ? std::strtoull(said, nullptr, 10) : 100;
    const std::vector<unsigned> in = inputs();
    for (std::uint64_t first = 0; first < all; first += kernels_of_a_file) {
        const std::uint64_t count = std::min(kernels_of_a_file, all - first);
        const RandomFile file(first, count);
        const Module module = read_module(compile_to_ptx(file.path(), {}), "kernels.cu");
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            std::string complaints;
            const Results ours = executed(module, seed, in, complaints);
            EXPECT_EQ(complaints + difference(ours, file.on_host(seed, in)), "") << random_kernel(seed);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(With, RandomKernels, ::testing::Values("nvcc", "clang++"), [](const auto& each) {
    std::string name = each.param;
    std::erase(name, '+');
    return name;
});

}  // namespace
}  // namespace convscope::ptx::testing
