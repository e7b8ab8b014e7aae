// A method's execution as nvcc compiled it: it ends when it is stopped, and leaves nothing behind.
#include "kernels/simt/on_ptx/watched_execution.h"

#include <gtest/gtest.h>

#include <stop_token>

#include "kernels/core/error.h"
#include "kernels/hopper/tensor_map.h"
#include "kernels/simt/on_ptx/cuda_runtime.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/on_ptx/simulated.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

const ConvShape layer{.c = 64, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};

TEST(WatchedExecution, ends_when_it_is_stopped) {
    const Workload workload = testing::random_workload(layer, 0.8, 3);
    on_ptx::WatchedExecution execution(simulated().registry.get("pixel1", DeviceKind::cuda), layer, {});
    std::stop_source source;
    execution.set_stop(source.get_token());
    execution.setup();
    execution.allocate();
    execution.stage_inputs(workload);
    execution.upload();
    execution.prepare_weights();
    execution.poison_output();
    EXPECT_NO_THROW(execution.run(nullptr));
    source.request_stop();
    expect_contains(error_of(ErrorKind::failed, [&] { execution.run(nullptr); }), ": the run was stopped");
}

TEST(TensorMaps, are_forgotten_with_their_memory) {
    on_ptx::PtxGpu gpu;
    const auto bytes = static_cast<std::size_t>(layer.x_elements()) * sizeof(float);
    void* const memory = gpu.allocate(2 * bytes);
    void* const other = gpu.allocate(bytes);
    float* const second = static_cast<float*>(memory) + layer.x_elements();
    const auto address_of = [](const CUtensorMap& map) -> const void* {
        const auto found = on_ptx::tensor_map_of(&map, sizeof map);
        return found ? found->address : nullptr;
    };
    const CUtensorMap inside = hopper::map_of_pixels(second, layer, 4, 4);
    const CUtensorMap elsewhere = hopper::map_of_pixels(static_cast<const float*>(other), layer, 4, 4);
    EXPECT_EQ(address_of(inside), second);
    gpu.release(memory);
    EXPECT_EQ(address_of(inside), nullptr);
    EXPECT_EQ(address_of(elsewhere), other);
    gpu.release(other);
    EXPECT_EQ(address_of(elsewhere), nullptr);
}

}  // namespace
}  // namespace convscope
