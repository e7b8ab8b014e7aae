// When the Kernel view compiles and runs a file, and what it shows until that is done, by real events.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/app/ui/kernel_view/kernel_gui.h"

namespace convscope::app {
namespace {

TEST_F(KernelGui, checks_a_kernel_whenever_it_is_saved) {
    open(add_kernel);
    EXPECT_EQ(app_.session().view, ViewId("kernel"));
    EXPECT_EQ(verdict(), "");
    EXPECT_TRUE(app_.has("view/Kernel")) << "it is in the toolbar while a kernel is open";
    EXPECT_EQ(check()->lines().at(4).lanes > 0, true);

    std::string wrong = add_kernel;
    wrong.replace(wrong.find("i < n"), 5, "i <=n");
    write(wrong);
    ASSERT_TRUE(app_.wait([this] { return check()->result && !check()->result->findings.empty(); }));
    app_.frames(2);
    app_.click("kernel/finding 1");
    const ptx::ThreadLocation found = check()->result->findings[0].found;
    EXPECT_EQ(check()->line_of(found.at), 4U);
    EXPECT_EQ(app_.session().kernel.block, found.block);
    EXPECT_EQ(app_.session().kernel.warp, found.thread.x / 32);
    EXPECT_TRUE(app_.wait([&] {
        const auto& steps = app_.shell().kernel().steps();
        const std::size_t at = app_.session().kernel.step;
        return at < steps.size() && steps[at].line == 4U;
    })) << "the steps are the thread's, at the line";

    write("__global__ void add(float* a) {\n    a[0] = nothing;\n}\n");
    ASSERT_TRUE(app_.wait([this] { return !check()->problems.empty(); }));
    EXPECT_EQ(check()->problems.front().line, 2U);
    EXPECT_NE(check()->problems.front().sentence.find("nothing"), std::string::npos);
    app_.frames(2);
    EXPECT_TRUE(app_.has("kernel/line 2"));

    std::filesystem::remove(folder_ / "mine.cu");
    ASSERT_TRUE(app_.wait([this] { return check()->source.empty(); }));
    write(add_kernel);
    ASSERT_TRUE(app_.wait([this] { return check()->result.has_value(); }));
    EXPECT_EQ(verdict(), "");
}

TEST_F(KernelGui, an_error_leaves_the_panels_where_they_are) {
    open(add_kernel);
    app_.frames(3);
    const auto places = [this] {
        std::vector<float> edges;
        for (const char* name : {"kernel/splitter", "kernel/argument n", "kernel/scrub"}) {
            EXPECT_TRUE(app_.has(name)) << name;
            if (!app_.has(name)) continue;
            edges.push_back(app_.item(name).min.x);
            edges.push_back(app_.item(name).min.y);
        }
        return edges;
    };
    const std::vector<float> before = places();
    std::string broken = add_kernel;
    broken.replace(broken.find("b[i];"), 5, "b[i]");
    write(broken);
    ASSERT_TRUE(app_.wait([this] { return !check()->problems.empty(); }));
    app_.frames(3);
    EXPECT_EQ(places(), before);
    EXPECT_TRUE(app_.shell().kernel().run_outdated()) << "and are dimmed";
    app_.keep_image("kernel-error");
    write(add_kernel);
    ASSERT_TRUE(app_.wait([this] { return check()->result.has_value(); }));
    app_.frames(3);
    EXPECT_EQ(places(), before);
    EXPECT_FALSE(app_.shell().kernel().run_outdated());
}

TEST_F(KernelGui, survives_kernels_that_do_not_end_print_without_end_or_want_too_much) {
    open(
        "// convscope: grid = 1, block = 32, x = zeros(32)\n"
        "__global__ void loop(volatile int* x) {\n    while (x[0] == 0) {\n    }\n}\n");
    EXPECT_EQ(verdict(), "does not end");
    ASSERT_EQ(check()->result->findings.size(), 1U);
    EXPECT_EQ(check()->line_of(check()->result->findings[0].found.at), 3U);

    write(
        "#include <cstdio>\n// convscope: grid = 100, block = 256\n"
        "__global__ void talk() {\n    for (int i = 0; i < 50; ++i) printf(\"%d\\n\", i);\n}\n");
    ASSERT_TRUE(app_.wait([this] { return check()->result && !check()->result->printed.empty(); }));
    EXPECT_LT(check()->result->printed.size(), 100'000U);

    write("// convscope: grid = 1, block = 1, x = out(2500000000000)\n__global__ void huge(float* x) { x[0] = 1; }\n");
    ASSERT_TRUE(app_.wait([this] { return check()->prepared && !check()->result; }));
    ASSERT_TRUE(check()->prepared->arguments.rejected());
    EXPECT_NE(check()->prepared->arguments.rejected()->reason.find("memory"), std::string::npos);

    write(std::string(2'000'000, 'x'));
    ASSERT_TRUE(app_.wait([this] { return !check()->problems.empty(); }));
    write(std::string("\0\xff\x01 no source", 13));
    ASSERT_TRUE(ready());
    app_.frames(3);
}

TEST_F(KernelGui, dims_what_is_of_the_run_before_until_there_is_a_newer_one) {
    open(add_kernel);
    const auto contrast = [&](const std::string& name) {
        const ItemRect item = app_.item(name);
        const gl::Image picture = app_.picture();
        int least = 255, most = 0;
        for (int y = static_cast<int>(item.min.y); y < static_cast<int>(item.max.y); ++y)
            for (int x = static_cast<int>(item.min.x); x < static_cast<int>(item.max.x); ++x) {
                least = std::min<int>(least, picture.at(x, y).g);
                most = std::max<int>(most, picture.at(x, y).g);
            }
        return most - least;
    };
    EXPECT_FALSE(app_.shell().kernel().outdated());
    const int lanes = contrast("kernel/lanes"), instruction = contrast("kernel/instruction 1");
    write(
        "// convscope: grid = 100000, block = 256, x = zeros(32)\n"
        "__global__ void slow(volatile int* x) {\n"
        "    for (int i = 0; i < 10000; ++i) if (x[0]) return;\n}\n");
    ASSERT_TRUE(app_.wait([this] { return app_.shell().kernel().outdated(); }));
    app_.frames(1);
    app_.keep_image("kernel-outdated");
    EXPECT_LT(contrast("kernel/lanes"), lanes / 2);
    EXPECT_LT(contrast("kernel/instruction 1"), instruction / 2);
    app_.press(Key::space);
    ASSERT_TRUE(app_.wait([this] { return !app_.shell().kernel().busy(app_.session()); }));
    app_.frames(2);
    EXPECT_TRUE(app_.shell().kernel().outdated()) << "stopped: there is no newer one";
    write(add_kernel);
    ASSERT_TRUE(
        app_.wait([this] { return !app_.shell().kernel().outdated() && !app_.shell().kernel().busy(app_.session()); }));
    app_.frames(1);
    EXPECT_EQ(contrast("kernel/lanes"), lanes);
}

TEST_F(KernelGui, is_stopped_by_space_and_begun_again) {
    app_.shell().open(
        write("// convscope: grid = 100000, block = 256, x = zeros(32)\n"
              "__global__ void slow(volatile int* x) {\n"
              "    for (int i = 0; i < 10000; ++i) if (x[0]) return;\n}\n"));
    app_.frames(3);
    ASSERT_TRUE(app_.wait([this] { return app_.shell().kernel().busy(app_.session()); }));
    app_.press(Key::space);
    app_.frames(3);
    ASSERT_TRUE(app_.wait([this] { return !app_.shell().kernel().busy(app_.session()); })) << "it ends soon";
    write(add_kernel);
    ASSERT_TRUE(app_.wait([this] { return check() && check()->result && check()->verdict.empty(); }));
}

TEST_F(KernelGui, runs_nothing_of_a_file_that_is_closed) {
    const std::filesystem::path slow = write(
        "// convscope: grid = 100000, block = 256, x = zeros(32)\n"
        "__global__ void slow(volatile int* x) {\n"
        "    for (int i = 0; i < 10000; ++i) if (x[0]) return;\n}\n");
    const auto busy = [this] { return app_.shell().kernel().busy(app_.session()); };
    const auto close = [this](bool in_another_view) {
        if (in_another_view) app_.press(Key::one);
        app_.press(Key::n, true);
    };
    for (const bool in_another_view : {false, true}) {
        app_.shell().open(slow);
        app_.frames(3);
        ASSERT_TRUE(app_.wait(busy));
        close(in_another_view);
        ASSERT_TRUE(app_.session().kernel.file.empty());
        EXPECT_TRUE(app_.wait([&] { return !busy(); })) << "it ends soon";
    }
    app_.press(Key::seven);
    app_.press(Key::space);
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_NE(app_.session().notices.back().text.find("No kernel is open"), std::string::npos);
}

}  // namespace
}  // namespace convscope::app
