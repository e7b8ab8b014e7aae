// How long a frame of each view takes, at a size of window: percentiles over frames in which something moves. The
// layouts of one map and of a whole layer (VGG-19 conv1_2, batch 32: a lowered matrix of more than 10^8 elements) are
// shown still, pointed at, panned and zoomed, and while they arrive; the other views with the pointer over them. And
// what it costs to bring a layout and a whole layer to the screen by CUDA-GL interop and by the host.
//   view_frames [--width W] [--height H] [--scale S] [--frames N] [--images N] [--layer ARRAY...] [--markdown FILE]
//               [--csv FILE]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <thread>

#include "app/tour/headless.h"
#include "app/ui/shell/shell.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/preset.h"
#include "tests/benchmarks/frame_table.h"
#include "tests/benchmarks/view_paths.h"

namespace convscope::app {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    int width = 1600, height = 1000, frames = 200;
    double scale = 1;
    std::int64_t images = 32;
    std::vector<std::string> layer;  ///< arrays; all views where empty
    std::string markdown, csv;
};

class Bench {
public:
    explicit Bench(const Options& options)
        : options_(options),
          registry_(make_registry()),
          headless_(options.width, options.height, static_cast<float>(options.scale)),
          shell_(*registry_, [] {}) {
        const ScopedItemRegistry registering(item_registry_);
        for (int i = 0; i < 10; ++i) frame();
    }

    Shell& shell() { return shell_; }
    Headless& headless() { return headless_; }
    const Registry& registry() const { return *registry_; }
    std::vector<FrameRow>& rows() { return rows_; }

    double frame() {
        const ScopedItemRegistry registering(item_registry_);
        const Clock::time_point start = Clock::now();
        headless_.frame([&] {
            shell_.frame(headless_.fonts(), static_cast<float>(options_.scale), 0);
            return shell_.background();
        });
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    }

    bool settle(double seconds = 120) {
        const auto end = Clock::now() + std::chrono::duration<double>(seconds);
        int still = 0;
        while (still < 3) {
            frame();
            still = shell_.busy() ? 0 : still + 1;
            if (Clock::now() > end) return false;
        }
        return true;
    }

    /// 'each' feeds the events of frame i; 't' runs from 0 to 1.
    void measure(const std::string& view, const std::string& what, const std::function<void(double t)>& each,
                 int frames = 0) {
        FrameRow row{view, what, {}, 0, elements(), 0};
        if (frames == 0) frames = options_.frames;
        const std::clock_t begin = std::clock();
        for (int i = 0; i < frames; ++i) {
            each(static_cast<double>(i) / frames);
            row.ms.push_back(frame());
            row.host_bytes += shell_.layouts().frame_bytes();
        }
        row.cpu_ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / frames;
        fmt::print("{:<34} {:<12} p50 {:6.1f}  p95 {:6.1f}  p99 {:6.1f}  max {:6.1f} ms\n", view, what,
                   percentile(row.ms, 0.5), percentile(row.ms, 0.95), percentile(row.ms, 0.99), percentile(row.ms, 1));
        std::fflush(stdout);
        rows_.push_back(std::move(row));
    }

    /// Over the middle of the window, to and fro.
    void pointing(double t) {
        const auto w = static_cast<float>(options_.width), h = static_cast<float>(options_.height);
        const auto turn = static_cast<float>(t * 2 * 3.14159265);
        headless_.move_to({w * (0.48F + 0.2F * std::sin(3 * turn)), h * (0.38F + 0.2F * std::cos(2 * turn))});
    }

    std::int64_t elements() {
        const Session& session = shell_.session();
        if (session.view != ViewId("layout") || !session.layer.whole) return 0;
        const LayerScene* scene = shell_.layouts().layer().scene();
        return scene ? scene->rows() * scene->cols() : 0;
    }

    bool has(const std::string& name) const { return item_registry_.items().contains(name); }
    ItemRect item(const std::string& name) const { return item_registry_.items().at(name); }

private:
    const Options& options_;
    std::unique_ptr<Registry> registry_;
    Headless headless_;
    Shell shell_;
    ItemRegistry item_registry_;
    std::vector<FrameRow> rows_;
};

void one_map(Bench& bench, const std::string& name, TabId tab, const WorkloadSpec& spec) {
    Session& session = bench.shell().session();
    session.view = "layout";
    session.layer.whole = false;
    session.tab = tab;
    set_workload(session, spec);
    bench.settle();
    bench.measure(name, "pointing", [&](double t) { bench.pointing(t); });
}

/// Still, then zoomed from all of it to one element and back, then panned at each scale.
void whole_layer(Bench& bench, TabId tab, LayerArray array) {
    Session& session = bench.shell().session();
    session.view = "layout";
    session.layer.whole = true;
    session.tab = tab;
    session.layer.array[tab.index()] = array;
    bench.frame();
    bench.frame();
    const LayerPanel& panel = bench.shell().layouts().layer();
    if (!panel.scene()) {
        fmt::print("there is no picture of {}: not enough memory?\n", to_string(array));
        return;
    }
    const std::string name = fmt::format("{}, whole layer", to_string(panel.scene()->spec().array));
    // The pieces that arrive: prepared on another thread, written and aggregated a little in each frame.
    std::vector<double> arriving;
    const Clock::time_point begin = Clock::now();
    while (panel.scene() && !panel.scene()->complete()) arriving.push_back(bench.frame());
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (!arriving.empty()) {
        FrameRow row{name,
                     fmt::format("arriving, {:.1f} s", seconds),
                     std::move(arriving),
                     0,
                     bench.elements(),
                     panel.scene()->host_bytes()};
        bench.rows().push_back(std::move(row));
    }
    bench.settle();
    const ImVec2 middle = bench.item("layer/cells").centre();
    for (const Aggregate aggregate : {Aggregate::share, Aggregate::largest, Aggregate::mean}) {
        session.layer.aggregate = aggregate;
        bench.measure(
            name, fmt::format("all, {}", to_string(aggregate)), [&](double t) { bench.pointing(t); }, 60);
    }
    bench.headless().move_to(middle);
    int wheeled = 0;
    bench.measure(name, "zooming", [&](double t) {
        // In for the first half of the frames, out for the second.
        const double notches = 44 * (1 - std::abs(2 * t - 1));
        const int step = static_cast<int>(notches) - wheeled;
        wheeled += step;
        if (step != 0) bench.headless().wheel(static_cast<float>(step));
    });
    for (const LayerMove scale : {LayerMove::one_to_one, LayerMove::closer}) {
        session.requested.layer = LayerMove::one_to_one;
        bench.settle();
        for (int i = 0; scale == LayerMove::closer && i < 5; ++i) {
            session.requested.layer = scale;
            bench.frame();
        }
        bench.settle();
        bench.headless().move_to(middle);
        bench.frame();
        bench.headless().button(true);
        bench.measure(name, scale == LayerMove::closer ? "panning, values" : "panning, 1:1", [&](double t) {
            const auto turn = static_cast<float>(t * 2 * 3.14159265);
            bench.headless().move_to({middle.x + 150 * std::sin(3 * turn), middle.y + 150 * std::sin(2 * turn)});
        });
        bench.headless().button(false);
        bench.frame();
    }
    session.requested.layer = LayerMove::fit;
    bench.settle();
}

/// The matrix of one image and its arrays in a format, while they are built and copied, then pointed at and zoomed.
void whole_format(Bench& bench, const char* format, const char* title) {
    Session& session = bench.shell().session();
    session.view = "layout";
    session.layer.whole = false;
    session.tab = "formats";
    session.pages.formats = {MatrixOf::im2col, format, {}, true};
    const std::string name = fmt::format("{}, whole matrix", title);
    std::vector<double> arriving;
    const Clock::time_point begin = Clock::now();
    // The matrix is there before the format, and both are copied a little in each frame.
    while (!bench.has("whole/1/0") || bench.shell().busy()) {
        arriving.push_back(bench.frame());
        if (Clock::now() - begin > std::chrono::minutes(10)) throw Error(ErrorKind::failed, name + " did not arrive");
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const MatrixSize size = matrix_size(MatrixOf::im2col, session.good.shape, true);
    const std::int64_t elements = size.rows * size.cols;
    bench.rows().push_back({name, fmt::format("arriving, {:.1f} s", seconds), std::move(arriving), 0, elements, 0});
    bench.measure(
        name, "all", [&](double t) { bench.pointing(t); }, 60);
    bench.rows().back().elements = elements;
    for (const char* array : {"whole/0/0", "whole/1/0"}) {
        bench.headless().move_to(bench.item(array).centre());
        int wheeled = 0;
        bench.measure(name, fmt::format("zooming, {}", array[6] == '0' ? "dense" : "its first array"), [&](double t) {
            const double notches = 60 * (1 - std::abs(2 * t - 1));
            const int step = static_cast<int>(notches) - wheeled;
            wheeled += step;
            if (step != 0) bench.headless().wheel(static_cast<float>(step));
        });
        bench.rows().back().elements = elements;
    }
    session.pages.formats = {};
    bench.frame();
}

void other_view(Bench& bench, ViewId view, const char* name) {
    bench.shell().session().view = view;
    bench.settle(20);
    bench.measure(name, "pointing", [&](double t) { bench.pointing(t); });
}

void write(const std::string& path, const std::string& text) {
    if (path.empty()) return;
    std::ofstream file(path);
    if (!(file << text)) throw Error(ErrorKind::file, fmt::format("'{}' cannot be written", path));
}

int run(const Options& options) {
    Bench bench(options);
    std::string load;
    std::getline(std::ifstream("/proc/loadavg"), load);
    const std::string where = bench.headless().describe();
    fmt::print("{}x{} at scale {}, drawn by {}, {} cores, load {}\n", options.width, options.height, options.scale,
               where, std::thread::hardware_concurrency(), load);
    const bool everything = options.layer.empty();
    if (everything) {
        compare_paths(bench.registry(), options.images);
        bench.measure("first screen", "still", [](double) {});
        one_map(bench, "ECR, one map of 224 x 224", TabId("ecr"), map_of(224));
        one_map(bench, "PECR, one map of 224 x 224", TabId("pecr"), map_of(224));
        one_map(bench, "MEC and im2col, one map of 224 x 224", TabId("lowering"), map_of(224));
    }
    set_workload(bench.shell().session(), large_layer(options.images));
    bench.settle();
    for (const auto& [tab, array] :
         {std::pair{TabId("lowering"), LayerArray::im2col}, std::pair{TabId("lowering"), LayerArray::L},
          std::pair{TabId("ecr"), LayerArray::F_data}, std::pair{TabId("pecr"), LayerArray::Data}})
        if (everything || std::ranges::count(options.layer, to_string(array)) > 0) whole_layer(bench, tab, array);
    if (everything || std::ranges::count(options.layer, "formats") > 0) {
        // 64 x 448 x 448 and 3x3 filters: the lowered matrix of one image has more than 10^8 elements.
        WorkloadSpec layer = large_layer(1);
        layer.shape.h = layer.shape.w = 448;
        set_workload(bench.shell().session(), layer);
        bench.settle();
        whole_format(bench, "csr", "CSR");
        whole_format(bench, "bitmap", "Bitmap");
    }
    if (everything) {
        bench.shell().session().layer.whole = false;
        set_workload(bench.shell().session(), find_preset("examples/xu-fig4").spec);
        other_view(bench, ViewId("step"), "Step, Xu's Fig. 4");
        bench.shell().compare().open_recorded("xu2022-layers");
        other_view(bench, ViewId("compare"), "Compare, Xu's layers");
        bench.shell().sweep().show_recorded(bench.shell().session(), "blocks-ecr3");
        other_view(bench, ViewId("sweep"), "Sweep, recorded blocks");
        other_view(bench, ViewId("network"), "Network");
    }
    const std::string table = as_markdown(bench.rows());
    fmt::print("\n{}", table);
    write(options.markdown, table);
    write(options.csv, as_csv(bench.rows(), options.width, options.height, options.scale, where));
    return 0;
}

}  // namespace
}  // namespace convscope::app

int main(int argc, char** argv) {
    convscope::app::Options options;
    CLI::App cli("Frame times of every view, in percentiles");
    cli.add_option("--width", options.width, "pixels")->check(CLI::Range(200, 16384));
    cli.add_option("--height", options.height, "pixels")->check(CLI::Range(200, 16384));
    cli.add_option("--scale", options.scale, "of the interface")->check(CLI::Range(0.5, 4.0));
    cli.add_option("--frames", options.frames, "of each kind")->check(CLI::Range(10, 100000));
    cli.add_option("--images", options.images, "batch of the large layer")->check(CLI::Range(1, 1024));
    cli.add_option("--layer", options.layer, "only these arrays of the whole layer, or \"formats\"")
        ->check(CLI::IsMember({"im2col", "L", "F_data", "Data", "formats"}));
    cli.add_option("--markdown", options.markdown, "file for the table");
    cli.add_option("--csv", options.csv, "file for the figures");
    CLI11_PARSE(cli, argc, argv);
    try {
        return convscope::app::run(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "view_frames: {}\n", error.what());
        return 5;
    }
}
