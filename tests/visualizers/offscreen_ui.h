// One ImGui window over the whole of an off-screen picture, drawn through EGL: for tests that look at pixels.
#pragma once

#include <functional>
#include <memory>

#include <imgui.h>

#include "visualizers/gl/egl_context.h"
#include "visualizers/gl/framebuffer.h"
#include "visualizers/style/view_style.h"

namespace convscope {

class OffscreenUi {
public:
    OffscreenUi(int width, int height, float scale = 1, const Theme& = dark_theme());
    ~OffscreenUi();
    OffscreenUi(const OffscreenUi&) = delete;

    const ViewStyle& style() const { return style_; }
    void mouse_at(float x, float y) { mouse_ = {x, y}; }
    void mouse_down(bool down) { down_ = down; }
    void wheel(float steps) { wheel_ = steps; }
    /// One frame: 'draw' runs inside the window.
    gl::Image frame(const std::function<void()>& draw);
    /// The same without reading the picture; returns when it is drawn.
    void draw(const std::function<void()>& draw);
    /// The frame's input and layout without any drawing.
    void layout_only(const std::function<void()>& draw);

private:
    void load_fonts(float scale);

    std::unique_ptr<gl::EglContext> egl_;
    std::unique_ptr<gl::Framebuffer> framebuffer_;
    ViewStyle style_;
    ImVec2 mouse_{-1e9f, -1e9f};
    bool down_ = false;
    float wheel_ = 0;
};

/// Where a test leaves a picture for a user to look at: $CONVSCOPE_TEST_PICTURES, when set.
void keep_image(const char* name, const gl::Image&);

}  // namespace convscope
