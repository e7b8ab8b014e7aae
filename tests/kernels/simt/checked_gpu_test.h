// A watched GPU for tests with kernels of their own, and arrays that go with it.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "kernels/simt/on_checked/checked_device.h"

namespace convscope::on_checked {

class CheckedGpuTest : public ::testing::Test {
protected:
    ~CheckedGpuTest() override {
        for (void* memory : allocated_) gpu_.release(memory);
    }
    template <class T>
    T* unwritten(std::size_t count) {
        allocated_.push_back(gpu_.allocate(count * sizeof(T)));
        return static_cast<T*>(allocated_.back());
    }
    template <class T>
    T* zeros(std::size_t count) {
        T* memory = unwritten<T>(count);
        gpu_.fill_bytes(memory, 0, count * sizeof(T));
        return memory;
    }

    CheckedGpu gpu_;

private:
    std::vector<void*> allocated_;
};

}  // namespace convscope::on_checked
