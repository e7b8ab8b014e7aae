#include "tests/app/driver.h"

#include <imgui_internal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "tests/support/wait.h"
#include "visualizers/gl/image.h"
#include "visualizers/plot_views/screen_replay.h"

namespace convscope::app {

Driver::Driver(int width, int height, std::unique_ptr<Registry> registry)
    : registry_(std::move(registry)),
      headless_(width, height, 1.0F),
      shell_(std::make_unique<Shell>(*registry_, [] {})) {
    ItemRegistry::active = &item_registry_;
    settle_factor = 100;
    frames(3);
}

Driver::~Driver() {
    headless_.rasterise();
    ItemRegistry::active = nullptr;
}

void Driver::frames(int count) {
    for (int i = 0; i < count; ++i) {
        if (const float wanted = scale(); wanted != scale_) headless_.set_scale(scale_ = wanted);
        SampleGate& gate = shell_->live().gate();
        gate.begin_frame(std::chrono::milliseconds(25));
        headless_.frame(
            [this] {
                shell_->frame(headless_.fonts(), scale_, 0);
                return shell_->background();
            },
            1.0F / 60, false);
        gate.end_frame();
        if (const auto request = shell_->take_image_request()) {
            headless_.rasterise();
            shell_->save_image(*request, headless_.width(), headless_.height());
        }
    }
}

gl::Image Driver::picture() {
    headless_.rasterise();
    return headless_.picture();
}

void Driver::keep_image(const std::string& name) {
    if (const char* folder = std::getenv("CONVSCOPE_TEST_PICTURES"))
        gl::write_png(std::filesystem::path(folder) / (name + ".png"), picture());
}

bool Driver::wait(const std::function<bool()>& done) {
    return testing::wait_until(done, [this] {
        frames();
        testing::nap();
    });
}

ItemRect Driver::item(const std::string& name) const {
    auto found = item_registry_.items().find(name);
    if (found != item_registry_.items().end()) return found->second;
    std::string there;
    for (const auto& [other, rect] : item_registry_.items()) there += " " + other;
    throw std::runtime_error("no widget '" + name + "' on the screen; there are" + there);
}

std::vector<std::string> Driver::texts(const char* name) const {
    const ImGuiWindow* window = ImGui::FindWindowByName(name);
    return window && window->Active && !window->Hidden ? texts_of(*window->DrawList) : std::vector<std::string>{};
}

std::string Driver::text_of(const char* window) const {
    std::string all;
    for (const std::string& each : texts(window)) all += each + " ";
    return all;
}

std::string Driver::words_on_screen() const {
    std::string all = "|";
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && !window->Hidden)
            for (const std::string& each : texts_of(*window->DrawList)) all += each + "|";
    return all;
}

void Driver::point_at(ImVec2 at) {
    headless_.move_to(at);
    frames(2);
}

void Driver::click_at(ImVec2 at) {
    point_at(at);
    headless_.button(true);
    frames();
    headless_.button(false);
    frames(2);
}

void Driver::double_click(const std::string& name) {
    point_at(name);
    for (int i = 0; i < 2; ++i) {
        headless_.button(true);
        frames();
        headless_.button(false);
        frames();
    }
    frames(30);  // so that the next click is none of this pair
}

void Driver::right_click_at(ImVec2 at) {
    point_at(at);
    headless_.button(true, 1);
    frames();
    headless_.button(false, 1);
    frames(2);
}

void Driver::click(const std::string& name) {
    click_at(item(name).centre());
}

void Driver::choose(const std::string& list, const std::string& entry) {
    const ItemRect closed = item(list);
    click(list);
    point_at(ImVec2{closed.centre().x, closed.max.y + 60});
    wheel_here(100);
    frames(40);  // so that the turn has ended, and the click is a change of its own
    click(entry);
}

void Driver::drag(ImVec2 from, ImVec2 to) {
    point_at(from);
    headless_.button(true);
    frames();
    constexpr int steps = 8;
    for (int i = 1; i <= steps; ++i) {
        const float t = static_cast<float>(i) / steps;
        headless_.move_to({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
        frames();
    }
    headless_.button(false);
    frames(2);
}

void Driver::shift(bool down) {
    headless_.modifiers(false, down);
    frames();
}

void Driver::hold(Key key, bool down) {
    headless_.key(key, down);
    frames();
}

void Driver::wheel(const std::string& name, float notches) {
    point_at(name);
    wheel_here(notches);
}

void Driver::wheel_here(float notches) {
    headless_.wheel(notches);
    frames(2);
}

void Driver::press(Key key, bool ctrl, bool shift, bool alt) {
    headless_.modifiers(ctrl, shift, alt);
    headless_.key(key, true);
    frames();
    headless_.key(key, false);
    headless_.modifiers(false, false);
    frames(2);
}

void Driver::type(const std::string& text) {
    headless_.text(text);
    frames(2 + static_cast<int>(text.size()));  // from 1.87 on, Dear ImGui may take a letter a frame
}

void Driver::type_at_once(const std::string& text, Key key) {
    headless_.text(text);
    press(key);
}

void Driver::type_into(const std::string& name, const std::string& text) {
    click(name);
    press(Key::a, true);
    headless_.text(text);
    frames(2);
    press(Key::enter);
}

}  // namespace convscope::app
