// Time per frame of every view and of a plot of samples at 1600 x 1000, for the paper's example and for large maps; and
// the time from a click on a block to its trace.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>

#include "tests/support/paper_examples.h"
#include "tests/support/random_shapes.h"
#include "tests/visualizers/offscreen_ui.h"
#include "tests/visualizers/step/traced.h"
#include "visualizers/layouts/layout_views.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/step/source_view.h"
#include "visualizers/step/step_arrays.h"
#include "visualizers/step/warp_strip.h"

namespace convscope {
namespace {

Workload map_of(std::int64_t size) {
    if (size == 5) return testing::example_workload("pecr_figures_7_8");
    ConvShape shape;
    shape.h = shape.w = size;
    shape.r = shape.s = 3;
    shape.pad_h = shape.pad_w = 1;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    return testing::random_workload(shape, 0.8, 7);
}

struct Stage {
    OffscreenUi ui{1600, 1000};
    std::unique_ptr<LayoutBuilder> host = make_host_layout_builder();
    LayoutScene scene{CudaGl::none("")}, second{CudaGl::none("")};
    LayoutViews views;
    LayoutViewState state;

    void build(LayoutScene& into, Format format, const Workload& work) {
        into.rebuild(format, work.spec.shape, work.x.data.data(), work.w.data.data(), *host, *host);
    }
    template <class View>
    void run(benchmark::State& loop, View view) {
        state.pinned = ElementRef{ArrayId::x, {1, 3}};
        const auto frame = [&] {
            ui.draw([&] {
                views.begin_frame();
                view();
            });
        };
        frame();
        for (auto _ : loop) frame();
        loop.counters["fps"] = benchmark::Counter(static_cast<double>(loop.iterations()), benchmark::Counter::kIsRate);
    }
};

void ecr(benchmark::State& loop) {
    Stage stage;
    stage.build(stage.scene, Format::ecr, map_of(loop.range(0)));
    stage.run(loop, [&] { stage.views.ecr(stage.scene, stage.state, {}, stage.ui.style()); });
}

void pecr(benchmark::State& loop) {
    Stage stage;
    stage.build(stage.scene, Format::pecr, map_of(loop.range(0)));
    stage.run(loop, [&] { stage.views.pecr(stage.scene, stage.state, {}, stage.ui.style()); });
}

void mec(benchmark::State& loop) {
    Stage stage;
    stage.build(stage.scene, Format::mec, map_of(loop.range(0)));
    stage.build(stage.second, Format::im2col, map_of(loop.range(0)));
    stage.run(loop, [&] { stage.views.mec(stage.scene, stage.second, stage.state, stage.ui.style()); });
}

void timing(benchmark::State& loop) {
    Stage stage;
    Plot plot;
    plot.y = {"time", "us", false, true};
    plot.strips = true;
    for (int method = 0; method < 4; ++method) {
        PlotSeries series;
        series.name = "method" + std::to_string(method);
        series.color = method;
        series.vendor = method == 3;
        const double time = 5.0 + method, strip = method;
        plot.x.names.push_back(series.name);
        series.x = {strip - 0.4, strip + 0.4}, series.y = {time, time};
        series.low = {time - 0.1, time - 0.1}, series.high = {time + 0.1, time + 0.1};
        series.marks = PlotSeries::Marks::level;
        plot.series.push_back(series);
        series.marks = PlotSeries::Marks::samples;
        series.x.clear(), series.y.clear();
        for (int i = 0; i < loop.range(0); ++i) {
            series.x.push_back(strip - 0.4 + 0.8 * static_cast<double>(i) / static_cast<double>(loop.range(0)));
            series.y.push_back(time + 0.1 * std::sin(i * 0.7));
        }
        plot.series.push_back(std::move(series));
    }
    PlotState state;
    stage.run(loop, [&] { show_plot("plot", plot, state, stage.ui.style()); });
}

/// One map without pooling, as ecr1 takes it.
WorkloadSpec single_map(std::int64_t size) {
    WorkloadSpec spec;
    spec.shape.h = spec.shape.w = size;
    spec.shape.r = spec.shape.s = 3;
    spec.sparsity = 0.8;
    return spec;
}

/// From a click on a block to a trace that can be stepped through.
void trace_ecr1(benchmark::State& loop) {
    const WorkloadSpec spec = single_map(loop.range(0));
    for (auto _ : loop) benchmark::DoNotOptimize(testing::traced(spec, "ecr1").size());
}

/// Every frame takes a step.
void step_ecr1(benchmark::State& loop) {
    Stage stage;
    TracedBlock block = testing::traced(single_map(loop.range(0)), "ecr1");
    GridRenderer renderer;
    StepArrays arrays(renderer);
    SourceView source;
    const simt::KernelPlace kernel = simt::place_of_kernel("ecr1");
    source.show(kernel.source->text);
    std::size_t done = 0;
    stage.run(loop, [&] {
        renderer.begin_frame();
        done = done % block.size() + 1;
        const StepPoint point{done, 1};
        SourceMarks marks;
        marks.current = block.code(block.replay().at(done - 1).source).kernel_line;
        marks.counts = block.line_counts(done);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        source.draw("source", {700, 780}, marks, stage.ui.style());
        arrays.draw({at.x + 720, at.y}, {840, 780}, {block, 1, point, true}, stage.ui.style());
        draw_lane_strip({at.x, at.y + 800}, 1560, block, point, stage.ui.style());
        draw_request_strip({at.x, at.y + 860}, 1560, 3, block, point, stage.ui.style());
    });
}

BENCHMARK(ecr)
    ->Arg(5)
    ->Arg(14)
    ->Arg(56)
    ->Arg(224)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(pecr)
    ->Arg(5)
    ->Arg(14)
    ->Arg(56)
    ->Arg(224)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(mec)
    ->Arg(5)
    ->Arg(14)
    ->Arg(56)
    ->Arg(224)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(trace_ecr1)->Arg(14)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(step_ecr1)->Arg(5)->Arg(14)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(timing)->Arg(200)->Arg(4096)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace convscope

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    std::printf("drawn by %s\n", convscope::gl::EglContext::create()->describe().c_str());
    benchmark::RunSpecifiedBenchmarks();
}
