// expect: status 0
// expect-output: 0 wrong
// The functions of a kernel against the host's, of float and double: how far they are apart, in units of the last place.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int POINTS = 64;

#define FUNCTIONS(F)                                                                                              \
    F(exp, -50, 50) F(exp2, -20, 20) F(expm1, -2, 2) F(log, 1e-3, 1e3) F(log2, 1e-3, 1e3) F(log10, 1e-3, 1e3)     \
    F(log1p, -.5, 5) F(sin, -30, 30) F(cos, -30, 30) F(tan, -1.5, 1.5) F(asin, -1, 1) F(acos, -1, 1)              \
    F(atan, -9, 9) F(sinh, -5, 5) F(cosh, -5, 5) F(tanh, -3, 3) F(asinh, -9, 9) F(acosh, 1, 9) F(atanh, -.9, .9)  \
    F(erf, -4, 4) F(erfc, -2, 5) F(cbrt, -9, 9) F(sqrt, 0, 9) F(floor, -9, 9) F(ceil, -9, 9) F(round, -9, 9)      \
    F(trunc, -9, 9) F(rint, -9, 9) F(fabs, -9, 9)

__host__ __device__ double point(double from, double to, int i) {
    return from + (to - from) * i / (POINTS - 1);
}

template <class T>
__global__ void evaluate(T *out) {
    int i = threadIdx.x;
    T *row = out;
#define EVALUATE(f, from, to)               \
    row[i] = f(T(point(from, to, i)));      \
    row += POINTS;
    FUNCTIONS(EVALUATE)
    row[i] = pow(T(point(0.1, 5, i)), T(1.7));
    row += POINTS;
    row[i] = atan2(T(point(-3, 3, i)), T(-1.5));
    row += POINTS;
    row[i] = fmod(T(point(-30, 30, i)), T(0.7));
    row += POINTS;
    row[i] = hypot(T(point(-3, 3, i)), T(2));
}

template <class T>
int compare(const char *type, T epsilon) {
#define COUNT(f, from, to) +1
    constexpr int rows = 4 FUNCTIONS(COUNT);
    std::vector<T> out(rows * POINTS);
    T *device;
    cudaMalloc(&device, out.size() * sizeof(T));
    evaluate<<<1, POINTS>>>(device);
    cudaMemcpy(out.data(), device, out.size() * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(device);
    int wrong = 0, row = 0;
    const auto check = [&](const char *name, double limit, int i, T right) {
        T got = out[row * POINTS + i];
        double off = std::fabs(double(got) - double(right)) / (std::fmax(std::fabs(right), 0.1) * epsilon);
        if (off <= limit) return;
        std::printf("%s of %s: %.17g, not %.17g, %.1f\n", name, type, double(got), double(right), off);
        ++wrong;
    };
#define CHECK(f, from, to)                                                                      \
    for (int i = 0; i < POINTS; ++i) check(#f, 4, i, std::f(T(point(from, to, i))));            \
    ++row;
    FUNCTIONS(CHECK)
    for (int i = 0; i < POINTS; ++i) check("pow", 8, i, std::pow(T(point(0.1, 5, i)), T(1.7)));
    ++row;
    for (int i = 0; i < POINTS; ++i) check("atan2", 4, i, std::atan2(T(point(-3, 3, i)), T(-1.5)));
    ++row;
    for (int i = 0; i < POINTS; ++i) check("fmod", 0, i, std::fmod(T(point(-30, 30, i)), T(0.7)));
    ++row;
    for (int i = 0; i < POINTS; ++i) check("hypot", 4, i, std::hypot(T(point(-3, 3, i)), T(2)));
    return wrong;
}

int main() {
    std::printf("%d wrong\n", compare<float>("float", FLT_EPSILON) + compare<double>("double", DBL_EPSILON));
}
