// expect: status 0
// expect-output: 32 0 0 0
// needs nvcc: clang's headers of ours have no textures
#include <cstdio>

int main() {
    cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    printf("%d %d %d %d\n", channel.x, channel.y, channel.z, channel.w);
}
