//! title: ECR's compression
//! task: Xu 2019 keeps of each window only the elements that are not zero. Thread i is window i of one row of
//!     windows: 3 x 3, stride 1. It writes them to values[9 * i ...] in the order of the window's rows, and their
//!     number to ptr[i]. Places that are not used stay zero.
//! hint: Count upward while you go through the window: values[9 * i + count] = element; count = count + 1.
//! hint: A window without any has ptr 0 here (the paper has -1): the thread writes it all the same.
// convscope: grid = 1, block = 32, map = sparse(3, 34), values = zeros(32, 9), ptr = out(32)
__global__ void compress(const float* map, float* values, int* ptr) {
    int i = threadIdx.x;
#ifdef SOLUTION
    int count = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            float element = map[a * 34 + i + b];
            if (element != 0) values[9 * i + count++] = element;
        }
    ptr[i] = count;
#else
    // Your part: this keeps everything, zeros too.
    for (int e = 0; e < 9; ++e) values[9 * i + e] = map[e / 3 * 34 + i + e % 3];
    ptr[i] = 9;
#endif
}
