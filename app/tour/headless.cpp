#include "app/tour/headless.h"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include "app/desktop/imgui_setup.h"

namespace convscope::app {

Headless::Headless(int width, int height, float scale) : context_(gl::EglContext::create()) {
    imgui_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    set_up_imgui(io);
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    map_keys_for_headless();
    ImGui_ImplOpenGL3_Init("#version 430 core");
    framebuffer_ = std::make_unique<gl::Framebuffer>(width, height);
    fonts_ = load_fonts(scale);
}

Headless::~Headless() {
    framebuffer_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(imgui_);
}

void Headless::set_scale(float scale) {
    fonts_ = load_fonts(scale);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Headless::frame(const std::function<Rgba()>& draw, float dt, bool rasterise) {
    ImGui::GetIO().DeltaTime = dt;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    if (ItemRegistry::active) ItemRegistry::active->clear();
    background_ = draw();
    ImGui::Render();
    if (rasterise) this->rasterise();
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().MouseWheel = 0;
#endif
}

void Headless::rasterise() {
    framebuffer_->bind();
    glClearColor(background_.r, background_.g, background_.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glFinish();
}

#if IMGUI_VERSION_NUM >= 18700

void Headless::move_to(ImVec2 at) {
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
}
void Headless::button(bool down, int which) {
    ImGui::GetIO().AddMouseButtonEvent(which, down);
}
void Headless::wheel(float notches) {
    ImGui::GetIO().AddMouseWheelEvent(0, notches);
}

#else

void Headless::move_to(ImVec2 at) {
    ImGui::GetIO().MousePos = at;
}
void Headless::button(bool down, int which) {
    ImGui::GetIO().MouseDown[which] = down;
}
void Headless::wheel(float notches) {
    ImGui::GetIO().MouseWheel = notches;
}

#endif

void Headless::key(Key key, bool down) {
    feed_key(key, down);
}
void Headless::modifiers(bool ctrl, bool shift, bool alt) {
    feed_modifiers(ctrl, shift, alt);
}
void Headless::text(const std::string& text) {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
}

}  // namespace convscope::app
