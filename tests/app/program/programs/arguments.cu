// expect: status 0
// arguments: 12 --flag "two words"
// expect-output: 12 --flag [two words]
#include <cstdio>

__global__ void hello() {
    printf("thread %d\n", threadIdx.x);
}

int main(int argc, char **argv) {
    hello<<<1, 2>>>();
    cudaDeviceSynchronize();
    if (argc == 4) printf("%s %s [%s]\n", argv[1], argv[2], argv[3]);
    return argc == 4 ? 0 : 1;
}
