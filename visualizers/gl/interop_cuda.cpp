// The run-time module that shares GL buffers with CUDA. Only built with a CUDA toolkit; loaded only where a CUDA
// device is in use, so the app itself needs no CUDA library.
#include <epoxy/gl.h>
// After epoxy, which stands in for the GL header that this one would include.
#include <cuda_gl_interop.h>

#include <string>

#include "visualizers/gl/interop.h"

namespace {

const char* outcome(const char* call, cudaError_t error) {
    if (error == cudaSuccess) return nullptr;
    static thread_local std::string sentence;
    sentence = std::string(call) + ": " + cudaGetErrorString(error);
    cudaGetLastError();
    return sentence.c_str();
}

const char* select_device(int device) {
    return outcome("cudaSetDevice", cudaSetDevice(device));
}

const char* register_buffer(unsigned gl_buffer, void** resource) {
    auto** graphics = reinterpret_cast<cudaGraphicsResource**>(resource);
    return outcome("cudaGraphicsGLRegisterBuffer",
                   cudaGraphicsGLRegisterBuffer(graphics, gl_buffer, cudaGraphicsRegisterFlagsNone));
}

void unregister_buffer(void* resource) {
    outcome("cudaGraphicsUnregisterResource",
            cudaGraphicsUnregisterResource(static_cast<cudaGraphicsResource*>(resource)));
}

const char* unmap(void** resources, int count) {
    return outcome("cudaGraphicsUnmapResources",
                   cudaGraphicsUnmapResources(count, reinterpret_cast<cudaGraphicsResource**>(resources)));
}

const char* map(void** resources, int count, void** pointers) {
    auto** graphics = reinterpret_cast<cudaGraphicsResource**>(resources);
    if (const char* error = outcome("cudaGraphicsMapResources", cudaGraphicsMapResources(count, graphics)))
        return error;
    for (int i = 0; i < count; ++i) {
        std::size_t bytes = 0;
        const cudaError_t got = cudaGraphicsResourceGetMappedPointer(&pointers[i], &bytes, graphics[i]);
        if (got != cudaSuccess) {
            unmap(resources, count);
            return outcome("cudaGraphicsResourceGetMappedPointer", got);
        }
    }
    return nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const convscope::CudaGlModule* convscope_cuda_gl() {
    static constexpr convscope::CudaGlModule module{select_device, register_buffer, unregister_buffer, map, unmap};
    return &module;
}
