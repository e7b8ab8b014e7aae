// Stands in for libcuda.so.1 of a driver that runs CUDA up to 12.2.
extern "C" int cuDriverGetVersion(int* version) {
    *version = 12020;
    return 0;
}

extern "C" int cuInit(unsigned) {
    return 0;
}
