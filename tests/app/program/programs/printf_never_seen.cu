// expect: status 4, 1 finding
// expect: unsynchronised printf_never_seen.cu:9 hello: what this kernel prints may never be seen
#include <cstdio>

__global__ void hello() {
    printf("hello from %d\n", blockIdx.x);
}
int main() {
    hello<<<2, 1>>>();
    return 0;
}
