#include "tests/visualizers/offscreen_ui.h"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include <cstdlib>

#include "visualizers/theme/font_files.h"

namespace convscope {

OffscreenUi::OffscreenUi(int width, int height, float scale, const Theme& theme) : egl_(gl::EglContext::create()) {
    framebuffer_ = std::make_unique<gl::Framebuffer>(width, height);
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DeltaTime = 1.0f / 60;
    load_fonts(scale);
    apply_theme(theme, scale, ImGui::GetStyle());
    style_.theme = &theme;
    style_.scale = scale;
    ImGui_ImplOpenGL3_Init("#version 430 core");
}

OffscreenUi::~OffscreenUi() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

void OffscreenUi::load_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    auto load = [&](const char* file) { return atlas.AddFontFromFileTTF((font_folder() / file).c_str(), 15 * scale); };
    style_.text = load(text_font);
    style_.mono = load(monospace_font);
}

gl::Image OffscreenUi::frame(const std::function<void()>& contents) {
    draw(contents);
    return framebuffer_->read();
}

void OffscreenUi::layout_only(const std::function<void()>& contents) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = mouse_;
    io.MouseDown[0] = down_;
    io.MouseWheel = wheel_;
    wheel_ = 0;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("test", nullptr,
                 ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoScrollWithMouse);
    contents();
    ImGui::End();
    ImGui::Render();
}

void OffscreenUi::draw(const std::function<void()>& contents) {
    layout_only(contents);
    framebuffer_->bind();
    // Cleared to the window's colour: a second coat is a third of a frame in software.
    const Rgba& back = style_.theme->panel;
    glDisable(GL_SCISSOR_TEST);
    glClearColor(back.r, back.g, back.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glFinish();
}

void keep_image(const char* name, const gl::Image& image) {
    const char* folder = std::getenv("CONVSCOPE_TEST_PICTURES");
    if (!folder) return;
    std::filesystem::create_directories(folder);
    gl::write_png(std::filesystem::path(folder) / (std::string(name) + ".png"), image);
}

}  // namespace convscope
