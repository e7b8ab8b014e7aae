// What the bulk copies of bytes and those of tensors share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/ptx/program.h"

namespace convscope::ptx {

class Decoder;

/// A further address of an instruction: in Program::operands its register, its offset, and how wide it is.
constexpr std::size_t address_operands = 3;
void add_address(Decoder&, const Operand&, Space, std::vector<std::uint32_t>& operands);
void addresses_at(Warp&, const std::uint32_t* operands, std::uint64_t* addresses);

/// A lane's copy to shared memory, which the mbarrier is told of: to each block of the cluster that 'mask' names, or,
/// where it is 0, to the address as it is. Where it does not land, its bytes are counted all the same.
void start_bulk_copy(Warp&, const Op&, unsigned lane, bool lands, std::uint64_t to, std::uint64_t barrier,
                     std::uint32_t mask, const std::vector<std::byte>& content);
/// A lane's copy from shared memory, which its groups count.
void note_bulk_read(Warp&, const Op&, unsigned lane);

}  // namespace convscope::ptx
