// Registers that the hardware sets: %tid.x and the like (PTX ISA, 'Special Registers').
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/ptx/run/program.h"

namespace convscope::ptx {

class BlockRun;

std::optional<Special> special_register(std::string_view name);
/// The register's value in this thread and lane of a block.
std::uint64_t special_value(Special, BlockRun&, unsigned thread, unsigned lane);

}  // namespace convscope::ptx
