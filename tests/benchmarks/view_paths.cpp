#include "tests/benchmarks/view_paths.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/ui/layout_view/layer_builder.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/preset.h"
#include "tests/benchmarks/frame_table.h"
#include "visualizers/layouts/layout_scene.h"

namespace convscope::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Times a whole layer's array until it and its aggregates are complete, a frame's share after the other. The frames
/// draw nothing, so that no display holds them up.
void bring_layer(const char* name, LayerArray array, const std::shared_ptr<const Workload>& work,
                 const LayerPath& path) {
    constexpr double frame_ms = 8;
    const LayerArraySpec spec = layer_array(array, work->spec.shape);
    const LayerRequest wanted{work, array, part_that_fits(spec, 0, layer_budget_bytes)};
    LayerBuilder images([] {});
    const Clock::time_point begin = Clock::now();
    LayerScene scene(spec, wanted.part, work, std::make_shared<PyramidPrograms>(), path);
    images.request(wanted, {scene.by_gpu(), 0});
    std::vector<double> ms;
    double written_s = 0;
    while (!scene.complete()) {
        std::optional<LayerPiece> piece = scene.wants_piece() ? images.take() : std::nullopt;
        if (scene.wants_piece() && !piece) {
            if (const std::string error = images.take_error(); !error.empty()) throw Error(ErrorKind::failed, error);
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        if (piece) scene.take(std::move(*piece));
        const Clock::time_point frame = Clock::now();
        scene.advance(frame_ms);
        ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - frame).count());
        if (written_s == 0 && scene.all_written())
            written_s = std::chrono::duration<double>(Clock::now() - begin).count();
        if (const std::string failure = scene.take_failure(); !failure.empty())
            images.request(wanted, {scene.by_gpu(), scene.rows_written() / wanted.part.rows_per_image});
    }
    fmt::print(
        "{:<8} {} of {} x {}: {} on screen, {} through the host, written after {:.2f} s, complete after {:.2f} s, "
        "longest "
        "frame {:.1f} ms; {}\n",
        name, to_string(array), scene.rows(), scene.cols(), format_bytes(scene.bytes()),
        format_bytes(scene.host_bytes()), written_s, std::chrono::duration<double>(Clock::now() - begin).count(),
        percentile(ms, 1), scene.describe());
    std::fflush(stdout);
}

}  // namespace

WorkloadSpec map_of(std::int64_t size) {
    WorkloadSpec spec;
    spec.name = "custom";
    spec.shape.h = spec.shape.w = size;
    spec.shape.r = spec.shape.s = 3;
    spec.shape.pad_h = spec.shape.pad_w = 1;
    spec.shape.pool_h = spec.shape.pool_w = spec.shape.pool_stride = 2;
    spec.sparsity = 0.8;
    return spec;
}

WorkloadSpec large_layer(std::int64_t images) {
    WorkloadSpec layer = find_preset("vgg19/conv1_2").spec;
    layer.name = "custom";
    layer.shape.n = images;
    layer.sparsity = 0.6;
    layer.shape.pool_h = layer.shape.pool_w = layer.shape.pool_stride = 2;
    return layer;
}

void compare_paths(const Registry& registry, std::int64_t images) {
    std::string cuda;
    for (const DeviceInfo* info : registry.devices())
        if (info->kind == DeviceKind::cuda && info->available) cuda = info->id;
    const WorkloadSpec spec = map_of(1024);
    const Workload work = make_workload(spec);
    const auto host = make_host_layout_builder();
    const auto rebuild = [&](const char* path, const std::shared_ptr<CudaGl>& gl, LayoutBuilder& builder) {
        LayoutScene scene(gl);
        std::vector<double> ms;
        for (int i = 0; i < 12; ++i) {
            const Clock::time_point begin = Clock::now();
            scene.rebuild(Format::im2col, spec.shape, work.x.data.data(), work.w.data.data(), builder, *host);
            ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        }
        fmt::print(
            "{:<8} im2col of a {} x {} map: {} on screen, {} through the host a rebuild, p50 {:.1f} ms, max "
            "{:.1f} ms; {}\n",
            path, spec.shape.h, spec.shape.w, format_bytes(scene.bytes()), format_bytes(scene.host_bytes()),
            percentile(ms, 0.5), percentile(ms, 1), scene.describe());
    };
    const auto layer = std::make_shared<const Workload>(make_workload(large_layer(images)));
    const auto whole_layers = [&](const char* path, const LayerPath& how) {
        for (const LayerArray array : {LayerArray::im2col, LayerArray::L, LayerArray::F_data, LayerArray::K_index,
                                       LayerArray::Data, LayerArray::y, LayerArray::x})
            bring_layer(path, array, layer, how);
    };
    const auto none = CudaGl::none("requested");
    rebuild("host", none, *host);
    whole_layers("host", {none, nullptr});
    if (cuda.empty()) {
        fmt::print("interop  not measured: there is no CUDA device here\n");
        return;
    }
    const auto builder = registry.device(cuda).make_layout_builder();
    const auto gl = CudaGl::open(std::atoi(cuda.c_str() + 5));
    rebuild("interop", gl, *builder);
    whole_layers("interop", {gl, builder.get()});
}

}  // namespace convscope::app
