// expect: status 5
// expect: graphs.cu:7 cudaGraphCreate: is not there on the simulated GPU
#include <cstdio>

int main() {
    cudaGraph_t graph;
    cudaError_t e = cudaGraphCreate(&graph, 0);
    std::puts(cudaGetErrorName(e));
}
