// expect: status 0
// expect-output: 130816 130816 130816 171
// Sums by cooperative groups: of a block, its tiles, its warps; and how many lanes are there.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *scratch, int value) {
    int rank = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < i) value += scratch[rank + i];
        group.sync();
    }
    return value;
}

__global__ void sums(const int *in, int *out) {
    __shared__ int scratch[128];
    cg::thread_block block = cg::this_thread_block();
    int mine = in[block.group_index().x * block.size() + block.thread_rank()];
    int total = sum_of(block, scratch, mine);
    if (block.thread_rank() == 0) atomicAdd(&out[0], total);

    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int part = mine;
    for (int o = tile.size() / 2; o > 0; o /= 2) part += tile.shfl_down(part, o);
    if (tile.thread_rank() == 0) atomicAdd(&out[1], part);

    auto warp = cg::tiled_partition<32>(block);
    int reduced = cg::reduce(warp, mine, cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&out[2], reduced);

    if (mine % 3 == 0) {
        auto active = cg::coalesced_threads();
        if (active.thread_rank() == 0) atomicAdd(&out[3], (int)active.size());
    }
}

int main() {
    const int n = 512;
    int host[n], result[4], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof result);
    sums<<<4, 128>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d %d\n", result[0], result[1], result[2], result[3]);
    cudaFree(in);
    cudaFree(out);
}
