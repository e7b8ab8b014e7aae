// OpenGL without a window or an X server: a context on a GPU's EGL device, or on Mesa's software renderer.
#pragma once

#include <memory>
#include <string>

namespace convscope::gl {

/// An OpenGL 4.3 (or later) core context, current on the thread that made it until it is destroyed.
class EglContext {
public:
    /// Tries the EGL devices first (NVIDIA's before software ones; with 'cuda_device' >= 0 the one that is that CUDA
    /// device, for interop), then Mesa's surfaceless platform, then the default display with a pbuffer.
    /// Throws Error(failed) with one sentence that says what was tried.
    static std::unique_ptr<EglContext> create(int cuda_device = -1);
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    /// "llvmpipe (LLVM 15.0.6, 256 bits), EGL device": for the status line.
    const std::string& describe() const { return description_; }

private:
    EglContext() = default;
    void* display_ = nullptr;
    void* context_ = nullptr;
    void* surface_ = nullptr;
    std::string description_;
};

}  // namespace convscope::gl
