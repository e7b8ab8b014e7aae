#include "tests/support/random_launch.h"

#include <algorithm>

#include "kernels/core/device_model.h"

namespace convscope::testing {
namespace {

/// Half of the grids are small, for methods that stride over their work; the others are larger than the method's own
/// for the block, for methods that must notice what is too much.
Dim3 random_grid(Random& random, const Method& method, const ConvShape& shape, const LaunchConfig& config) {
    const Dim3 small{random.between(1, 5), random.between(1, 4), 1};
    const std::int64_t more_x = random.between(0, 2), more_y = random.between(0, 2), more_z = random.between(0, 3);
    if (random.between(0, 1) == 0) return small;
    const ResolvedLaunch own = method.resolve(shape, config, default_device_model());
    if (!own.support || own.kernels.empty()) return small;
    const Dim3 grid = own.kernels[own.main].grid;
    return {grid.x + more_x, grid.y + more_y, grid.z + more_z};
}

}  // namespace

LaunchConfig random_config(Random& random, const Method& method, const ConvShape& shape) {
    const LaunchSpace space = method.launch_space(shape);
    LaunchConfig config;
    if (space.block_free && random.between(0, 3) > 0) {
        // Half of the blocks keep the pooling window's size along x, which the pecr methods may insist on.
        const std::int64_t window = std::max<std::int64_t>(1, shape.pool_h * shape.pool_w);
        const std::int64_t x = random.between(0, 1) == 0 ? window : random.between(1, 70);
        config.block = Dim3{x, random.between(0, 2) == 0 ? 1 : random.between(1, 9),
                            random.between(0, 4) == 0 ? random.between(2, 5) : 1};
    }
    if (space.grid_free && random.between(0, 2) == 0) config.grid = random_grid(random, method, shape, config);
    for (const Tunable& tunable : space.tunables) {
        const auto last = static_cast<std::int64_t>(tunable.values.size()) - 1;
        config.tunables[tunable.name] = tunable.values[static_cast<std::size_t>(random.between(0, last))];
    }
    return config;
}

}  // namespace convscope::testing
