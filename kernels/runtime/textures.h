// The arrays, textures and surfaces of the simulated GPU.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "kernels/ptx/run/texture.h"
#include "kernels/runtime/cuda_abi.h"
#include "kernels/runtime/texture_abi.h"

namespace convscope::runtime {

constexpr std::size_t texture_alignment = 512, texture_pitch_alignment = 32;  ///< cudaDeviceProp's

/// An array in the GPU's memory, plane by plane, row by row.
struct CudaArray {
    cudaChannelFormatDesc channels;
    cudaExtent extent;  ///< elements; height and depth 0 where it has no such dimension
    unsigned flags = 0;
    std::uint64_t address = 0;

    std::size_t element_bytes() const {
        return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
    }
    std::size_t row_bytes() const { return extent.width * element_bytes(); }
    std::size_t rows() const { return extent.height > 0 ? extent.height : 1; }
    std::size_t planes() const { return extent.depth > 0 ? extent.depth : 1; }
    unsigned dimensions() const { return extent.depth > 0 ? 3 : extent.height > 0 ? 2 : 1; }
    std::array<std::int64_t, 3> size() const {
        return {static_cast<std::int64_t>(extent.width), static_cast<std::int64_t>(rows()),
                static_cast<std::int64_t>(planes())};
    }
};

class Textures {
public:
    static Textures& get();  ///< the GPU's; under its mutex

    /// Throws Fault for a handle that is not an array.
    CudaArray& array(const void* handle);
    cudaArray_t add(CudaArray);
    void remove(const void* array);
    void clear();

    std::uint64_t create(const cudaResourceDesc&, const cudaTextureDesc* texture);  ///< null: a surface
    void destroy(std::uint64_t object, bool surface);

    const std::map<std::uint64_t, ptx::Texture>& all() const { return objects_; }

private:
    std::map<const void*, std::unique_ptr<CudaArray>> arrays_;
    std::map<std::uint64_t, ptx::Texture> objects_;
    std::uint64_t next_ = 0x7e00000001;  // like no address and no number that a program gives by mistake
};

}  // namespace convscope::runtime
