// Clusters of blocks: kernels with one bug each where BUG is 1, and their clean twins where it is 0. The comment at a
// bug's line says what has to be found there, and in quotes which words it has to be said in.
#define KERNEL extern "C" __global__ void __cluster_dims__(2, 1, 1)

typedef unsigned long long Bar;
__device__ unsigned address(const void* in_shared) {
    return (unsigned)__cvta_generic_to_shared(in_shared);
}
#define INIT(bar, count) \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory")
#define FENCE_INIT asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define WAIT(bar, parity)                                                                                       \
    asm volatile(                                                                                               \
        "{\n.reg .pred ended;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n@!ended bra " \
        "again;\n}" ::"r"(address(bar)),                                                                        \
        "r"(parity)                                                                                             \
        : "memory")
#define CLUSTER_ARRIVE asm volatile("barrier.cluster.arrive.aligned;" ::: "memory")
#define CLUSTER_WAIT asm volatile("barrier.cluster.wait.aligned;" ::: "memory")
#define CLUSTER_SYNC \
    CLUSTER_ARRIVE;  \
    CLUSTER_WAIT
__device__ unsigned rank_in_cluster() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ unsigned in_block(const void* in_shared, unsigned rank) {
    unsigned mapped;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address(in_shared)), "r"(rank));
    return mapped;
}
#define ARRIVE_REMOTE(bar) \
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory")
#define LOAD_REMOTE(value, from) asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(from) : "memory")
#define STORE_REMOTE(to, value) asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory")

// convscope: grid = 2, block = 32, y = out(64)
KERNEL cluster_without_barrier(float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    float other;
    a[i] = i + blockIdx.x;
    if (!BUG) {
        CLUSTER_SYNC;
    }
    LOAD_REMOTE(other, in_block(&a[31 - i], rank_in_cluster() ^ 1));  // bug: race "block (1,0,0) thread (0,0,0) a[31]"
    CLUSTER_SYNC;
    y[32 * blockIdx.x + i] = other;
}

// convscope: grid = 4, block = 32, y = out(128)
KERNEL cluster_block_ends_too_early(float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    float other;
    a[i] = i + blockIdx.x;
    CLUSTER_SYNC;
    LOAD_REMOTE(other, in_block(&a[31 - i], rank_in_cluster() ^ 1));  // bug: out_of_bounds "of a block that has ended"
    if (!BUG) {
        CLUSTER_SYNC;
    }
    y[32 * blockIdx.x + i] = other;
}

// convscope: grid = 4, block = 32, y = out(4)
KERNEL cluster_block_may_end_too_early(float* y) {
    __shared__ float a;
    int i = threadIdx.x;
    float other = 0;
    if (i == 0) a = blockIdx.x;
    CLUSTER_SYNC;
    if (rank_in_cluster() == 1) LOAD_REMOTE(other, in_block(&a, 0));  // bug: race "may have ended"
    if (!BUG) {
        CLUSTER_SYNC;
    }
    if (i == 0) y[blockIdx.x] = other;
}

// convscope: grid = 2, block = 32, y = out(64)
KERNEL cluster_writes_into_an_array_in_use(float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    a[i] = i;
    CLUSTER_SYNC;
    float own = a[31 - i];
    if (!BUG) {
        CLUSTER_SYNC;
    }
    STORE_REMOTE(in_block(&a[i], rank_in_cluster() ^ 1), own);  // bug: race "reads it at seeded_clusters.cu:"
    CLUSTER_SYNC;
    y[32 * blockIdx.x + i] = a[i];
}

// convscope: grid = 2, block = 32, y = out(64)
KERNEL cluster_barrier_not_waited_at(float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    a[i] = i;
    CLUSTER_ARRIVE;
    if (!BUG) CLUSTER_WAIT;
    CLUSTER_ARRIVE;  // bug: divergent_barrier "arrives at the cluster's barrier again before it has waited"
    CLUSTER_WAIT;
    y[32 * blockIdx.x + i] = a[i];
}

// convscope: grid = 2, block = 32, y = out(64)
KERNEL cluster_barrier_waited_at_only(float* y) {
    int i = threadIdx.x;
    if (!BUG) CLUSTER_ARRIVE;
    CLUSTER_WAIT;  // bug: divergent_barrier "at which it has not arrived"
    y[32 * blockIdx.x + i] = i;
}

// convscope: grid = 2, block = 32, y = out(64)
KERNEL cluster_rank_that_is_not_there(float* y) {
    __shared__ float a[32];
    int i = threadIdx.x;
    float other;
    a[i] = i;
    CLUSTER_SYNC;
    LOAD_REMOTE(other, in_block(&a[i], rank_in_cluster() + BUG));  // bug: out_of_bounds "block (1,0,0)"
    CLUSTER_SYNC;
    y[32 * blockIdx.x + i] = other;
}

// convscope: grid = 2, block = 32, y = out(2)
KERNEL cluster_mbarrier_told_by_one(float* y) {
    __shared__ Bar bar;
    __shared__ float a;
    int i = threadIdx.x;
    unsigned rank = rank_in_cluster();
    if (i == 0) {
        INIT(&bar, 1);
        FENCE_INIT;
    }
    CLUSTER_SYNC;
    if (i == 0) {
        STORE_REMOTE(in_block(&a, rank ^ 1), rank + 1.0f);
        if (!BUG || rank == 0) ARRIVE_REMOTE(in_block(&bar, rank ^ 1));
        WAIT(&bar, 0);  // bug: divergent_barrier "block (0,0,0) thread (0,0,0) bar[0]: waits for its phase 0"
        y[blockIdx.x] = a;
    }
    CLUSTER_SYNC;
}
