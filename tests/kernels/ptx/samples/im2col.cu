// As Caffe does it: a thread for each channel and place of the output, one image, stride 1.
extern "C" __global__ void im2col(const float* x, float* columns, int c, int h, int w, int r, int s, int pad, int p,
                                  int q) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= c * p * q) return;
    int column = index % q, row = index / q % p, channel = index / (p * q);
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < s; ++j) {
            int y = row + i - pad, z = column + j - pad;
            bool inside = y >= 0 && y < h && z >= 0 && z < w;
            columns[((channel * r + i) * s + j) * p * q + row * q + column] =
                inside ? x[(channel * h + y) * w + z] : 0.0f;
        }
}
