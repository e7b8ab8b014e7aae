// expect: status 0
// expect-output: 10 20 30 40 50 60 70 80; 3 done
// A functor by template, host and device, an array in two dimensions, host functions in a stream, sizes by occupancy.
#include <cstdio>
#include <string>
#include <thread>

template <typename T>
struct Scale {
    T by;
    __host__ __device__ T operator()(T x) const { return min(x * by, T(1000)); }
};

template <typename T, typename F>
__global__ void transform(T *data, int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = f(data[i]);
}

struct Buffer {
    int *data = nullptr;
    size_t n;
    explicit Buffer(size_t n) : n(n) { cudaMallocManaged(&data, n * sizeof(int)); }
    ~Buffer() { cudaFree(data); }
};

static int done = 0;
static void CUDART_CB finished(void *what) { ++*static_cast<int *>(what); }

int main() {
    Buffer buffer(8);
    for (size_t i = 0; i < buffer.n; ++i) buffer.data[i] = int(i) + 1;
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, transform<int, Scale<int>>);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int by : {2, 5, 1}) {
        transform<<<dim3(1), dim3(32), 0, stream>>>(buffer.data, 8, Scale<int>{by});
        cudaLaunchHostFunc(stream, finished, &done);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    std::string text;
    std::thread writer([&] {
        for (size_t i = 0; i < buffer.n; ++i) text += std::to_string(buffer.data[i]) + (i + 1 < buffer.n ? " " : "");
    });
    writer.join();
    std::printf("%s; %d done\n", text.c_str(), done);
    return blocks > 0 && threads > 0 && Scale<int>{2}(600) == 1000 ? 0 : 1;
}
