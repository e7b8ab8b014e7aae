// Whole programs in the Kernel view, by real events: dropped, run, their launches one after the other, to the faulty
// line.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/program/program_process.h"
#include "kernels/core/error.h"
#include "tests/app/open_kernel.h"

namespace convscope::app {
namespace {

// The second launch misses its test, and the copy after it copies too much.
constexpr const char* faulty_program = R"(#include <cstdio>
#include <cstdlib>
__constant__ float by;
__global__ void fill(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
__global__ void scale(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = by * x[i];
}
int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    float two = 2, *d_a, *d_b, *b = (float *)malloc(128 * sizeof(float));
    cudaMalloc(&d_a, 128 * sizeof(float));
    cudaMalloc(&d_b, n * sizeof(float));
    cudaMemcpyToSymbol(by, &two, sizeof two);
    fill<<<1, 128>>>(d_a, 128);
    scale<<<2, 64>>>(d_a, d_b, n);
    cudaMemcpy(b, d_b, 128 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    printf("n = %d\n", n);
    return 3;
}
)";

class ProgramGui : public OpenKernelTest {
protected:
    void SetUp() override {
        OpenKernelTest::SetUp();
        try {
            runtime_library();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
    }
    /// Dropped on the window.
    void drop(const std::string& text) {
        app_.shell().drop({write_later(text, std::chrono::seconds(++saves_))});
        ASSERT_TRUE(ready());
        ASSERT_TRUE(check()->problems.empty()) << check()->problems.front().sentence;
    }
    bool has_run() { return check() && check()->program; }

    int saves_ = 0;
};

TEST_F(ProgramGui, says_of_a_dropped_file_that_it_is_not_text) {
    const std::string begin = "\x7f";
    app_.shell().drop({write_later(begin + std::string(20, '\0'), std::chrono::seconds(1))});
    ASSERT_TRUE(ready());
    ASSERT_EQ(check()->problems.size(), 1U);
    EXPECT_NE(check()->problems.front().sentence.find(".cu' is not text: it holds bytes of value 0"), std::string::npos)
        << check()->problems.front().sentence;
}

TEST_F(ProgramGui, from_a_dropped_program_to_the_faulty_line) {
    drop(faulty_program);
    ASSERT_TRUE(has_run());
    EXPECT_EQ(check()->program->end.status, 3);
    EXPECT_EQ(check()->program->end.output, "n = 100\n");
    ASSERT_EQ(check()->program->launches.size(), 2U);
    EXPECT_TRUE(app_.has("kernel/launch 1"));
    EXPECT_TRUE(app_.has("kernel/launch 2"));
    app_.keep_image("program");
    // Without a choice, the launch with a finding is shown.
    ASSERT_EQ(check()->launch, 2U);
    ASSERT_TRUE(check()->result);
    const auto& findings = check()->result->findings;
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, ptx::FindingKind::out_of_bounds);
    EXPECT_EQ(findings[0].element, "y[100]");
    EXPECT_EQ(findings[0].times, 28);
    EXPECT_EQ(check()->line_of(findings[0].found.at), 12U);
    app_.click("kernel/finding 1");
    EXPECT_FALSE(app_.shell().kernel().steps().empty());

    // Its arrays, as they were before it and as it leaves them; the variable that the host has filled.
    const RecordedMemory& memory = *check()->prepared->memory;
    const auto index_of = [&](const std::string& name) {
        const auto found = std::ranges::find(memory.launch.memory, name, &RecordedLaunch::Array::name);
        return static_cast<std::size_t>(found - memory.launch.memory.begin());
    };
    ASSERT_LT(index_of("by"), memory.arrays.size());
    EXPECT_EQ(reinterpret_cast<const float&>(memory.arrays[index_of("by")].data[0]), 2);
    const std::size_t y = index_of("y");
    ASSERT_LT(y, memory.arrays.size());
    EXPECT_EQ(memory.arrays[y].type, "f4");
    EXPECT_EQ(memory.changes[y].count, 100U);
    EXPECT_EQ(reinterpret_cast<const float&>(memory.arrays[y].data[4 * 99]), 198);
    EXPECT_EQ(std::to_integer<int>(memory.launch.memory[y].data[4 * 99]), 0xff) << "cudaMalloc leaves it so";
    EXPECT_EQ(memory.changes[index_of("x")].count, 0U);

    // The other launch, as a kernel: its warps are stepped through, line by line.
    app_.click("kernel/launch 1");
    ASSERT_TRUE(ready());
    ASSERT_EQ(check()->launch, 1U);
    ASSERT_TRUE(check()->result);
    EXPECT_TRUE(check()->result->findings.empty());
    EXPECT_EQ(check()->kernel().text.name, "fill");
    app_.press(Key::right);
    EXPECT_EQ(app_.session().kernel.step, 1U);
    EXPECT_NEAR(app_.shell().kernel().steps().at(0).line, 6, 2) << "in the kernel's own lines";

    // Findings of calls are listed between the launches.
    ASSERT_TRUE(app_.has("kernel/call finding 2"));
    app_.click("kernel/call finding 2");
    app_.frames(2);
    app_.keep_image("program-call");
    EXPECT_EQ(check()->program->findings[1].at, "mine.cu:23");
    EXPECT_FALSE(app_.has("kernel/finding 1")) << "the launch steps back";
}

TEST_F(ProgramGui, is_run_again_when_it_is_saved_with_its_arguments) {
    drop(faulty_program);
    app_.click("kernel/launch 2");
    app_.type_into("kernel/argument arguments", "\"64\"");
    ASSERT_TRUE(ready());
    ASSERT_TRUE(has_run());
    EXPECT_EQ(check()->program->end.output, "n = 64\n");
    EXPECT_EQ(check()->launch, 2U);
    std::string right = faulty_program;
    right.replace(right.find("    y[i]"), 4, "    if (i < n) ");
    right.replace(right.find("128 * sizeof(float), cudaMemcpyDeviceToHost"), 3, "n");
    right.replace(right.find("return 3"), 8, "cudaFree(d_b); return 0");
    write_later(right, std::chrono::seconds(++saves_));
    ASSERT_TRUE(app_.wait([this] { return has_run() && check()->program->clean(); }));
    app_.frames(2);
    EXPECT_EQ(check()->verdict, "");
    EXPECT_EQ(check()->launch, 2U) << "the launch that was chosen";
    EXPECT_TRUE(check()->result && check()->result->findings.empty());
}

TEST_F(ProgramGui, is_stopped) {
    app_.shell().drop({write_later("#include <unistd.h>\nint main() { sleep(1000); }\n", std::chrono::seconds(1))});
    app_.frames(3);
    ASSERT_TRUE(app_.wait([this] { return app_.has("kernel/stop"); }));
    app_.click("kernel/stop");
    EXPECT_TRUE(app_.wait([this] { return !app_.shell().kernel().busy(app_.session()); })) << "it ends soon";
}

TEST_F(ProgramGui, one_kernel_of_it_can_be_looked_at_alone) {
    drop(faulty_program);
    app_.choose("kernel/entry", "kernel/entry/fill");
    ASSERT_TRUE(ready());
    EXPECT_FALSE(check()->program);
    EXPECT_TRUE(app_.has("kernel/argument n")) << "its arguments are asked for";
    app_.choose("kernel/entry", "kernel/entry/whole program");
    ASSERT_TRUE(ready());
    EXPECT_TRUE(has_run());
}

// Its host code writes a file when it runs.
class ProgramTrust : public ProgramGui {
protected:
    std::filesystem::path ran() const { return folder_ / "ran"; }
    std::string text() const {
        return "#include <cstdio>\n#include <cstdlib>\nint main(int argc, char **argv)\n{\n    "
               "std::fclose(std::fopen(\"" +
               ran().string() + "\", \"w\"));\n}\n";
    }
    bool settled() {
        app_.frames(5);
        return app_.wait([this] { return !app_.shell().kernel().busy(app_.session()); });
    }
    std::filesystem::path session(const std::string& more = "") {
        return folder_.write("stranger.convscope.toml", "version = 1\nview = \"kernel\"\n[kernel]\nfile = \"" +
                                                            (folder_ / "mine.cu").string() + "\"\n" + more);
    }
};

TEST_F(ProgramTrust, that_is_only_opened_is_run_when_the_user_says_so) {
    app_.shell().open(write_later(text(), std::chrono::seconds(1)));
    ASSERT_TRUE(settled());
    app_.press(Key::space);
    ASSERT_TRUE(settled());
    EXPECT_FALSE(std::filesystem::exists(ran()));
    EXPECT_GE(app_.shell().kernel().source_pane().lines(), 5U) << "there to be read";
    ASSERT_TRUE(app_.has("kernel/run program"));
    app_.keep_image("program-to-run");
    app_.click("kernel/run program");
    ASSERT_TRUE(app_.wait([this] { return std::filesystem::exists(ran()); }));
    ASSERT_TRUE(settled());
    EXPECT_FALSE(app_.has("kernel/run program"));
}

TEST_F(ProgramTrust, a_session_runs_none_and_gives_none_other_arguments) {
    write_later(text(), std::chrono::seconds(1));
    app_.shell().open(session());
    ASSERT_TRUE(settled());
    EXPECT_FALSE(std::filesystem::exists(ran()));
    ASSERT_TRUE(app_.has("kernel/run program"));
    app_.click("kernel/run program");
    ASSERT_TRUE(app_.wait([this] { return std::filesystem::exists(ran()); }));
    ASSERT_TRUE(settled());
    std::filesystem::remove(ran());
    app_.shell().open(session("given = [\"arguments=--all\"]\n"));
    ASSERT_TRUE(settled());
    EXPECT_FALSE(std::filesystem::exists(ran()));
    EXPECT_TRUE(app_.has("kernel/run program"));
}

}  // namespace
}  // namespace convscope::app
