// How many instructions of threads the PTX executor runs in a second on one core, every check on: a tiled matrix
// product and im2col, as compilers make them.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "tests/kernels/ptx/sample.h"

namespace {

using namespace convscope;
using ptx::testing::Sample;

/// Million thread-instructions per second of CPU time, the best of some runs: for other programs run, too.
template <class Run>
void print_speed(const char* what, const Run& run) {
    double best = 0, instructions = 0;
    for (int i = 0; i < 5; ++i) {
        const std::clock_t begin = std::clock();
        instructions = static_cast<double>(run().counts.thread_instructions);
        best = std::max(best, 1e-6 * instructions * CLOCKS_PER_SEC / static_cast<double>(std::clock() - begin));
    }
    fmt::print("{:<34} {:>7.1f} M instructions {:>8.1f} M/s\n", what, 1e-6 * instructions, best);
}

}  // namespace

int main() {
    {
        Sample kernel = ptx::testing::sample("matmul");
        kernel.request.workers = 1;
        int n = 256;
        auto a = ptx::testing::random_floats(n * n, 1), b = ptx::testing::random_floats(n * n, 2);
        std::vector<float> c(n * n);
        print_speed("matrix product, tiles of 16 x 16", [&] { return kernel({16, 16}, {16, 16}, a, b, c, n); });
    }
    {
        Sample kernel = ptx::testing::sample("im2col");
        kernel.request.workers = 1;
        int c = 64, h = 56, r = 3, pad = 1;
        auto x = ptx::testing::random_floats(c * h * h);
        std::vector<float> columns(c * r * r * h * h);
        const int blocks = c * h * h / 128;
        print_speed("im2col, 64 x 56 x 56, 3 x 3",
                    [&] { return kernel({blocks}, {128}, x, columns, c, h, h, r, r, pad, h, h); });
    }
    {
        Sample kernel = ptx::testing::sample("convolution");
        kernel.request.workers = 1;
        int c = 16, h = 28, k = 16, r = 3, one = 1;
        auto x = ptx::testing::random_floats(c * h * h, 1), w = ptx::testing::random_floats(k * c * r * r, 2);
        std::vector<float> y(k * h * h);
        print_speed("direct convolution, 16 x 28 x 28", [&] {
            return kernel({2, 2, k}, {16, 16}, x, w, y, c, h, h, k, r, r, h, h, one, one);
        });
    }
    return 0;
}
