// What of the CUDA runtime our launchers call, without a GPU: kernels are registered by name and launched on a PtxGpu.
#pragma once

#include <cstddef>
#include <optional>

#include "kernels/ptx/tensor_map.h"

namespace convscope::on_ptx {

/// What a CUtensorMap was made of.
struct EncodedTensor {
    const void* address = nullptr;
    ptx::TensorBox box;
};

/// None where the 'bytes' of the parameter are no tensor map that was made here.
std::optional<EncodedTensor> tensor_map_of(const void* parameter, std::size_t bytes);

}  // namespace convscope::on_ptx
