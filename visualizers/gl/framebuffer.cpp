#include "visualizers/gl/framebuffer.h"

#include <epoxy/gl.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "visualizers/gl/objects.h"

namespace convscope::gl {

Framebuffer::Framebuffer(int width, int height) : width_(width), height_(height) {
    glGenTextures(1, &colour_);
    glBindTexture(GL_TEXTURE_2D, colour_);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    glBindTexture(GL_TEXTURE_2D, 0);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour_, 0);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    check("making an off-screen framebuffer");
    if (!complete) throw Error(ErrorKind::failed, "OpenGL cannot draw into an off-screen framebuffer of this size");
    bind();
}

Framebuffer::~Framebuffer() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteTextures(1, &colour_);
}

void Framebuffer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
}

Image Framebuffer::read() const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    return read_pixels(0, 0, width_, height_, height_);
}

Image read_pixels(int x, int y, int width, int height, int framebuffer_height) {
    Image image{width, height, std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * height)};
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, framebuffer_height - y - height, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    check("reading the picture");
    // OpenGL's first row is the lowest.
    const std::size_t row = 4 * static_cast<std::size_t>(width);
    for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom)
        std::swap_ranges(image.rgba.begin() + top * row, image.rgba.begin() + (top + 1) * row,
                         image.rgba.begin() + bottom * row);
    return image;
}

}  // namespace convscope::gl
