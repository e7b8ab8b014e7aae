// A user's own kernel in the window, on a GPU: a button runs it there, in a process of its own, and shows its time.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "kernels/layers/preset.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/gpu/gpu_fixture.h"

namespace convscope::app {
namespace {

class AppKernelOnAGpu : public testing::GpuTest {
protected:
    /// Opens it, and presses the button once it is checked.
    void time_it(Driver& app, const std::string& text) {
        const auto file = folder_ / "mine.cu";
        std::ofstream(file) << text;
        app.shell().open(file);
        app.frames(2);
        ASSERT_TRUE(app.wait([&] { return !app.shell().kernel().busy(app.session()); }));
        app.frames(3);
        app.click("kernel/gpu");
        ASSERT_TRUE(app.wait([&] { return app.shell().kernel().on_gpu() != nullptr; }));
        app.frames(3);
        EXPECT_EQ(app.shell().kernel().on_gpu()->failure, "");
        app.keep_image("kernel_on_gpu");
    }
    TempFolder folder_;
};

TEST_F(AppKernelOnAGpu, is_timed_alone) {
    Driver app;
    time_it(app,
            "// convscope: n = 100000, grid = ceil(n/256), block = 256, a = random(n), b = random(n), c = out(n)\n"
            "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i < n) c[i] = a[i] + b[i];\n"
            "}\n");
    ASSERT_TRUE(app.shell().kernel().on_gpu()->times.has_value());
    EXPECT_GT(app.shell().kernel().on_gpu()->times->median_us, 0);
}

TEST_F(AppKernelOnAGpu, is_timed_beside_cudnn_where_it_computes_the_layer) {
    Driver app;
    set_workload(app.session(), find_preset("xu2022/googlenet-inception4a.7").spec);
    time_it(app,
            "// convscope: grid = (ceil(q/16), ceil(p/16), n*k), block = (16, 16)\n"
            "__global__ void direct(const float* x, const float* w, float* y, int c, int h, int width, int r, int s,\n"
            "                       int p, int q, int pad, int stride) {\n"
            "    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y, k = blockIdx.z;\n"
            "    if (row >= p || column >= q) return;\n"
            "    float sum = 0;\n"
            "    for (int channel = 0; channel < c; ++channel)\n"
            "        for (int i = 0; i < r; ++i)\n"
            "            for (int j = 0; j < s; ++j) {\n"
            "                int a = row * stride + i - pad, b = column * stride + j - pad;\n"
            "                if (a >= 0 && b >= 0 && a < h && b < width)\n"
            "                    sum += x[(channel * h + a) * width + b] * w[((k * c + channel) * r + i) * s + j];\n"
            "            }\n"
            "    y[(k * p + row) * q + column] = sum;\n"
            "}\n");
    const std::vector<Record>& rows = app.shell().kernel().on_gpu()->records;
    ASSERT_GE(rows.size(), 2U) << app.shell().kernel().on_gpu()->difference;
    EXPECT_EQ(rows[0].method, "own/direct");
    EXPECT_EQ(rows[1].method, "cudnn");
    for (const Record& row : rows) EXPECT_EQ(row.status, Status::passed) << row.method << ": " << row.status_reason;

    app.click("kernel/compare");
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() != nullptr; }));
    app.frames(3);
    EXPECT_EQ(app.session().view, ViewId("compare"));
    EXPECT_EQ(app.session().records.kind, RecordSource::Kind::this_run);
    std::set<std::string> compared;
    const CompareData& rows_there = *app.shell().compare().result()->data;
    for (std::size_t row = 0; row < rows_there.table.rows(); ++row)
        compared.emplace(rows_there.text(row, compare_columns().method));
    EXPECT_TRUE(compared.contains("own/direct"));
    EXPECT_TRUE(compared.contains("cudnn"));
    app.keep_image("user_kernel_in_compare");
}

}  // namespace
}  // namespace convscope::app
