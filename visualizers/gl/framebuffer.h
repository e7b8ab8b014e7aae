// An off-screen framebuffer, for pictures without a window.
#pragma once

#include "visualizers/gl/image.h"

namespace convscope::gl {

class Framebuffer {
public:
    Framebuffer(int width, int height);
    ~Framebuffer();
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    unsigned texture() const { return colour_; }  ///< texture with the drawn pixels
    /// Binds it as the target of drawing, its whole area the viewport.
    void bind() const;
    /// The pixels as drawn, one to one, after the queue is empty.
    Image read() const;

private:
    int width_, height_;
    unsigned framebuffer_ = 0, colour_ = 0;
};

/// Reads a rectangle of the framebuffer that is bound for reading; x and y count from the top left of a
/// framebuffer 'framebuffer_height' pixels high.
Image read_pixels(int x, int y, int width, int height, int framebuffer_height);

}  // namespace convscope::gl
