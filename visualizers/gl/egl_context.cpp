#include "visualizers/gl/egl_context.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/core/error.h"

namespace convscope::gl {
namespace {

struct Attempt {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
    std::string error;  ///< the failure; empty when the context is current
};

bool has_extension(const char* list, const char* name) {
    const std::size_t length = std::strlen(name);
    for (const char* at = list; at && (at = std::strstr(at, name)); at += length)
        if (at[length] == ' ' || at[length] == '\0') return true;
    return false;
}

EGLContext make_core_context(EGLDisplay display, EGLConfig config) {
    for (const int minor : {6, 5, 4, 3}) {
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     4,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     minor,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
        if (EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes)) return context;
    }
    return EGL_NO_CONTEXT;
}

EGLConfig choose_config(EGLDisplay display, EGLint surface_type) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             surface_type,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    return eglChooseConfig(display, wanted, &config, 1, &count) && count > 0 ? config : nullptr;
}

Attempt attempt(EGLDisplay display) {
    Attempt result;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
        result.error = "no display";
        return result;
    }
    result.display = display;
    eglBindAPI(EGL_OPENGL_API);
    const bool surfaceless = has_extension(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
    EGLConfig config = choose_config(display, EGL_PBUFFER_BIT);
    if (!config && surfaceless) config = choose_config(display, 0);
    result.context = config ? make_core_context(display, config) : EGL_NO_CONTEXT;
    if (!result.context) {
        result.error = config ? "no OpenGL 4.3 core context" : "no configuration with OpenGL";
        eglTerminate(display);
        return result;
    }
    if (!surfaceless) {
        const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
        result.surface = eglCreatePbufferSurface(display, config, size);
    }
    if (!eglMakeCurrent(display, result.surface, result.surface, result.context)) {
        result.error = "the context cannot be made current";
        eglDestroyContext(display, result.context);
        eglTerminate(display);
    }
    return result;
}

/// Lower is tried earlier.
int rank(EGLDeviceEXT device, int cuda_device) {
    const char* extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
    if (has_extension(extensions, "EGL_MESA_device_software")) return 3;
    EGLAttrib cuda = -1;
    if (has_extension(extensions, "EGL_NV_device_cuda") && eglQueryDeviceAttribEXT(device, EGL_CUDA_DEVICE_NV, &cuda))
        return cuda_device < 0 || cuda == cuda_device ? 0 : 1;
    return 2;
}

std::vector<EGLDisplay> device_displays(const char* client_extensions, int cuda_device) {
    if (!has_extension(client_extensions, "EGL_EXT_platform_device")) return {};
    if (!has_extension(client_extensions, "EGL_EXT_device_enumeration") &&
        !has_extension(client_extensions, "EGL_EXT_device_base"))
        return {};
    EGLDeviceEXT devices[32];
    EGLint count = 0;
    if (!eglQueryDevicesEXT(32, devices, &count)) return {};
    std::stable_sort(devices, devices + count, [cuda_device](EGLDeviceEXT a, EGLDeviceEXT b) {
        return rank(a, cuda_device) < rank(b, cuda_device);
    });
    std::vector<EGLDisplay> displays;
    for (EGLint i = 0; i < count; ++i)
        displays.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    return displays;
}

}  // namespace

std::unique_ptr<EglContext> EglContext::create(int cuda_device) {
    // libepoxy ends the program when the library is missing; ask first.
    if (!dlopen("libEGL.so.1", RTLD_LAZY | RTLD_GLOBAL))
        throw Error(ErrorKind::failed, "drawing without a window needs libEGL.so.1; install libegl1");
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);

    struct Candidate {
        const char* platform;
        EGLDisplay display;
    };
    std::vector<Candidate> candidates;
    for (EGLDisplay display : device_displays(extensions, cuda_device)) candidates.push_back({"EGL device", display});
    if (has_extension(extensions, "EGL_MESA_platform_surfaceless"))
        candidates.push_back(
            {"surfaceless", eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr)});
    candidates.push_back({"default display", eglGetDisplay(EGL_DEFAULT_DISPLAY)});

    std::string tried;
    for (const Candidate& candidate : candidates) {
        const Attempt result = attempt(candidate.display);
        if (result.error.empty()) {
            std::unique_ptr<EglContext> made(new EglContext);
            made->display_ = result.display;
            made->context_ = result.context;
            made->surface_ = result.surface;
            made->description_ =
                fmt::format("{}, {}", reinterpret_cast<const char*>(glGetString(GL_RENDERER)), candidate.platform);
            return made;
        }
        tried += fmt::format("{}{}: {}", tried.empty() ? "" : "; ", candidate.platform, result.error);
    }
    throw Error(ErrorKind::failed,
                "EGL offers no OpenGL 4.3 here (" + tried + "); install libegl-mesa0 and libgl1-mesa-dri");
}

EglContext::~EglContext() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface_) eglDestroySurface(display_, surface_);
    eglDestroyContext(display_, context_);
    eglTerminate(display_);
}

}  // namespace convscope::gl
