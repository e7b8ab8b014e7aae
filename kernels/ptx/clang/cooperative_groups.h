// Groups of threads: of a block, its tiles of a warp's threads, those of a warp that run together, the grid; and what
// <cooperative_groups/reduce.h> has.
#pragma once

#include "atomics.h"
#include "variables.h"
#include "warps.h"

namespace cooperative_groups {

/// Threads of one warp, by their lanes' bits; what they do together. A thread's rank is that among the set bits.
class convscope_lanes {
public:
    CONVSCOPE_DEVICE_MEMBER explicit convscope_lanes(unsigned mask) : mask_(mask) {}
    CONVSCOPE_DEVICE_MEMBER void sync() const { __syncwarp(mask_); }
    CONVSCOPE_DEVICE_MEMBER unsigned size() const { return __popc(mask_); }
    CONVSCOPE_DEVICE_MEMBER unsigned num_threads() const { return size(); }
    CONVSCOPE_DEVICE_MEMBER unsigned thread_rank() const { return __popc(mask_ & ((1u << lane()) - 1)); }
    CONVSCOPE_DEVICE_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
    CONVSCOPE_DEVICE_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
    CONVSCOPE_DEVICE_MEMBER unsigned ballot(int predicate) const {
        const unsigned votes = __ballot_sync(mask_, predicate);
        unsigned packed = 0, at = 0;
        for (unsigned left = mask_; left != 0; left &= left - 1, ++at) packed |= (votes >> (__ffs(left) - 1) & 1) << at;
        return packed;
    }
    template <class T>
    CONVSCOPE_DEVICE_MEMBER T shfl(T value, unsigned rank) const {
        return __shfl_sync(mask_, value, lane_of(rank % size()));
    }
    template <class T>
    CONVSCOPE_DEVICE_MEMBER T shfl_up(T value, unsigned by) const {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank >= by ? rank - by : rank));
    }
    template <class T>
    CONVSCOPE_DEVICE_MEMBER T shfl_down(T value, unsigned by) const {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank + by < size() ? rank + by : rank));
    }

protected:
    CONVSCOPE_DEVICE_MEMBER static unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
    CONVSCOPE_DEVICE_MEMBER unsigned lane_of(unsigned rank) const {
        unsigned left = mask_;
        for (; rank > 0; --rank) left &= left - 1;
        return __ffs(left) - 1;
    }
    unsigned mask_;
};

class coalesced_group : public convscope_lanes {
public:
    using convscope_lanes::convscope_lanes;
};
CONVSCOPE_DEVICE coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

class thread_block {
public:
    CONVSCOPE_DEVICE_MEMBER static void sync() { __syncthreads(); }
    CONVSCOPE_DEVICE_MEMBER static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    CONVSCOPE_DEVICE_MEMBER static unsigned num_threads() { return size(); }
    CONVSCOPE_DEVICE_MEMBER static unsigned thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    CONVSCOPE_DEVICE_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    CONVSCOPE_DEVICE_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    CONVSCOPE_DEVICE_MEMBER static dim3 dim_threads() { return blockDim; }
    CONVSCOPE_DEVICE_MEMBER static dim3 group_dim() { return blockDim; }
};
CONVSCOPE_DEVICE thread_block this_thread_block() {
    return {};
}

/// 1 to 32 neighbours of a warp, a power of two.
template <unsigned count, class Parent = thread_block>
class thread_block_tile : public convscope_lanes {
    static_assert(count > 0 && count <= 32 && (count & (count - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
    CONVSCOPE_DEVICE_MEMBER thread_block_tile()
        : convscope_lanes(0xffffffffu >> (32 - count) << (lane() & ~(count - 1))) {}
    template <class Other>
    CONVSCOPE_DEVICE_MEMBER thread_block_tile(const thread_block_tile<count, Other>&) : thread_block_tile() {}
    CONVSCOPE_DEVICE_MEMBER static constexpr unsigned size() { return count; }
    CONVSCOPE_DEVICE_MEMBER static constexpr unsigned num_threads() { return count; }
    CONVSCOPE_DEVICE_MEMBER static unsigned thread_rank() { return lane() & (count - 1); }
    CONVSCOPE_DEVICE_MEMBER static unsigned meta_group_size() { return (thread_block::size() + count - 1) / count; }
    CONVSCOPE_DEVICE_MEMBER static unsigned meta_group_rank() { return thread_block::thread_rank() / count; }
    CONVSCOPE_DEVICE_MEMBER unsigned ballot(int predicate) const {
        return __ballot_sync(mask_, predicate) >> (lane() & ~(count - 1) & 31);
    }
    template <class T>
    CONVSCOPE_DEVICE_MEMBER T shfl(T value, unsigned rank) const {
        return __shfl_sync(mask_, value, rank, count);
    }
    template <class T>
    CONVSCOPE_DEVICE_MEMBER T shfl_up(T value, unsigned by) const {
        return __shfl_up_sync(mask_, value, by, count);
    }
    template <class T>
    CONVSCOPE_DEVICE_MEMBER T shfl_down(T value, unsigned by) const {
        return __shfl_down_sync(mask_, value, by, count);
    }
    template <class T>
    CONVSCOPE_DEVICE_MEMBER T shfl_xor(T value, unsigned lanes) const {
        return __shfl_xor_sync(mask_, value, lanes, count);
    }
};
template <unsigned count, class Parent>
CONVSCOPE_DEVICE thread_block_tile<count, Parent> tiled_partition(const Parent&) {
    return {};
}

/// Any of the groups above, its kind known when it runs.
class thread_group {
public:
    CONVSCOPE_DEVICE_MEMBER thread_group(const thread_block&) : lanes_(0) {}
    CONVSCOPE_DEVICE_MEMBER thread_group(const convscope_lanes& lanes) : lanes_(lanes) {}
    CONVSCOPE_DEVICE_MEMBER void sync() const { is_block() ? thread_block::sync() : lanes_.sync(); }
    CONVSCOPE_DEVICE_MEMBER unsigned size() const { return is_block() ? thread_block::size() : lanes_.size(); }
    CONVSCOPE_DEVICE_MEMBER unsigned num_threads() const { return size(); }
    CONVSCOPE_DEVICE_MEMBER unsigned thread_rank() const {
        return is_block() ? thread_block::thread_rank() : lanes_.thread_rank();
    }

private:
    CONVSCOPE_DEVICE_MEMBER bool is_block() const { return lanes_.size() == 0; }
    convscope_lanes lanes_;
};
CONVSCOPE_DEVICE thread_group tiled_partition(const thread_group&, unsigned count) {
    return convscope_lanes(0xffffffffu >> (32 - count) << (__nvvm_read_ptx_sreg_laneid() & ~(count - 1)));
}

/// Its barrier counts blocks in a word that a cooperative launch brings along; other launches have none.
class grid_group {
public:
    CONVSCOPE_DEVICE_MEMBER static void sync() {
        unsigned* const workspace = convscope_workspace();
        if (!workspace) asm volatile("trap;");
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            // The highest bit flips when the last block comes: the first one adds what the others lack.
            const unsigned others = static_cast<unsigned>(num_blocks()) - 1;
            const unsigned adds = block_rank() == 0 ? 0x80000000u - others : 1u;
            unsigned before, now;
            asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                         : "=r"(before)
                         : "l"(workspace + 1), "r"(adds)
                         : "memory");
            do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(workspace + 1) : "memory");
            while (((before ^ now) & 0x80000000u) == 0);
        }
        __syncthreads();
    }
    CONVSCOPE_DEVICE_MEMBER static bool is_valid() { return convscope_workspace() != nullptr; }
    CONVSCOPE_DEVICE_MEMBER static dim3 group_dim() { return gridDim; }
    CONVSCOPE_DEVICE_MEMBER static dim3 dim_blocks() { return gridDim; }
    CONVSCOPE_DEVICE_MEMBER static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    CONVSCOPE_DEVICE_MEMBER static unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    CONVSCOPE_DEVICE_MEMBER static unsigned long long size() { return num_blocks() * thread_block::size(); }
    CONVSCOPE_DEVICE_MEMBER static unsigned long long num_threads() { return size(); }
    CONVSCOPE_DEVICE_MEMBER static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }

private:
    CONVSCOPE_DEVICE_MEMBER static unsigned* convscope_workspace() {
        unsigned low, high;
        asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
        asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
        return reinterpret_cast<unsigned*>(static_cast<unsigned long long>(high) << 32 | low);
    }
};
CONVSCOPE_DEVICE grid_group this_grid() {
    return {};
}

template <class Group>
CONVSCOPE_DEVICE void sync(const Group& group) {
    group.sync();
}

// Reductions of a tile, or of the threads that run together.
template <class T>
struct plus {
    CONVSCOPE_DEVICE_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    CONVSCOPE_DEVICE_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    CONVSCOPE_DEVICE_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    CONVSCOPE_DEVICE_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    CONVSCOPE_DEVICE_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    CONVSCOPE_DEVICE_MEMBER T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned count, class Parent, class T, class Operation>
CONVSCOPE_DEVICE T reduce(const thread_block_tile<count, Parent>& tile, T value, Operation operation) {
#pragma unroll
    for (unsigned half = count / 2; half > 0; half /= 2) value = operation(value, tile.shfl_xor(value, half));
    return value;
}
template <class T, class Operation>
CONVSCOPE_DEVICE T reduce(const coalesced_group& group, T value, Operation operation) {
    T all = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) all = operation(all, group.shfl(value, rank));
    return all;
}

}  // namespace cooperative_groups
