// The Kernel view with a file of a test's own, saved again and again.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "app/ui/kernel_view/kernel_view.h"
#include "tests/app/open_kernel.h"

namespace convscope::app {

inline constexpr const char* add_kernel =
    "// convscope: n = 100, grid = ceil(n/64), block = 64, a = random(n), b = random(n), c = out(n)\n"
    "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) c[i] = a[i] + b[i];\n"
    "}\n";

class KernelGui : public OpenKernelTest {
protected:
    std::filesystem::path write(const std::string& text) { return write_later(text, std::chrono::seconds(++saves_)); }
    /// Opened as a file that is dropped on the window.
    void open(const std::string& text) {
        app_.shell().open(write(text));
        ASSERT_TRUE(ready());
    }
    std::string verdict() { return check()->result ? check()->verdict : "was not run"; }

    int saves_ = 0;
};

}  // namespace convscope::app
