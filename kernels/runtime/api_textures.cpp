// Arrays, copies to and from them, textures and surfaces.
#include "kernels/runtime/call.h"
#include "kernels/runtime/textures.h"

using namespace convscope;
using runtime::call;
using runtime::CudaArray;
using runtime::Fault;
using runtime::Gpu;
using runtime::MemoryKind;
using runtime::Textures;

namespace {

cudaError_t make_array(const char* name, cudaArray_t* result, const cudaChannelFormatDesc* channels, cudaExtent extent,
                       unsigned flags) {
    return call(name, [&] {
        if (!result || !channels) throw Fault{cudaErrorInvalidValue, "error", "is given no place for its result", 0};
        if (flags & ~(cudaArraySurfaceLoadStore | cudaArrayTextureGather))
            throw Fault{cudaErrorNotSupported, "not_supported", "of layers or of a cube is not supported", 0};
        if (extent.depth > 0 && extent.height == 0)
            throw Fault{cudaErrorInvalidValue, "error", "makes an array of planes without rows", 0};
        CudaArray made{*channels, extent, flags};
        const cudaArray_t handle = Textures::get().add(made);
        try {
            Textures::get().array(handle).address = reinterpret_cast<std::uint64_t>(
                Gpu::get().allocate(MemoryKind::device, made.row_bytes() * made.rows() * made.planes(), name));
        } catch (...) {
            Textures::get().remove(handle);
            throw;
        }
        *result = handle;
    });
}

/// From a place on: x in bytes, y in rows.
Gpu::Plane plane_of(const void* array, std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
    const CudaArray& in = Textures::get().array(array);
    const std::size_t rows = in.rows() * in.planes();
    if (x > in.row_bytes() || width > in.row_bytes() - x || y > rows || height > rows - y)
        throw Fault{cudaErrorInvalidValue, "out_of_bounds",
                    "copies " + std::to_string(height) + " rows of " + std::to_string(width) + " bytes from byte " +
                        std::to_string(x) + " of row " + std::to_string(y) + " on, and the array has " +
                        std::to_string(in.rows() * in.planes()) + " rows of " + std::to_string(in.row_bytes()),
                    0};
    return {reinterpret_cast<void*>(in.address + y * in.row_bytes() + x), in.row_bytes()};
}

/// So many bytes from a place on, row after row.
Gpu::Plane bytes_of(const void* array, std::size_t x, std::size_t y, std::size_t bytes) {
    const CudaArray& in = Textures::get().array(array);
    const std::size_t all = in.row_bytes() * in.rows() * in.planes();
    if (x > in.row_bytes() || y > in.rows() * in.planes() || y * in.row_bytes() + x > all ||
        bytes > all - (y * in.row_bytes() + x))
        throw Fault{cudaErrorInvalidValue, "out_of_bounds",
                    "copies " + std::to_string(bytes) + " bytes from byte " + std::to_string(x) + " of row " +
                        std::to_string(y) + " on, and the array has " + std::to_string(all) + " in all",
                    0};
    return {reinterpret_cast<void*>(in.address + y * in.row_bytes() + x), bytes};
}

Gpu::Plane plane_at(const void* memory, std::size_t pitch) {
    return {const_cast<void*>(memory), pitch};
}

cudaError_t copy_to_array(const char* name, cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                          std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                          cudaStream_t stream, bool waits) {
    return call(name, [&] {
        Gpu::get().copy(plane_of(to, x, y, width, height), plane_at(from, pitch), width, height, kind, stream, waits,
                        name);
    });
}
cudaError_t copy_from_array(const char* name, void* to, std::size_t pitch, cudaArray_t from, std::size_t x,
                            std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                            cudaStream_t stream, bool waits) {
    return call(name, [&] {
        Gpu::get().copy(plane_at(to, pitch), plane_of(from, x, y, width, height), width, height, kind, stream, waits,
                        name);
    });
}

}  // namespace

CUDA_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}
CUDA_API cudaError_t cudaMallocArray(cudaArray_t* result, const cudaChannelFormatDesc* channels, std::size_t width,
                                     std::size_t height, unsigned flags) {
    return make_array("cudaMallocArray", result, channels, {width, height, 0}, flags);
}
CUDA_API cudaError_t cudaMalloc3DArray(cudaArray_t* result, const cudaChannelFormatDesc* channels, cudaExtent extent,
                                       unsigned flags) {
    return make_array("cudaMalloc3DArray", result, channels, extent, flags);
}
CUDA_API cudaError_t cudaFreeArray(cudaArray_t array) {
    return call("cudaFreeArray", [&] {
        if (!array) return;
        Gpu::get().free(reinterpret_cast<void*>(Textures::get().array(array).address), {MemoryKind::device});
        Textures::get().remove(array);
    });
}
CUDA_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                                      cudaArray_t array) {
    return call("cudaArrayGetInfo", [&] {
        const CudaArray& in = Textures::get().array(array);
        if (channels) *channels = in.channels;
        if (extent) *extent = in.extent;
        if (flags) *flags = in.flags;
    });
}
CUDA_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_t array) {
    return call("cudaGetChannelDesc", [&] { *channels = Textures::get().array(array).channels; });
}

CUDA_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                         std::size_t pitch, std::size_t width, std::size_t height,
                                         cudaMemcpyKind kind) {
    return copy_to_array("cudaMemcpy2DToArray", to, x, y, from, pitch, width, height, kind, nullptr, true);
}
CUDA_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                              std::size_t pitch, std::size_t width, std::size_t height,
                                              cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_to_array("cudaMemcpy2DToArrayAsync", to, x, y, from, pitch, width, height, kind, stream, false);
}
CUDA_API cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_t from, std::size_t x, std::size_t y,
                                           std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return copy_from_array("cudaMemcpy2DFromArray", to, pitch, from, x, y, width, height, kind, nullptr, true);
}
CUDA_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_t from, std::size_t x,
                                                std::size_t y, std::size_t width, std::size_t height,
                                                cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_from_array("cudaMemcpy2DFromArrayAsync", to, pitch, from, x, y, width, height, kind, stream, false);
}
CUDA_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_t from,
                                              std::size_t from_x, std::size_t from_y, std::size_t width,
                                              std::size_t height, cudaMemcpyKind kind) {
    return call("cudaMemcpy2DArrayToArray", [&] {
        Gpu::get().copy(plane_of(to, to_x, to_y, width, height), plane_of(from, from_x, from_y, width, height), width,
                        height, kind, nullptr, true, "cudaMemcpy2DArrayToArray");
    });
}
CUDA_API cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                       std::size_t bytes, cudaMemcpyKind kind) {
    return call("cudaMemcpyToArray", [&] {  // row after row
        Gpu::get().copy(bytes_of(to, x, y, bytes), plane_at(from, bytes), bytes, 1, kind, nullptr, true,
                        "cudaMemcpyToArray");
    });
}
CUDA_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                         cudaMemcpyKind kind) {
    return call("cudaMemcpyFromArray", [&] {
        Gpu::get().copy(plane_at(to, bytes), bytes_of(from, x, y, bytes), bytes, 1, kind, nullptr, true,
                        "cudaMemcpyFromArray");
    });
}

CUDA_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* result, const cudaResourceDesc* resource,
                                             const cudaTextureDesc* texture, const void* view) {
    return call("cudaCreateTextureObject", [&] {
        if (!result || !resource || !texture)
            throw Fault{cudaErrorInvalidValue, "error", "is given no resource, no texture, or no place for its result",
                        0};
        if (view) throw Fault{cudaErrorNotSupported, "not_supported", "with a resource view is not supported", 0};
        *result = Textures::get().create(*resource, texture);
    });
}
CUDA_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return call("cudaDestroyTextureObject", [&] { Textures::get().destroy(object, false); });
}
CUDA_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* result, const cudaResourceDesc* resource) {
    return call("cudaCreateSurfaceObject", [&] {
        if (!result || !resource)
            throw Fault{cudaErrorInvalidValue, "error", "is given no resource, or no place for its result", 0};
        *result = Textures::get().create(*resource, nullptr);
    });
}
CUDA_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return call("cudaDestroySurfaceObject", [&] { Textures::get().destroy(object, true); });
}
