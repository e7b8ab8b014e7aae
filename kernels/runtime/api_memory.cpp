// Allocations, copies, symbols.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/runtime/call.h"
#include "kernels/runtime/textures.h"

using namespace convscope;
using runtime::Allocation;
using runtime::call;
using runtime::CudaArray;
using runtime::Fault;
using runtime::Gpu;
using runtime::MemoryKind;
using runtime::Textures;

namespace {

constexpr std::size_t pitch_unit = 512;

Gpu& gpu() {
    return Gpu::get();
}

void require_place(const void* result) {
    if (!result) throw Fault{cudaErrorInvalidValue, "error", "is given no place for its result", 0};
}

cudaError_t allocate(const char* name, void** result, std::size_t bytes, MemoryKind kind) {
    return call(name, [&] {
        require_place(result);
        *result = gpu().allocate(kind, bytes, name);
    });
}

cudaError_t copy(const char* name, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream, bool waits) {
    return call(name, [&] {
        gpu().copy({to, bytes}, {const_cast<void*>(from), bytes}, bytes, 1, kind, stream, waits, name);
    });
}

cudaError_t copy_plane(const char* name, Gpu::Plane to, Gpu::Plane from, std::size_t width, std::size_t height,
                       cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
    return call(name, [&] { gpu().copy(to, from, width, height, kind, stream, waits, name); });
}

/// Where a place in a variable is, for copies.
void* in_variable(const void* symbol, std::size_t offset) {
    return reinterpret_cast<void*>(gpu().variable(symbol).address + offset);
}

cudaError_t copy_to_symbol(const char* name, const void* symbol, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
    return call(name, [&] {
        gpu().copy({in_variable(symbol, offset), bytes}, {const_cast<void*>(from), bytes}, bytes, 1, kind, stream,
                   waits, name);
        const runtime::Allocation& to = gpu().variable(symbol);
        if (offset == 0 && bytes > 1 && to.align > 1 && bytes * to.align == to.bytes)
            runtime::report({{"event", "note"},
                             {"call", name},
                             {"what", fmt::format("copies {0} bytes to {1}, which has {2}: sizes are in bytes, and {0} "
                                                  "elements of {3} have {2}",
                                                  bytes, to.name, to.bytes, to.align)},
                             {"frames", runtime::frames_here()}});
    });
}
cudaError_t copy_from_symbol(const char* name, void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
    return call(name, [&] {
        gpu().copy({to, bytes}, {in_variable(symbol, offset), bytes}, bytes, 1, kind, stream, waits, name);
    });
}

/// One side of a copy: memory, or an array, whose positions count elements.
class Volume {
public:
    Volume(const void* array, const cudaPitchedPtr& memory, const cudaPos& at)
        : array_(array ? &Textures::get().array(array) : nullptr), memory_(memory), at_(at) {}

    std::size_t element_bytes() const { return array_ ? array_->element_bytes() : 1; }
    /// Throws Fault where so many rows of so many bytes, in so many planes, are not in it.
    void require(std::size_t width, std::size_t height, std::size_t depth) const {
        if (array_ && (at_.x * element_bytes() + width > array_->row_bytes() || at_.y + height > array_->rows() ||
                       at_.z + depth > array_->planes()))
            throw Fault{cudaErrorInvalidValue, "out_of_bounds", "copies more than the array has", 0};
    }
    Gpu::Plane plane(std::size_t z) const {
        if (!array_)
            return {static_cast<char*>(memory_.ptr) + at_.x + memory_.pitch * (at_.y + memory_.ysize * (at_.z + z)),
                    memory_.pitch};
        const std::size_t row = array_->row_bytes();
        return {reinterpret_cast<void*>(array_->address + at_.x * element_bytes() +
                                        row * (at_.y + array_->rows() * (at_.z + z))),
                row};
    }

private:
    const CudaArray* array_;
    const cudaPitchedPtr& memory_;
    const cudaPos& at_;
};

cudaError_t copy_volume(const char* name, const cudaMemcpy3DParms* with, cudaStream_t stream, bool waits) {
    return call(name, [&] {
        const Volume to(with->dstArray, with->dstPtr, with->dstPos), from(with->srcArray, with->srcPtr, with->srcPos);
        // Where an array takes part the extent counts its elements.
        const std::size_t width = with->extent.width * std::max(to.element_bytes(), from.element_bytes());
        to.require(width, with->extent.height, with->extent.depth);
        from.require(width, with->extent.height, with->extent.depth);
        for (std::size_t z = 0; z < with->extent.depth; ++z)
            gpu().copy(to.plane(z), from.plane(z), width, with->extent.height, with->kind, stream, waits, name);
    });
}

cudaError_t fill(const char* name, void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                 cudaStream_t stream) {
    return call(name, [&] { gpu().fill(to, pitch, value, width, height, stream, name); });
}

}  // namespace

CUDA_API cudaError_t cudaMalloc(void** result, std::size_t bytes) {
    return allocate("cudaMalloc", result, bytes, MemoryKind::device);
}
CUDA_API cudaError_t cudaMallocAsync(void** result, std::size_t bytes, cudaStream_t) {
    return allocate("cudaMallocAsync", result, bytes, MemoryKind::device);
}
CUDA_API cudaError_t cudaMallocManaged(void** result, std::size_t bytes, unsigned) {
    return allocate("cudaMallocManaged", result, bytes, MemoryKind::managed);
}
CUDA_API cudaError_t cudaMallocHost(void** result, std::size_t bytes) {
    return allocate("cudaMallocHost", result, bytes, MemoryKind::pinned);
}
CUDA_API cudaError_t cudaHostAlloc(void** result, std::size_t bytes, unsigned) {
    return allocate("cudaHostAlloc", result, bytes, MemoryKind::pinned);
}
CUDA_API cudaError_t cudaMallocPitch(void** result, std::size_t* pitch, std::size_t width, std::size_t height) {
    return call("cudaMallocPitch", [&] {
        require_place(result);
        *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
        *result = gpu().allocate(MemoryKind::device, *pitch * height, "cudaMallocPitch");
    });
}
CUDA_API cudaError_t cudaMalloc3D(cudaPitchedPtr* result, cudaExtent extent) {
    return call("cudaMalloc3D", [&] {
        require_place(result);
        const std::size_t pitch = (extent.width + pitch_unit - 1) / pitch_unit * pitch_unit;
        void* memory = gpu().allocate(MemoryKind::device, pitch * extent.height * extent.depth, "cudaMalloc3D");
        *result = {memory, pitch, extent.width, extent.height};
    });
}
CUDA_API cudaError_t cudaFree(void* pointer) {
    return call("cudaFree", [&] { gpu().free(pointer, {MemoryKind::device, MemoryKind::managed}); });
}
CUDA_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
    return call("cudaFreeAsync", [&] { gpu().free(pointer, {MemoryKind::device}, false); });
}
CUDA_API cudaError_t cudaFreeHost(void* pointer) {
    return call("cudaFreeHost", [&] { gpu().free(pointer, {MemoryKind::pinned}); });
}
CUDA_API cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
    return call("cudaHostRegister", [&] { gpu().add_registered(pointer, bytes); });
}
CUDA_API cudaError_t cudaHostUnregister(void* pointer) {
    return call("cudaHostUnregister", [&] { gpu().free(pointer, {MemoryKind::registered}); });
}
CUDA_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
    return call("cudaHostGetDevicePointer", [&] {
        if (const Allocation* in = gpu().heap().find(reinterpret_cast<std::uint64_t>(host)); !in || !in->host_reaches())
            throw Fault{cudaErrorInvalidValue, "error", "is given what cudaHostAlloc has not returned", 0};
        *device = host;
    });
}
CUDA_API cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
    *flags = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaMemGetInfo(std::size_t* left, std::size_t* total) {
    return call("cudaMemGetInfo", [&] {
        *total = gpu().heap().capacity();
        *left = *total - gpu().heap().used();
    });
}
CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call("cudaPointerGetAttributes", [&] {
        *attributes = {};
        const Allocation* in = gpu().heap().find(reinterpret_cast<std::uint64_t>(pointer));
        if (!in || in->freed) {
            attributes->device = -2;
            attributes->hostPointer = const_cast<void*>(pointer);
            return;
        }
        attributes->devicePointer = const_cast<void*>(pointer);
        attributes->type = in->kind == MemoryKind::managed ? cudaMemoryTypeManaged
                           : in->host_reaches()            ? cudaMemoryTypeHost
                                                           : cudaMemoryTypeDevice;
        if (in->host_reaches()) attributes->hostPointer = const_cast<void*>(pointer);
    });
}
CUDA_API cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, ...) {
    return cudaSuccess;  // moves pages, of which nothing is seen
}
CUDA_API cudaError_t cudaMemAdvise(const void*, std::size_t, ...) {
    return cudaSuccess;
}
CUDA_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, std::size_t, unsigned) {
    return cudaSuccess;
}

CUDA_API cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return copy("cudaMemcpy", to, from, bytes, kind, nullptr, true);
}
CUDA_API cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    return copy("cudaMemcpyAsync", to, from, bytes, kind, stream, false);
}
CUDA_API cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
    return copy("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice, nullptr, true);
}
CUDA_API cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream) {
    return copy("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice, stream, false);
}
CUDA_API cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return copy_plane("cudaMemcpy2D", {to, to_pitch}, {const_cast<void*>(from), from_pitch}, width, height, kind,
                      nullptr, true);
}
CUDA_API cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                       std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return copy_plane("cudaMemcpy2DAsync", {to, to_pitch}, {const_cast<void*>(from), from_pitch}, width, height, kind,
                      stream, false);
}
CUDA_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* with) {
    return copy_volume("cudaMemcpy3D", with, nullptr, true);
}
CUDA_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* with, cudaStream_t stream) {
    return copy_volume("cudaMemcpy3DAsync", with, stream, false);
}

CUDA_API cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return fill("cudaMemset", to, bytes, value, bytes, 1, nullptr);
}
CUDA_API cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return fill("cudaMemsetAsync", to, bytes, value, bytes, 1, stream);
}
CUDA_API cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return fill("cudaMemset2D", to, pitch, value, width, height, nullptr);
}
CUDA_API cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                       cudaStream_t stream) {
    return fill("cudaMemset2DAsync", to, pitch, value, width, height, stream);
}
CUDA_API cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return call("cudaMemset3D", [&] {
        for (std::size_t z = 0; z < extent.depth; ++z)
            gpu().fill(static_cast<char*>(to.ptr) + z * to.pitch * to.ysize, to.pitch, value, extent.width,
                       extent.height, nullptr, "cudaMemset3D");
    });
}

CUDA_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                        cudaMemcpyKind kind) {
    return copy_to_symbol("cudaMemcpyToSymbol", symbol, from, bytes, offset, kind, nullptr, true);
}
CUDA_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_to_symbol("cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, kind, stream, false);
}
CUDA_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                          cudaMemcpyKind kind) {
    return copy_from_symbol("cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind, nullptr, true);
}
CUDA_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                               cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_from_symbol("cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, kind, stream, false);
}
CUDA_API cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
    return call("cudaGetSymbolAddress", [&] { *address = in_variable(symbol, 0); });
}
CUDA_API cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
    return call("cudaGetSymbolSize", [&] { *bytes = gpu().variable(symbol).bytes; });
}
