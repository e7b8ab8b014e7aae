// Shared by the bulk copies of bytes and of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/ptx/run/program.h"

namespace convscope::ptx {

class Decoder;

/// A further address of an instruction takes three entries in Program::operands: register, offset, width.
constexpr std::size_t address_operands = 3;
void add_address(Decoder&, const Operand&, Space, std::vector<std::uint32_t>& operands);
void addresses_at(Warp&, const std::uint32_t* operands, std::uint64_t* addresses);

/// Starts a lane's copy to shared memory and tells the mbarrier: to each block of the cluster that 'mask' names, or,
/// where it is 0, to the address as it is. A copy that does not land still counts its bytes.
void start_bulk_copy(Warp&, const Op&, unsigned lane, bool lands, std::uint64_t to, std::uint64_t barrier,
                     std::uint32_t mask, const std::vector<std::byte>& content);
/// Records a lane's copy from shared memory in its groups.
void note_bulk_read(Warp&, const Op&, unsigned lane);

}  // namespace convscope::ptx
