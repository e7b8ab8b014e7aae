// expect: status 5
// expect: was ended by signal 11
#include <csignal>
#include <cstdio>

__global__ void nothing() {}

int main() {
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    raise(SIGSEGV);
    puts("never");
}
