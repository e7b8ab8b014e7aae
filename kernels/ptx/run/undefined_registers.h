// Tracks which bits of a warp's registers come from memory that nobody has written.
//
// Loading such bytes is no mistake yet: a compiler may move a load before the condition that guards it, and structures
// have padding. So the bits are followed from register to register, and told where they matter: in a condition, an
// address, an atomic operation, what the lanes of a warp do together, or a value that is stored. A value that was only
// copied may be stored, where a part of it was written or the memory is not global: what it is stored to then counts as
// unwritten, too. Valgrind's memcheck does the same (Seward and Nethercote 2005).
//
// It costs nothing while no register has such bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/ptx/run/program.h"

namespace convscope::ptx {

class UndefinedRegisters {
public:
    bool any() const { return count_ != 0; }
    void clear();

    /// Before an instruction: spreads such bits through it, and reports them where they matter. Its lanes are
    /// warp.mask.
    void before(Warp&, const Op&);
    /// After a load, or an atomic exchange: 'bytes' has a bit for each byte of the lane's access, at 'address', that
    /// nobody has written. So many of them, one after the other, are in each of the registers.
    void loaded(Warp&, const Op&, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                std::span<const std::uint32_t> registers, unsigned bytes_each);
    /// After a store.
    void stored(Warp&, const Op&, const std::uint64_t* addresses);
    /// After a shuffle: each lane took the value of another.
    void shuffled(Warp&, const Op&, const std::array<unsigned, 32>& from);

private:
    /// A register's undefined bits for each lane, and the load that they come from.
    struct Value {
        std::uint64_t bits[32] = {};
        std::uint32_t load[32] = {};
        std::uint32_t computed = 0;  ///< lanes: not a mere copy
    };
    /// The latest execution of a load.
    struct Load {
        const Op* op = nullptr;
        std::uint64_t addresses[32] = {};  ///< of the first byte that nobody has written
        std::uint32_t told = 0;            ///< lanes
    };

    std::uint32_t lanes_of(std::uint32_t reg_offset) const {
        return reg_offset == no_reg || count_ == 0 ? 0 : lanes_[reg_offset / 64];
    }
    std::uint64_t bits(std::uint32_t reg_offset, unsigned lane) const;
    void set(std::uint32_t reg_offset, unsigned lane, std::uint64_t bits, std::uint32_t load, bool computed);
    void define(std::uint32_t reg_offset, std::uint32_t mask);
    void use(Warp&, const Op&, std::uint32_t reg_offset, std::uint32_t mask);
    void tell(Warp&, const Op&, unsigned lane, std::uint32_t load);
    void store_lane(Warp&, const Op&, unsigned lane, std::uint64_t address);

    std::vector<std::uint32_t> lanes_;  ///< by register: those in which it has such bits
    std::uint32_t count_ = 0;           ///< registers of which this is not 0
    std::unordered_map<std::uint32_t, Value> values_;
    std::unordered_map<std::uint32_t, Load> loads_;  ///< by index of the Op; a load's number is that * 32 + lane
};

}  // namespace convscope::ptx
