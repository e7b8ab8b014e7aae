#include "app/user_kernel/register_limit.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/ptx/toolchain/compile.h"

namespace convscope::app {
namespace {

// Limits of every GPU of today (CUDA C++ Programming Guide, 'Technical Specifications per Compute Capability'). A warp
// gets registers by 8 for each of its threads.
constexpr std::int64_t registers_of_block = 65536, max_registers = 255, allocated_at_once = 8, warp_threads = 32;

std::int64_t rounded_up(std::int64_t value, std::int64_t to) {
    return (value + to - 1) / to * to;
}

/// Virtual registers of 32 bits: ptxas hardly allocates more than these.
std::int64_t virtual_registers(const ptx::Function& function) {
    std::int64_t count = 0;
    for (const ptx::Register& each : function.registers)
        if (each.type != ptx::Type::pred) count += (ptx::bytes_of(each.type) + 3) / 4;
    return count;
}

}  // namespace

void require_registers(const PreparedKernel& prepared, const std::stop_token& stop) {
    constexpr std::int64_t max_threads = 1024;  // the launch itself rejects more
    if (prepared.arguments.block.count() > max_threads) return;
    constexpr std::int64_t system = 32;  // addresses, the stack, what ptxas computes besides
    const UserKernel& kernel = *prepared.kernel;
    const std::int64_t threads = rounded_up(prepared.arguments.block.count(), warp_threads);
    const std::int64_t room = registers_of_block / std::max(threads, warp_threads);
    if (room > max_registers || virtual_registers(*kernel.module.find(kernel.symbol)) + system <= room) return;
    const auto assembled = ptx::assemble({.ptx = kernel.ptx, .symbol = kernel.symbol}, stop);
    if (!assembled || rounded_up(assembled->registers, allocated_at_once) <= room) return;
    throw Error(ErrorKind::usage,
                fmt::format("a block of {} threads cannot be launched: ptxas gives each of them {} registers, and a "
                            "block has {}; take {} threads at most, or __launch_bounds__({})",
                            to_string(prepared.arguments.block), assembled->registers, registers_of_block,
                            registers_of_block / rounded_up(assembled->registers, allocated_at_once) / warp_threads *
                                warp_threads,
                            prepared.arguments.block.count()));
}

}  // namespace convscope::app
