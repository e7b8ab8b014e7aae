#include "kernels/ocpa/map_launchers.h"

#include "kernels/simt/gpu_execution.h"
#include "kernels/simt/kernel_registers.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

BoxAxis to_ints(const ZeroBoxes::Axis& axis, std::int64_t length) {
    return {to_int(axis.count), to_int(axis.size), to_int(axis.step), to_int(axis.first), to_int(length)};
}

std::vector<int> weights_of(const ZeroBoxes& boxes) {
    std::vector<int> weights;
    for (const auto* each : {&boxes.row_weights, &boxes.column_weights})
        for (const std::int64_t weight : *each) weights.push_back(to_int(weight));
    return weights;
}

}  // namespace

KernelLaunch plan_turn(const TurnedMaps& maps) {
    constexpr std::int64_t side = 32, warps = 8;
    KernelLaunch launch =
        kernel_launch("turn_maps", "convert", {ceil_div(maps.columns, side), ceil_div(maps.rows, side), maps.images},
                      {side, warps, 1});
    launch.registers = compiled_registers(launch.kernel);
    return launch;
}

std::vector<double> count_flops(Gpu& gpu, const MapLaunchers& launchers, const std::vector<ZeroBoxes>& kinds,
                                const Tensor& x) {
    constexpr std::int64_t threads = 256;
    const GpuMemory device_x(gpu, x.elements() * float_bytes);
    gpu.upload(device_x.get(), x.data.data(), device_x.bytes());
    std::vector<double> flops;
    for (const ZeroBoxes& boxes : kinds) {
        const std::vector<int> weights = weights_of(boxes);
        const GpuMemory device_weights(gpu, static_cast<std::int64_t>(weights.size() * sizeof(int)));
        const GpuMemory total(gpu, sizeof(unsigned long long));
        gpu.upload(device_weights.get(), weights.data(), device_weights.bytes());
        gpu.fill_bytes(total.get(), 0, total.bytes());
        launchers.count(
            gpu, kernel_launch("count_boxes", "count", {ceil_div(boxes.count(), threads), 1, 1}, {threads, 1, 1}),
            {to_ints(boxes.n, x.n), to_ints(boxes.c, x.c), to_ints(boxes.h, x.h), to_ints(boxes.w, x.w)},
            device_x.floats(), static_cast<const int*>(device_weights.get()),
            static_cast<unsigned long long*>(total.get()));
        gpu.synchronize();
        unsigned long long counted = 0;
        gpu.download(&counted, total.get(), total.bytes());
        flops.push_back(2.0 * static_cast<double>(counted) * static_cast<double>(boxes.multiply_adds));
    }
    return flops;
}

}  // namespace convscope
