// The kernel that is open in the Kernel view as a method of a sweep, by real events.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "app/session/sweep_axes.h"
#include "kernels/measure/run_counts.h"
#include "kernels/ptx/toolchain/compile.h"
#include "kernels/records/csv_file.h"
#include "tests/app/open_kernel.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

constexpr const char* convolution =
    "constexpr int TILE = 8;\n"
    "constexpr int WIDE = 33;\n"
    "static_assert(TILE != 6, \"no tile of 6\");\n"
    "// convscope: grid = (ceil(q/TILE), ceil(p/TILE), n*k), block = (TILE, TILE)\n"
    "__global__ void conv(const float* x, const float* w, float* y, int h, int width, int r, int s, int p, int q) {\n"
    "    __shared__ float sums[WIDE * 64];\n"
    "    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;\n"
    "    if (row >= p || column >= q) return;\n"
    "    float sum = 0;\n"
    "    for (int i = 0; i < r * s; ++i) sum += x[(row + i / s) * width + column + i % s] * w[i];\n"
    "    volatile float* mine = &sums[(threadIdx.y * TILE + threadIdx.x) * WIDE % (WIDE * 64)];\n"
    "    *mine = sum;\n"
    "    y[row * q + column] = *mine;\n"
    "}\n";

class SweepOfOwnKernel : public OpenKernelTest {
protected:
    SweepOfOwnKernel() : OpenKernelTest(1280, 800) {}
    std::filesystem::path write(const std::string& text) { return write_later(text, -std::chrono::seconds(60)); }
    /// From the first screen to the kernel, and from there to the Sweep view.
    void open(const std::string& text) {
        app_.shell().open(write(text));
        ASSERT_TRUE(ready());
        app_.click("kernel/sweep");
        app_.frames(3);
        ASSERT_EQ(app_.session().view, ViewId("sweep"));
    }
    void run() {
        app_.press(Key::space);
        ASSERT_TRUE(app_.wait([this] { return !sweep().measures() && !sweep().results().rows().empty(); }));
        app_.frames(3);
    }
    SweepView& sweep() { return app_.shell().sweep(); }
    const std::vector<Record>& rows() { return sweep().results().rows(); }
};

TEST_F(SweepOfOwnKernel, has_its_constants_as_axes) {
    open(convolution);
    EXPECT_EQ(app_.session().choices.device, "sim") << "there is no GPU";
    EXPECT_EQ(sweep().rejection(), "");
    EXPECT_EQ(axes_in_use(app_.session(), app_.registry()),
              (std::vector<SweepAxis>{{SweepKind::define, "TILE", "4,8,16"}}));
    EXPECT_EQ(sweep_methods(app_.session(), app_.registry()), (std::vector<std::string>{"own/conv"}));
    app_.click("sweep/add");
    app_.frames(2);
    app_.click("sweep/add/WIDE");
    app_.frames(2);
    EXPECT_EQ(app_.session().sweep.axes->back(), (SweepAxis{SweepKind::define, "WIDE", "32,33,34"}));
    app_.click("sweep/methods");
    app_.frames(2);
    EXPECT_TRUE(app_.has("sweep/own/conv"));
    app_.click("sweep/own/conv");
    app_.frames(2);
    EXPECT_EQ(sweep().rejection(), "tick at least one method");
    app_.press(Key::escape);
}

TEST_F(SweepOfOwnKernel, is_counted_on_the_simulated_gpu) {
    open(convolution);
    app_.session().sweep.csv_path = (folder_ / "rows.csv").string();
    app_.type_into("sweep/axis TILE", "2,4,6,8");
    app_.frames(2);
    run();
    ASSERT_EQ(rows().size(), 4U);
    for (const Record& row : rows()) {
        EXPECT_EQ(row.method, "own/conv");
        if (row.tunables == "TILE=6") {
            EXPECT_EQ(row.status, Status::invalid_config);
            EXPECT_NE(row.status_reason.find("no tile of 6"), std::string::npos) << row.status_reason;
        } else {
            EXPECT_EQ(row.status, Status::passed) << row.status_reason;
            EXPECT_TRUE(has_counts(row)) << row.status_reason;
        }
    }
    const auto& plots = sweep().plots();
    ASSERT_FALSE(plots.empty());
    ASSERT_FALSE(plots[0].plot.rejected.empty()) << "what does not compile is a cross";
    EXPECT_DOUBLE_EQ(plots[0].plot.rejected[0].x, 6);
    EXPECT_EQ(read_csv(folder_ / "rows.csv").records.size(), 4U);
    app_.keep_image("sweep-own");

    // Another text: what the file has is of the one before.
    std::string text = convolution;
    text.replace(text.find("no tile of 6"), 12, "none of six!");
    std::ofstream(folder_ / "mine.cu", std::ios::binary) << text;
    std::filesystem::last_write_time(folder_ / "mine.cu", std::filesystem::file_time_type::clock::now());
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // a run's id has whole seconds
    app_.frames(2);
    run();
    ASSERT_EQ(rows().size(), 4U);
    EXPECT_EQ(read_csv(folder_ / "rows.csv").records.size(), 8U);
    EXPECT_TRUE(std::ranges::any_of(
        rows(), [](const Record& row) { return row.status_reason.find("none of six!") != std::string::npos; }));
}

TEST_F(SweepOfOwnKernel, bank_conflicts_follow_a_constant) {
    open(convolution);
    app_.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::define, "WIDE", "32,33"}};
    app_.frames(2);
    run();
    ASSERT_EQ(rows().size(), 2U);
    EXPECT_GT(*count_of(rows()[0], RunCount::bank_conflicts), 0);
    EXPECT_EQ(*count_of(rows()[1], RunCount::bank_conflicts), 0) << "a row of 33 words";
}

TEST_F(SweepOfOwnKernel, says_why_it_cannot_be_swept_over) {
    open(convolution);
    choose_device(app_.session(), app_.registry(), "cpu");
    app_.session().sweep.methods = std::vector<std::string>{"own/conv"};
    app_.frames(3);
    EXPECT_NE(sweep().rejection().find("not on a CPU"), std::string::npos) << sweep().rejection();
    choose_device(app_.session(), app_.registry(), "sim");
    write("__global__ void add(float* a) { a[0] = 1; }\n");
    app_.session().sweep.methods = std::vector<std::string>{"own/conv"};
    app_.frames(3);
    EXPECT_NE(sweep().rejection().find("add computes no layer"), std::string::npos) << sweep().rejection();
}

}  // namespace
}  // namespace convscope::app
