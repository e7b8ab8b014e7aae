// What of the CUDA runtime our launchers call, without a GPU: kernels are registered by name and launched on a PtxGpu.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "kernels/ptx/tensor_map.h"

namespace convscope::on_ptx {

/// What a CUtensorMap was made of.
struct EncodedTensor {
    const void* address = nullptr;
    ptx::TensorBox box;
};

/// None where the 'bytes' of the parameter are no tensor map that was made here, or one that is forgotten.
std::optional<EncodedTensor> tensor_map_of(const void* parameter, std::size_t bytes);

/// Forgets the maps of tensors in this memory, which is about to be freed.
void forget_tensor_maps(std::span<const std::byte> memory) noexcept;

}  // namespace convscope::on_ptx
