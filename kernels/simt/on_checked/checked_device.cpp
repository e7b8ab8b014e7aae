#include "kernels/simt/on_checked/checked_device.h"

#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/on_sim/sim_device.h"

namespace convscope {

void* CheckedGpu::allocate(std::size_t bytes) {
    void* memory = SimGpu::allocate(bytes);
    checker_.add(memory, bytes);
    return memory;
}

void CheckedGpu::release(void* memory) noexcept {
    checker_.remove(memory);
    SimGpu::release(memory);
}

void CheckedGpu::upload(void* device, const void* host, std::size_t bytes) {
    SimGpu::upload(device, host, bytes);
    checker_.mark_written(device, bytes);
}

void CheckedGpu::fill_bytes(void* device, int byte, std::size_t bytes) {
    constexpr int poison = 0xff;
    SimGpu::fill_bytes(device, byte, bytes);
    byte == poison ? checker_.mark_unwritten(device, bytes) : checker_.mark_written(device, bytes);
}

void CheckedGpu::gemm(const GemmShape& shape, const float* a, const float* b, float* c) {
    ++library_calls_;
    const auto bytes = [](std::int64_t elements) { return static_cast<std::size_t>(elements) * sizeof(float); };
    for (std::int64_t row = 0; row < shape.m; ++row) checker_.require_written(a + row * shape.lda, bytes(shape.k));
    for (std::int64_t row = 0; row < shape.k; ++row) checker_.require_written(b + row * shape.ldb, bytes(shape.n));
    SimGpu::gemm(shape, a, b, c);
    for (std::int64_t row = 0; row < shape.m; ++row) checker_.mark_written(c + row * shape.ldc, bytes(shape.n));
}

void CheckedGpu::sparse_product(const SparseProductShape& shape, const CsrArrays& s, const float* d, float* c) {
    ++library_calls_;
    constexpr std::size_t word = 4;  // bytes of an element of every array
    checker_.require_written(s.row_offsets, word * static_cast<std::size_t>(shape.rows + 1));
    const auto nonzeros = static_cast<std::size_t>(s.row_offsets[shape.rows]);
    checker_.require_written(s.columns, word * nonzeros);
    checker_.require_written(s.values, word * nonzeros);
    for (std::int64_t row = 0; row < shape.depth; ++row)
        checker_.require_written(d + row * shape.ldd, word * static_cast<std::size_t>(shape.columns));
    SimGpu::sparse_product(shape, s, d, c);
    checker_.mark_written(c, word * static_cast<std::size_t>(shape.rows * shape.columns));
}

void CheckedGpu::transform(const MapTransform& transform, const FftShape& shape, FftDirection direction, float* maps) {
    ++library_calls_;
    const auto bytes = [](std::int64_t elements) { return static_cast<std::size_t>(elements) * sizeof(float); };
    const bool forward = direction == FftDirection::forward;
    const std::int64_t real = shape.columns, complex = shape.row_floats(), rows = shape.maps * shape.rows;
    for (std::int64_t row = 0; row < rows; ++row)
        checker_.require_written(maps + row * complex, bytes(forward ? real : complex));
    SimGpu::transform(transform, shape, direction, maps);
    // The elements behind a real row do not count.
    checker_.mark_unwritten(maps, bytes(rows * complex));
    for (std::int64_t row = 0; row < rows; ++row)
        checker_.mark_written(maps + row * complex, bytes(forward ? complex : real));
}

CheckedDevice::CheckedDevice() {
    auto gpu = std::make_unique<CheckedGpu>();
    gpu_ = gpu.get();
    registry_.add(make_sim_device(std::move(gpu)));
    on_checked::register_gpu_methods(registry_);
    on_checked::register_ecr_as_printed(registry_);
    on_checked::register_pecr_as_printed(registry_);
    on_checked::register_fused_as_printed(registry_);
}

}  // namespace convscope
