// The Kernel view, by real events: what it shows of a file, of a method, of an exercise; stepped through.
#include "app/ui/kernel_view/kernel_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "app/ui/input/focus.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/app/ui/kernel_view/kernel_gui.h"
#include "tests/support/fake_disassembler.h"

namespace convscope::app {
namespace {

TEST_F(KernelGui, says_how_to_fill_an_empty_view) {
    app_.press(Key::seven);
    ASSERT_TRUE(app_.has("kernel/open"));
    app_.click("kernel/open");
    EXPECT_TRUE(app_.shell().dialogs().open());
}

TEST_F(KernelGui, keeps_its_fields_in_place_whatever_is_missing_and_says_so_at_once_after_undo) {
    open(
        "__global__ void add(const float* a, float* c, int n) { if (threadIdx.x < n) c[threadIdx.x] = a[threadIdx.x]; "
        "}\n");
    const auto places = [this] {
        std::vector<float> tops;
        for (const char* name : {"grid", "block", "shared", "a", "c", "n"})
            tops.push_back(app_.item(std::string("kernel/argument ") + name).min.y);
        return tops;
    };
    const auto says = [this](const char* words) {
        std::string all = app_.words_on_screen();
        std::ranges::replace(all, '|', ' ');
        return all.find(words) != std::string::npos;
    };
    const std::vector<float> before = places();
    EXPECT_TRUE(says("grid, block, a, c, n are missing"));
    app_.click("kernel/argument grid");
    EXPECT_EQ(places(), before);
    EXPECT_TRUE(says("grid, block, a, c, n are missing"));
    app_.type("1");
    EXPECT_EQ(places(), before);
    app_.press(Key::enter);
    ASSERT_TRUE(ready());
    EXPECT_EQ(places(), before);
    EXPECT_TRUE(says("block, a, c, n are missing") && !says("grid, block"));
    app_.press(Key::z, true);
    EXPECT_EQ(places(), before);
    EXPECT_TRUE(says("grid, block, a, c, n are missing")) << "before it has been compiled again";
    app_.press(Key::z, true, true);
    EXPECT_FALSE(says("grid, block"));
    app_.type_into("kernel/argument block", "nothing");
    ASSERT_TRUE(ready());
    EXPECT_EQ(places(), before);
    EXPECT_TRUE(says("a, c, n are missing") && says("block: ")) << app_.words_on_screen();
    app_.keep_image("kernel-missing");
}

TEST_F(KernelGui, has_each_exercise_told_to_its_end) {
    app_.press(Key::seven);
    app_.frames(3);
    std::string all = app_.words_on_screen();
    std::ranges::replace(all, '|', ' ');
    for (const Exercise& each : all_exercises())
        if (app_.item("kernel/exercise/" + each.title).max.y < 980) {
            std::string end = each.task.substr(each.task.size() - std::min<std::size_t>(20, each.task.size()));
            EXPECT_NE(all.find(end.substr(end.find(' ') + 1)), std::string::npos) << each.task;
        }
    app_.keep_image("exercises");
}

TEST_F(KernelGui, steps_through_a_method_that_needs_another_gpu) {
    if (!compiled_methods()) GTEST_SKIP() << "this build has no convscope_ptx.so";
    WorkloadSpec spec;
    spec.shape = {.c = 64, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    set_workload(app_.session(), spec);
    app_.press(Key::seven);
    app_.frames(2);
    app_.click("kernel/method");
    app_.click("kernel/method/union1");
    app_.frames(2);
    EXPECT_FALSE(check());
    EXPECT_GT(app_.shell().kernel().source_pane().lines(), 20u) << "there to be read while it runs";
    ASSERT_TRUE(ready());
    EXPECT_EQ(app_.session().kernel.method, "union1");
    ASSERT_TRUE(check()->problems.empty()) << check()->problems.front().sentence;
    EXPECT_EQ(verdict(), "");
    EXPECT_EQ(check()->kernel().text.name, "union1_multiply");
    EXPECT_TRUE(app_.has("view/Kernel"));
    EXPECT_FALSE(app_.has("kernel/argument grid")) << "nothing is there to be typed";
    ASSERT_GT(app_.shell().kernel().steps().size(), 10u);
    app_.press(Key::right);
    app_.frames(1);
    EXPECT_EQ(app_.session().kernel.step, 1u);
    app_.click("kernel/entry");
    app_.click("kernel/entry/union1_mark");
    ASSERT_TRUE(ready());
    EXPECT_EQ(check()->kernel().text.name, "union1_mark");
    EXPECT_EQ(app_.session().kernel.step, 0u) << "another kernel begins at its beginning";
}

class SmallKernelGui : public OpenKernelTest {
protected:
    SmallKernelGui() : OpenKernelTest(800, 600) {}
};

TEST_F(SmallKernelGui, the_verdict_has_a_line_of_its_own_in_a_small_window) {
    app_.shell().open(write_later(add_kernel, std::chrono::seconds(1)));
    ASSERT_TRUE(ready());
    const ItemRect verdict = app_.item("kernel/verdict");
    EXPECT_GE(verdict.min.y, app_.item("kernel/ptx").max.y);
    EXPECT_LT(verdict.min.x, 100);
}

TEST_F(KernelGui, a_sessions_step_waits_until_its_kernel_is_compiled) {
    open_kernel_file(app_.session(), write(add_kernel).string());
    app_.session().kernel.step = 1;
    app_.session().view = "kernel";
    app_.frames(1);
    EXPECT_FALSE(check());
    EXPECT_EQ(app_.session().kernel.step, 1U);
    ASSERT_TRUE(ready());
    EXPECT_EQ(app_.session().kernel.step, 1U);
    app_.session().kernel.step = 1000;
    app_.frames(1);
    EXPECT_GT(app_.session().kernel.step, 0U);
    EXPECT_LT(app_.session().kernel.step, 1000U) << "there are not so many";
}

TEST_F(KernelGui, asks_for_what_is_missing_and_writes_it_into_the_file) {
    open("// A kernel.\n__global__ void fill(int* x, int n) {\n    if (threadIdx.x < n) x[threadIdx.x] = n;\n}\n");
    ASSERT_TRUE(check()->prepared);
    EXPECT_EQ(verdict(), "was not run");
    for (const auto& [name, text] : {std::pair{"grid", "1"}, {"block", "32"}, {"x", "out(n)"}, {"n", "20"}}) {
        app_.type_into(std::string("kernel/argument ") + name, text);
        ASSERT_TRUE(ready());
    }
    EXPECT_EQ(verdict(), "");
    ASSERT_TRUE(app_.has("kernel/write"));
    app_.click("kernel/write");
    ASSERT_TRUE(app_.wait([this] { return check()->source.find("// convscope:") != std::string::npos; }));
    EXPECT_EQ(check()->source.substr(0, check()->source.find("__global__")),
              "// A kernel.\n// convscope: grid = (1), block = (32), x = out(n), n = 20\n");
    EXPECT_TRUE(app_.session().kernel.given.empty());
    EXPECT_EQ(verdict(), "");
}

TEST_F(KernelGui, tab_goes_from_a_field_that_was_clicked_to_the_next) {
    open("__global__ void fill(int* x, int n) {\n    if (threadIdx.x < n) x[threadIdx.x] = n;\n}\n");
    app_.click("kernel/argument block");
    app_.type("32");
    app_.press(Key::tab);
    EXPECT_EQ(focus_order().name(), "kernel/argument shared");
    app_.press(Key::tab, false, true);
    EXPECT_EQ(focus_order().name(), "kernel/argument block");
    const std::vector<std::string> names = focus_order().names();
    const auto edge = [](const std::string& name) { return name.ends_with("splitter"); };
    EXPECT_TRUE(std::all_of(std::ranges::find_if(names, edge), names.end(), edge)) << "edges come last";
}

TEST_F(KernelGui, shows_both_sides_of_a_race) {
    open(
        "// convscope: grid = 1, block = 64, y = out(64)\n"
        "__global__ void turn(int* y) {\n"
        "    __shared__ int s[64];\n"
        "    s[threadIdx.x] = threadIdx.x;\n"
        "    y[threadIdx.x] = s[63 - threadIdx.x];\n"
        "}\n");
    const auto& findings = check()->result->findings;
    const auto race = std::ranges::find(findings, ptx::FindingKind::race, &ptx::Finding::kind);
    ASSERT_NE(race, findings.end());
    const std::string name = "kernel/finding " + std::to_string(race - findings.begin() + 1);
    app_.click(name);
    ASSERT_TRUE(app_.has(name + " other"));
    app_.click(name + " other");
    EXPECT_EQ(check()->line_of(race->found.at) + check()->line_of(race->other->at), 4U + 5U);
}

TEST_F(KernelGui, as_a_slide_is_led_by_its_verdict_and_keeps_the_source_and_the_lanes) {
    open(add_kernel);
    app_.press(Key::f5);
    app_.frames(5);
    for (const char* control : {"kernel/open", "kernel/count", "kernel/first"}) EXPECT_FALSE(app_.has(control));
    EXPECT_NE(app_.words_on_screen().find(".cu: nothing found|"), std::string::npos) << app_.words_on_screen();
    app_.press(Key::right);
    app_.frames(2);
    EXPECT_EQ(app_.session().kernel.step, 1U);
    app_.keep_image("kernel-slide");
    app_.press(Key::escape);
    app_.frames(4);
    EXPECT_TRUE(app_.has("kernel/first"));
}

TEST_F(KernelGui, a_slide_has_a_line_for_each_finding_and_the_step) {
    open(
        "// convscope: grid = 1, block = 64, a = out(32), b = out(16), c = out(8), y = out(64)\n"
        "__global__ void turn(int* a, int* b, int* c, int* y) {\n"
        "    __shared__ int s[64];\n"
        "    int t = threadIdx.x;\n"
        "    a[t] = t;\n"
        "    b[t] = t;\n"
        "    c[t] = t;\n"
        "    s[t] = t;\n"
        "    y[t] = s[63 - t];\n"
        "}\n");
    const std::size_t findings = check()->result->findings.size();
    ASSERT_GE(findings, 4U);
    app_.press(Key::f5);
    app_.frames(5);
    float below = app_.item("kernel/finding 1").min.y;
    for (std::size_t i = 1; i <= findings; ++i) {
        const ItemRect box = app_.item("kernel/finding " + std::to_string(i));
        EXPECT_GE(box.min.y, below - 1) << i;
        below = box.max.y;
        EXPECT_GT(box.max.x - box.min.x, 0.9F * 1600);
        EXPECT_LT(box.max.y - box.min.y, 2 * app_.scale() * 40);
    }
    EXPECT_LE(below, app_.item("kernel/lanes").min.y);
    EXPECT_NE(app_.words_on_screen().find(", step 1 of "), std::string::npos) << app_.words_on_screen();
    app_.keep_image("kernel-slide-findings");
    app_.click("kernel/finding 2");
    EXPECT_GT(app_.session().kernel.step, 0U);
}

TEST_F(KernelGui, steps_through_a_warp_line_by_line) {
    open(add_kernel);
    const auto& steps = app_.shell().kernel().steps();
    ASSERT_GT(steps.size(), 2U);
    const std::size_t last = steps.size() - 1;
    app_.press(Key::right);
    EXPECT_EQ(app_.session().kernel.step, 1U);
    app_.press(Key::left);
    EXPECT_EQ(app_.session().kernel.step, 0U);
    app_.press(Key::end);
    EXPECT_EQ(app_.session().kernel.step, last);
    app_.click("kernel/back");
    EXPECT_EQ(app_.session().kernel.step, last - 1);
    app_.click("kernel/lanes");
    EXPECT_NE(app_.session().kernel.lane, 0U);

    // The last warp of block 1 has 4 threads that have anything to do.
    app_.session().kernel.block = {1, 0, 0};
    app_.session().kernel.warp = 1;
    ASSERT_TRUE(ready());
    const ptx::WarpTrace& trace = check()->result->trace;
    const auto store = std::find_if(trace.steps.begin(), trace.steps.end(),
                                    [&](const ptx::TraceStep& step) { return trace.element(step, 0) == "c[96]"; });
    ASSERT_NE(store, trace.steps.end());
    EXPECT_EQ(store->mask, 0xFU);
    EXPECT_EQ(trace.element(*store, 3), "c[99]");
    EXPECT_EQ(trace.element(*store, 4), "");
    EXPECT_EQ(store->sectors, 1U);
}

TEST_F(KernelGui, jumps_from_barrier_to_barrier) {
    open(
        "// convscope: grid = 1, block = 64, y = out(64)\n"
        "__global__ void turn(int* y) {\n"
        "    __shared__ int s[64];\n"
        "    s[threadIdx.x] = threadIdx.x;\n"
        "    __syncthreads();\n"
        "    int other = s[63 - threadIdx.x];\n"
        "    __syncwarp();\n"
        "    y[threadIdx.x] = other;\n"
        "    __syncthreads();\n"
        "    y[threadIdx.x] += 1;\n"
        "}\n");
    const auto& steps = app_.shell().kernel().steps();
    const auto line = [&] { return steps.at(app_.session().kernel.step).line; };
    app_.press(Key::home);
    app_.press(Key::right, true);
    EXPECT_EQ(line(), 5U);
    app_.click("kernel/next barrier");
    EXPECT_EQ(line(), 9U);
    app_.press(Key::right, true);
    EXPECT_EQ(app_.session().kernel.step, steps.size() - 1) << "there is no further one";
    app_.press(Key::left, true);
    EXPECT_EQ(line(), 9U);
    app_.click("kernel/previous barrier");
    EXPECT_EQ(line(), 5U);
    app_.press(Key::left, true);
    EXPECT_EQ(app_.session().kernel.step, 0U);
}

TEST_F(KernelGui, shows_what_the_gpu_executes_or_why_it_cannot) {
    testing::put_fake_disassembler(folder_ / "", "_Z3addPKfS0_Pfi", (folder_ / "mine.cu").string());
    open(add_kernel);
    const KernelView& view = app_.shell().kernel();
    app_.click("kernel/sass");
    app_.frames(2);
    if (!ptx::why_no_sass().empty()) {
        EXPECT_FALSE(app_.session().kernel.ptx) << "ptxas is missing";
        return;
    }
    EXPECT_TRUE(app_.session().kernel.ptx);
    ASSERT_TRUE(app_.wait([&] { return !view.sass().text.empty(); }));
    app_.frames(2);
    EXPECT_NE(view.sass().text.find("EXIT"), std::string::npos);
    ASSERT_FALSE(view.sass().lines_of(4).empty());
    const ImVec2 at = view.ptx_pane().place_of(view.sass().lines_of(4).front());
    app_.point_at(ImVec2{at.x + 20, at.y + view.ptx_pane().row_height() / 2});
    app_.frames(2);
    EXPECT_EQ(view.pointed_line(), 4U);
    app_.keep_image("kernel-sass");
    app_.click("kernel/ptx");
    app_.frames(2);
    EXPECT_TRUE(app_.session().kernel.ptx) << "the one in the place of the other";
    EXPECT_FALSE(app_.session().kernel.sass);
    app_.click("kernel/sass");
    app_.click("kernel/sass");
    EXPECT_FALSE(app_.session().kernel.ptx);
    app_.press(Key::p);
    write("__global__ void add(float* a) {\n    a[0] = nothing;\n}\n");
    ASSERT_TRUE(app_.wait([this] { return !check()->problems.empty(); }));
    app_.frames(2);
}

TEST_F(KernelGui, shows_the_ptx_beside_the_source_line_by_line) {
    open(add_kernel);
    const KernelView& view = app_.shell().kernel();
    EXPECT_TRUE(view.ptx().text.empty()) << "folded away";
    app_.press(Key::p);
    app_.frames(3);
    ASSERT_FALSE(view.ptx().lines_of(4).empty());
    EXPECT_NE(view.ptx().text.find("st.global"), std::string::npos);
    const auto point_at = [&](const SourceView& pane, unsigned line) {
        const ImVec2 at = pane.place_of(line);
        app_.point_at(ImVec2{at.x + 20, at.y + pane.row_height() / 2});
        app_.frames(2);
    };
    point_at(view.source_pane(), 3);
    EXPECT_EQ(view.pointed_line(), 3U);
    app_.frames(2);
    point_at(view.ptx_pane(), view.ptx().lines_of(3).front());
    EXPECT_EQ(view.pointed_line(), 3U);
    const unsigned of_four = view.ptx().lines_of(4).front();
    point_at(view.source_pane(), 4);  // brings its PTX into sight
    point_at(view.ptx_pane(), of_four);
    EXPECT_EQ(view.pointed_line(), 4U);
    app_.click_at({view.ptx_pane().place_of(of_four).x + 20, view.ptx_pane().place_of(of_four).y + 4});
    EXPECT_EQ(view.steps().at(app_.session().kernel.step).line, 4U) << "a click goes there";
    app_.click("kernel/ptx");
    EXPECT_FALSE(app_.session().kernel.ptx);
    app_.press(Key::p);
    write("__global__ void add(float* a) {\n    a[0] = nothing;\n}\n");
    ASSERT_TRUE(app_.wait([this] { return !check()->problems.empty(); }));
    app_.frames(2);
}

TEST_F(KernelGui, checks_a_convolution_of_the_layer_against_the_reference) {
    open(
        "// convscope: grid = (p, k, n), block = q\n"
        "__global__ void conv(const float* x, const float* w, float* y, int c, int h, int width, int k, int r, int s) "
        "{\n"
        "    const int p = h - r + 1, q = width - s + 1;\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < c; ++i)\n"
        "        for (int a = 0; a < r; ++a)\n"
        "            for (int b = 0; b < s; ++b)\n"
        "                sum += x[((blockIdx.z * c + i) * h + blockIdx.x + a) * width + threadIdx.x + b] *\n"
        "                       w[((blockIdx.y * c + i) * r + a) * s + b];\n"
        "    y[((blockIdx.z * k + blockIdx.y) * p + blockIdx.x) * q + threadIdx.x] = sum;\n}\n");
    EXPECT_EQ(verdict(), "");
    ASSERT_TRUE(check()->layer);
    EXPECT_LE(check()->layer->error, check()->layer->tolerance);
    EXPECT_GT(check()->result->counts.zero_multiplications, 0) << "the layer is Xu's, more than half zeros";
}

TEST_F(KernelGui, chooses_one_of_several_kernels) {
    open(
        "// convscope: grid = 1, block = 1, x = out(1)\n__global__ void one(int* x) { x[0] = 1; }\n"
        "// convscope: grid = 1, block = 1, x = out(2)\n__global__ void two(int* x) { x[1] = 2; }\n");
    ASSERT_TRUE(app_.has("kernel/entry"));
    app_.click("kernel/entry");
    app_.click("kernel/entry/two");
    ASSERT_TRUE(ready());
    EXPECT_EQ(check()->kernel().text.name, "two");
    EXPECT_EQ(verdict(), "");
    const SessionState kept = state_of(app_.session());
    app_.session().kernel.open("");
    app_.frames(3);
    EXPECT_TRUE(app_.has("kernel/exercise/Vector add")) << "nothing is open";
    put_state(app_.session(), kept);
    ASSERT_TRUE(ready());
    EXPECT_EQ(check()->kernel().text.name, "two") << "a session holds what is open";
}

TEST_F(KernelGui, begins_an_exercise_and_sees_it_solved) {
    setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
    app_.press(Key::seven);
    app_.click("kernel/exercise/Vector add");
    ASSERT_TRUE(ready());
    ASSERT_TRUE(check()->exercise);
    EXPECT_NE(check()->unsolved.find("c[0] is not written yet"), std::string::npos) << check()->unsolved;
    EXPECT_TRUE(app_.has("kernel/hint"));
    const std::filesystem::path file = app_.session().kernel.file;
    EXPECT_EQ(file, folder_ / "data" / "convscope" / "exercises" / "01-vector-add.cu");
    std::string source = check()->source;
    source.insert(source.rfind('}'),
                  "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) c[i] = a[i] + b[i];\n");
    std::ofstream(file, std::ios::binary) << source;
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
    ASSERT_TRUE(app_.wait([this] { return check()->result && check()->unsolved.empty(); }));
    EXPECT_EQ(verdict(), "");
    app_.frames(2);
    EXPECT_TRUE(app_.session().desktop_state.preferences.solved.contains("01-vector-add"));
    app_.click("kernel/exercise");
    EXPECT_TRUE(app_.has("kernel/exercise/Vector add"));
    EXPECT_NE(app_.words_on_screen().find("solved"), std::string::npos);
    app_.type("bank conflicts");
    app_.frames(2);
    EXPECT_FALSE(app_.has("kernel/exercise/Vector add"));
    EXPECT_TRUE(app_.has("kernel/exercise/Transpose without bank conflicts"));
    app_.press(Key::escape);  // the field
    app_.press(Key::escape);
    app_.click("kernel/next exercise");
    EXPECT_EQ(app_.session().kernel.file, file.parent_path() / "02-transpose.cu");
    unsetenv("XDG_DATA_HOME");
}

}  // namespace
}  // namespace convscope::app
