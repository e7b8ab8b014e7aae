// Compiled once per dialect (kernels/simt/dialect.h). Registered in each dialect, next to the methods that are chosen
// from; ocpa4 only where there is a clock.
#include "kernels/method/registry.h"
#include "kernels/ocpa/map_launchers.h"
#include "kernels/ocpa/ocpa4_kernels.h"
#include "kernels/ocpa/ocpa4_method.h"
#include "kernels/ocpa/ocpa_method.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

void count(Gpu& gpu, const KernelLaunch& at, const BoxSizes& boxes, const float* x, const int* weights,
           unsigned long long* total) {
    launch(gpu, count_boxes, at, boxes, x, weights, total);
}

void turn(Gpu& gpu, const TurnedMaps& maps, const float* from, float* to) {
    launch(gpu, turn_maps, plan_turn(maps), static_cast<int>(maps.rows), static_cast<int>(maps.columns), from, to);
}

}  // namespace

MapLaunchers map_launchers() {
    return {count, turn};
}

void register_ocpa(Registry& registry) {
    registry.add(make_ocpa(registry, device_kind));
    registry.add(make_ocpa2(registry, device_kind));
#if defined(__CUDACC__)
    for (const Layout layout : {Layout::nchw, Layout::nhwc})
        for (const DType precision : {DType::f32, DType::tf32})
            registry.add(make_ocpa4(registry, device_kind, precision, layout, map_launchers()));
#endif
}

}  // namespace convscope::CONVSCOPE_DIALECT
