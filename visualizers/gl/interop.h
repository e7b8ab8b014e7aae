// The seam between CUDA and OpenGL: a set of GL buffers that are written either by CUDA, mapped for just as long as
// the write takes, or by the host. Whoever draws sees plain GL buffers and cannot tell the difference.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "visualizers/gl/objects.h"

namespace convscope {

/// The exports of the run-time module convscope_cuda_gl, through extern "C" convscope_cuda_gl(). Every function returns
/// null, or one sentence about the failure (valid until the next call).
struct CudaGlModule {
    const char* (*select_device)(int device);
    const char* (*register_buffer)(unsigned gl_buffer, void** resource);
    void (*unregister_buffer)(void* resource);
    const char* (*map)(void** resources, int count, void** pointers);  ///< pointers to GPU memory
    const char* (*unmap)(void** resources, int count);
};

/// Access to CUDA from OpenGL, or the reason why there is none.
class CudaGl {
public:
    /// Loads the module and selects the device; never throws.
    static std::shared_ptr<CudaGl> open(int cuda_device);
    /// There is no CUDA device in use.
    static std::shared_ptr<CudaGl> none(std::string reason);
    /// For tests: another implementation of the same functions.
    static std::shared_ptr<CudaGl> with(const CudaGlModule&);

    const CudaGlModule* module() const { return available_ ? &module_ : nullptr; }
    const std::string& reason() const { return reason_; }

private:
    CudaGlModule module_{};
    bool available_ = false;
    std::string reason_;
};

/// GL buffers shared with CUDA where that works. Belongs to the thread of the GL context.
class SharedBuffers {
public:
    explicit SharedBuffers(std::shared_ptr<CudaGl>);
    ~SharedBuffers();
    SharedBuffers(const SharedBuffers&) = delete;
    SharedBuffers& operator=(const SharedBuffers&) = delete;

    /// Makes one buffer per size, keeping those that already fit, and registers them with CUDA.
    void resize(const std::vector<std::string>& labels, const std::vector<std::int64_t>& bytes);
    /// True when CUDA can write all of them.
    bool interop() const { return interop_; }

    /// CUDA writes: maps all buffers, calls 'write' with GPU pointers in their order, unmaps on every path, so that
    /// nothing is mapped while GL draws. Where mapping fails, turns to the host path, keeps the reason, returns false
    /// and calls nothing. Where unmapping fails likewise, but then the buffers are new ones, with nothing in them.
    /// Passes on what 'write' throws.
    bool write_mapped(const std::function<void(const std::vector<void*>&)>& write);
    /// The host writes: calls 'write' with host memory, then uploads it into the same buffers.
    void write_host(const std::function<void(const std::vector<void*>&)>& write);

    /// The host writes a part of one buffer.
    void write_part(std::size_t i, const void* data, std::int64_t bytes, std::int64_t offset);

    std::size_t count() const { return buffers_.size(); }
    const gl::Buffer& operator[](std::size_t i) const { return buffers_[i]; }
    /// Bytes that the latest write copied through the host; 0 with interop.
    std::int64_t host_bytes() const { return host_bytes_; }
    /// How the latest write went: "interop" or "host upload (reason)".
    std::string describe() const;

private:
    void register_all();
    void unregister_all();
    void abandon(const std::string& reason);

    std::shared_ptr<CudaGl> cuda_;
    std::vector<gl::Buffer> buffers_;
    std::vector<void*> resources_;
    bool interop_ = false;
    bool mapped_ = false;  ///< the latest write went through interop
    std::string reason_;
    std::int64_t host_bytes_ = 0;
};

}  // namespace convscope
