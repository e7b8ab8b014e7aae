// Whether a launch fits a GPU, and how many of its blocks share an SM: the arithmetic of NVIDIA's occupancy
// calculator.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "kernels/core/device_model.h"

namespace convscope {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::int64_t warps_of(const DeviceModel& model, const KernelLaunch& launch) {
    return round_up(launch.block.count(), model.warp_size) / model.warp_size;
}

std::int64_t registers_per_warp(const DeviceModel& model, const KernelLaunch& launch) {
    return round_up(static_cast<std::int64_t>(launch.registers) * model.warp_size, model.register_allocation_unit);
}

/// Registers come out of each scheduler's share, so a block counts with a multiple of as many warps.
std::int64_t registers_per_block(const DeviceModel& model, const KernelLaunch& launch) {
    return registers_per_warp(model, launch) * round_up(warps_of(model, launch), model.warp_schedulers);
}

Support dimensions_fit(const char* what, const Dim3& size, const Dim3& limit, const std::string& device) {
    struct Axis {
        char name;
        std::int64_t size, limit;
    };
    for (const Axis& axis : {Axis{'x', size.x, limit.x}, {'y', size.y, limit.y}, {'z', size.z, limit.z}}) {
        if (axis.size < 1)
            return Support::no(fmt::format("{} {} is {}; it must be at least 1", what, axis.name, axis.size));
        if (axis.size > axis.limit)
            return Support::no(
                fmt::format("{} {} is {}; {} allows at most {}", what, axis.name, axis.size, device, axis.limit));
    }
    return {};
}

Support registers_fit(const DeviceModel& model, const KernelLaunch& launch) {
    if (launch.registers > model.max_registers_per_thread)
        return Support::no(fmt::format("the kernel needs {} registers per thread; {} has at most {}", launch.registers,
                                       model.name, model.max_registers_per_thread));
    const std::int64_t needed = registers_per_block(model, launch);
    if (needed > model.registers_per_block)
        return Support::no(
            fmt::format("a block of {} threads with {} registers each needs {} registers; {} has at "
                        "most {} per block",
                        launch.block.count(), launch.registers, needed, model.name, model.registers_per_block));
    return {};
}

struct Limit {
    const char* limiter;
    const char* sentence;  ///< {} is the number of blocks
    std::int64_t blocks;
};

std::int64_t blocks_by_registers(const DeviceModel& model, const KernelLaunch& launch) {
    if (launch.registers <= 0) return unlimited;
    const std::int64_t per_scheduler = model.registers_per_sm / model.warp_schedulers;
    const std::int64_t warps = per_scheduler / registers_per_warp(model, launch) * model.warp_schedulers;
    return warps / warps_of(model, launch);
}

std::int64_t blocks_by_shared_memory(const DeviceModel& model, const KernelLaunch& launch) {
    const std::int64_t bytes = round_up(
        static_cast<std::int64_t>(launch.shared_bytes) + model.shared_reserved_per_block, model.shared_allocation_unit);
    return bytes == 0 ? unlimited : model.shared_per_sm / bytes;
}

}  // namespace

Support fits(const DeviceModel& model, const KernelLaunch& launch) {
    if (Support block = dimensions_fit("block", launch.block, model.max_block, model.name); !block) return block;
    if (launch.block.count() > model.max_threads_per_block)
        return Support::no(fmt::format("a block of {} has {} threads; {} allows at most {}", to_string(launch.block),
                                       launch.block.count(), model.name, model.max_threads_per_block));
    if (Support grid = dimensions_fit("grid", launch.grid, model.max_grid, model.name); !grid) return grid;
    if (launch.shared_bytes > static_cast<std::size_t>(model.shared_per_block_optin))
        return Support::no(fmt::format("a block needs {} bytes of shared memory; {} has at most {}",
                                       launch.shared_bytes, model.name, model.shared_per_block_optin));
    return registers_fit(model, launch);
}

Occupancy occupancy(const DeviceModel& model, const KernelLaunch& launch) {
    Occupancy result;
    result.max_warps = model.max_threads_per_sm / model.warp_size;
    if (Support support = fits(model, launch); !support) {
        result.sentence = "No block fits: " + support.reason;
        return result;
    }
    const std::int64_t warps = warps_of(model, launch);
    // In this order, so that a block that fills the SM is said to be limited by its threads.
    const std::array limits{
        Limit{"threads", "Threads limit this block to {} per SM", result.max_warps / warps},
        Limit{"registers", "Registers limit this block to {} per SM", blocks_by_registers(model, launch)},
        Limit{"shared memory", "Shared memory limits this block to {} per SM", blocks_by_shared_memory(model, launch)},
        Limit{"blocks per SM", "An SM holds at most {} blocks of any size", model.max_blocks_per_sm}};
    const Limit* least = &limits[0];
    for (const Limit& limit : limits)
        if (limit.blocks < least->blocks) least = &limit;
    result.blocks_per_sm = static_cast<int>(least->blocks);
    result.active_warps = static_cast<int>(least->blocks * warps);
    result.percent = 100.0 * result.active_warps / result.max_warps;
    result.limiter = least->limiter;
    result.sentence = fmt::format(fmt::runtime(least->sentence), least->blocks);
    return result;
}

}  // namespace convscope
