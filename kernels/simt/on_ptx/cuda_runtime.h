// The CUDA runtime's calls that our launchers make, without a GPU: kernels are registered by name and run on a PtxGpu.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "kernels/ptx/run/tensor_map.h"

namespace convscope::on_ptx {

/// The arguments that a CUtensorMap was encoded from.
struct EncodedTensor {
    const void* address = nullptr;
    ptx::TensorBox box;
};

/// None where the 'bytes' of the parameter are no tensor map that was made here, or one that is forgotten.
std::optional<EncodedTensor> tensor_map_of(const void* parameter, std::size_t bytes);

/// Forgets the maps of tensors in this memory, which is about to be freed.
void forget_tensor_maps(std::span<const std::byte> memory) noexcept;

}  // namespace convscope::on_ptx
