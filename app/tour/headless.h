// Draws the interface without a window: Dear ImGui's OpenGL backend on an EGL context, events fed by code. The
// tour, the tests and the frame-time benchmark are made of it.
#pragma once

#include <imgui.h>

#include <functional>
#include <memory>
#include <string>

#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/fonts.h"
#include "visualizers/gl/egl_context.h"
#include "visualizers/gl/framebuffer.h"
#include "visualizers/theme/color.h"

namespace convscope::app {

class Headless {
public:
    Headless(int width, int height, float scale);
    ~Headless();
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;

    /// One frame: 'draw' fills it and returns the colour behind it. 'dt' is the time that the interface is told has
    /// passed, in seconds. Without 'rasterise' it is laid out but no pixels are drawn: the picture stays as it was.
    void frame(const std::function<Rgba()>& draw, float dt = 1.0F / 60, bool rasterise = true);
    /// Draws the pixels of a frame that was laid out without them.
    void rasterise();
    gl::Image picture() const { return framebuffer_->read(); }
    const Fonts& fonts() const { return fonts_; }
    const std::string& describe() const { return context_->describe(); }
    int width() const { return framebuffer_->width(); }
    int height() const { return framebuffer_->height(); }
    void set_scale(float scale);

    // Events, as a window's backend would feed them; they are seen by the next frame.
    void move_to(ImVec2 at);
    void button(bool down, int which = 0);
    void wheel(float notches);
    void key(Key, bool down);
    void modifiers(bool ctrl, bool shift, bool alt = false);
    void text(const std::string&);

private:
    std::unique_ptr<gl::EglContext> context_;
    ImGuiContext* imgui_ = nullptr;
    std::unique_ptr<gl::Framebuffer> framebuffer_;
    Fonts fonts_;
    Rgba background_;  ///< of the last frame
};

}  // namespace convscope::app
