// Every method's default launches: for each layer among the presets, on a GPU with little and on one with much shared
// memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"
#include "tests/support/device_models.h"
#include "tests/support/registries.h"

namespace convscope {
namespace {

void expect_launchable(const KernelLaunch& kernel, const DeviceModel& model) {
    const Dim3 &block = kernel.block, &grid = kernel.grid;
    EXPECT_GE(std::min({block.x, block.y, block.z, grid.x, grid.y, grid.z}), 1);
    EXPECT_LE(block.count(), model.max_threads_per_block);
    EXPECT_LE(block.z, 64);
    EXPECT_LE(grid.x, 0x7fffffff);
    EXPECT_LE(std::max(grid.y, grid.z), 65535);
    EXPECT_LE(static_cast<std::int64_t>(kernel.shared_bytes), model.shared_per_block_optin);
}

std::vector<ConvShape> layers_of_presets() {
    std::set<std::string> seen;
    std::vector<ConvShape> layers;
    for (const Preset& preset : all_presets())
        for (const std::int64_t images : {preset.spec.shape.n, std::int64_t{32}}) {
            ConvShape shape = preset.spec.shape;
            shape.n = images;
            if (seen.insert(key_of(shape)).second) layers.push_back(shape);
        }
    return layers;
}

TEST(DefaultLaunches, fit_the_gpu_or_say_why_they_do_not) {
    for (const ConvShape& shape : layers_of_presets())
        for (const Method* method : testing::simulated_registry().methods(DeviceKind::sim)) {
            if (!method->supports(shape)) continue;
            for (const char* gpu : {"P100", "H100"}) {
                SCOPED_TRACE(method->info().id + " on " + gpu + ", " + to_string(shape));
                const DeviceModel& model = testing::model_of(gpu);
                const ResolvedLaunch resolved = method->resolve(shape, {}, model);
                EXPECT_NE(resolved.support.ok, !resolved.support.reason.empty());
                if (!resolved.support) continue;
                for (const KernelLaunch& kernel : resolved.kernels) expect_launchable(kernel, model);
            }
        }
}

}  // namespace
}  // namespace convscope
