// A sweep in the window, on a GPU: measured in a process of its own while the window draws, stopped and taken up again.
// A method that ruins its context is tested without a window (commands_isolation_test.cpp): a driver may lose OpenGL on
// the whole GPU over it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "kernels/layers/preset.h"
#include "kernels/measure/isolated/measure_server.h"
#include "kernels/measure/isolated/measuring_process.h"
#include "kernels/records/csv_file.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/gpu/gpu_fixture.h"

namespace convscope::app {
namespace {

class AppSweepOnAGpu : public testing::GpuTest {
protected:
    static void open(Driver& app, const std::filesystem::path& csv) {
        set_workload(app.session(), find_preset("vgg19/conv5_1").spec);
        app.press(Key::four);
        Session& session = app.session();
        choose_device(session, app.registry(), "cuda:0");
        session.sweep.timeout_s = 0.1;
        session.sweep.methods = {"ecr3", "im2col"};
        session.sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", "0.2,0.4,0.6,0.8"}};
        session.sweep.csv_path = csv.string();
        app.frames(2);
        ASSERT_EQ(app.shell().sweep().rejection(), "");
    }
    static std::size_t rows(Driver& app) { return app.shell().sweep().results().rows().size(); }
    static bool ended(Driver& app) {
        return app.wait([&] { return !app.shell().sweep().measures(); });
    }
};

TEST_F(AppSweepOnAGpu, goes_on_where_it_was_stopped) {
    const TempFolder folder;
    const auto csv = folder / "rows.csv";
    {
        Driver app;
        open(app, csv);
        app.press(Key::space);
        ASSERT_TRUE(app.wait([&] { return rows(app) >= 3; }));
        app.press(Key::space);
        ASSERT_TRUE(ended(app));
        EXPECT_LT(read_csv(csv).records.size(), 8U);
    }
    Driver app;
    open(app, csv);
    app.press(Key::space);
    ASSERT_TRUE(ended(app));
    EXPECT_EQ(rows(app), 8U);
    std::set<std::pair<std::string, double>> measured;
    for (const Record& row : read_csv(csv).records)
        if (row.status == Status::passed) measured.emplace(row.method, row.sparsity_target);
    EXPECT_EQ(measured.size(), 8U);
    app.press(Key::one);
    app.frames(5);
    EXPECT_EQ(app.session().choices.device, "cuda:0");
    EXPECT_TRUE(app.shell().layouts().path().starts_with("interop")) << app.shell().layouts().path();
}

TEST_F(AppSweepOnAGpu, times_the_kernel_that_is_open) {
    const TempFolder folder;
    std::ofstream(folder / "conv.cu") << R"(constexpr int TILE = 8;
// convscope: grid = (ceil(q/TILE), ceil(p/TILE), k), block = (TILE, TILE)
__global__ void conv(const float* x, const float* w, float* y, int c, int h, int width, int p, int q) {
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    if (row >= p || column >= q) return;
    float sum = 0;
    for (int i = 0; i < 9 * c; ++i) {
        int a = row + i / 3 % 3 - 1, b = column + i % 3 - 1;
        if (a >= 0 && b >= 0 && a < h && b < width)
            sum += x[(i / 9 * h + a) * width + b] * w[blockIdx.z * c * 9 + i];
    }
    y[(blockIdx.z * p + row) * q + column] = sum;
}
)";
    Driver app;
    open(app, folder / "rows.csv");
    Session& session = app.session();
    open_kernel_file(session, (folder / "conv.cu").string());
    session.sweep.methods.reset();
    session.sweep.axes = std::vector<SweepAxis>{{SweepKind::define, "TILE", "8,16,64"}};
    app.frames(2);
    ASSERT_EQ(app.shell().sweep().rejection(), "");
    app.press(Key::space);
    ASSERT_TRUE(ended(app));
    app.frames(2);
    const std::vector<Record>& measured = app.shell().sweep().results().rows();
    ASSERT_EQ(measured.size(), 4U) << "cuDNN's is one row: it knows no TILE";
    for (const Record& row : measured)
        EXPECT_EQ(row.status, row.tunables == "TILE=64" ? Status::invalid_config : Status::passed)
            << row.method << ": " << row.status_reason;
    EXPECT_EQ(measured[0].method, "own/conv");
    EXPECT_GT(measured[0].time_median_us.value_or(0), 0);
    EXPECT_GT(measured[0].speedup_vs_vendor.value_or(0), 0);
}

}  // namespace
}  // namespace convscope::app

int main(int count, char** words) {
    if (count == 2 && words[1] == std::string("measure-worker"))
        convscope::serve_measurements(*convscope::make_registry(), convscope::MeasuringProcess::socket_number);
    ::testing::InitGoogleTest(&count, words);
    return RUN_ALL_TESTS();
}
