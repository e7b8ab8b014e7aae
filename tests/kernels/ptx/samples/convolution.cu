// Direct convolution, a thread for each element of the output.
// convscope: grid = (ceil(q/16), ceil(p/16), n*k), block = (16, 16)
extern "C" __global__ void convolution(const float* x, const float* w, float* y, int c, int height, int width, int k,
                                       int r, int s, int p, int q, int stride, int pad) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int filter = blockIdx.z % k, image = blockIdx.z / k;
    if (row >= p || column >= q) return;
    float sum = 0;
    for (int channel = 0; channel < c; ++channel)
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < s; ++j) {
                int from_row = row * stride + i - pad, from_column = column * stride + j - pad;
                if (from_row >= 0 && from_row < height && from_column >= 0 && from_column < width)
                    sum += x[((image * c + channel) * height + from_row) * width + from_column] *
                           w[((filter * c + channel) * r + i) * s + j];
            }
    y[((image * k + filter) * p + row) * q + column] = sum;
}
