// No leak is reported of memory that a kernel which is not run would have freed.
// expect: status 5
// expect: 1 launch of 1 kernel, not all could be checked
// expect: deletes_by_pointer.cu:26 <<<>>>: deletes_by_pointer.cu:20: calls through pointers are not supported
#include <cstdio>

struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float of) : side(of) {}
    __device__ float area() const override { return side * side; }
};

__global__ void make(Shape** shape) {
    *shape = new Square(2);
}
__global__ void measure(Shape** shape, float* area) {
    *area = (*shape)->area();
    delete *shape;
}

int run(Shape** shape, float* area) {
    make<<<1, 1>>>(shape);
    measure<<<1, 1>>>(shape, area);
    return cudaDeviceSynchronize();
}

int main() {
    Shape** shape;
    float* area;
    cudaMalloc(&shape, sizeof(Shape*));
    cudaMalloc(&area, sizeof(float));
    run(shape, area);
    cudaFree(shape);
    cudaFree(area);
}
