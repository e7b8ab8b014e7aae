// Every thread, one after the other, changes a sum that a spin lock guards.
extern "C" __global__ void lock(int* mutex, volatile int* sum) {
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            *sum = *sum + threadIdx.x;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
}
