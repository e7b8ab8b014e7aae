// expect: status 5
// expect: graphs.cu:8 cudaGraphCreate: is not there on the simulated GPU
// expect: graphs.cu:10 cudaGraphInstantiate
#include <cstdio>

int main() {
    cudaGraph_t graph;
    cudaError_t e = cudaGraphCreate(&graph, 0);
    cudaGraphExec_t made;
    if (e != cudaSuccess) cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0);
    std::puts(cudaGetErrorName(e));
}
