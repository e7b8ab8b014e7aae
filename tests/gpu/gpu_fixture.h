// The registry of this machine and its first GPU, for tests that need one.
#pragma once

#include <gtest/gtest.h>

#include "kernels/core/registry.h"

namespace convscope::testing {

Registry& gpu_registry();

/// Why there is no GPU to test on; empty when cuda:0 is available.
std::string no_gpu_reason();

/// Skips its tests where there is no GPU.
class GpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = no_gpu_reason(); !reason.empty()) GTEST_SKIP() << "no GPU: " << reason;
    }
    Device& device() { return gpu_registry().device("cuda:0"); }
};

}  // namespace convscope::testing
