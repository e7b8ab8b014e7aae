#include "app/tour/scene_renderer.h"

#include <chrono>
#include <thread>

#include "app/session/method_choice.h"

namespace convscope::app {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

}  // namespace

SceneRenderer::SceneRenderer(Registry& registry, const Paper& paper)
    : registry_(registry),
      paper_(paper),
      headless_(paper.width, paper.height, paper.scale),
      scale_(paper.scale),
      shell_(registry, [] {}),
      frame_ms_(paper.frame_ms.value_or(0)) {
    shell_.session().appearance.dark = paper.dark;
}

void SceneRenderer::draw(bool rasterise) {
    const QuietFrame turn(shell_.live().gate(), std::chrono::milliseconds(25));
    const Clock::time_point start = Clock::now();
    const Screen screen{static_cast<float>(paper_.width), static_cast<float>(paper_.height), paper_.scale};
    if (const float wanted = ui_scale(shell_.session(), screen); wanted != scale_) headless_.set_scale(scale_ = wanted);
    headless_.frame(
        [this] {
            shell_.frame(headless_.fonts(), scale_, frame_ms_);
            return shell_.background();
        },
        1.0F / 60, rasterise);
    if (!paper_.frame_ms && rasterise) frame_ms_ = Seconds(Clock::now() - start).count() * 1000;
}

/// The interface needs a few frames to find its sizes. Pixels are wanted of the last only, and of the one before it
/// where the time that a frame takes is printed.
void SceneRenderer::draw_still() {
    for (int i = 0; i < 3; ++i) draw(false);
    if (!paper_.frame_ms) draw();
    draw();
}

void SceneRenderer::settle(bool live) {
    // Nothing takes so long, on a busy machine either.
    const Clock::time_point give_up = Clock::now() + std::chrono::minutes(10);
    const auto figures_missing = [&] {
        for (const std::string& id : live_methods(shell_.session(), registry_))
            if (!shell_.live().latest(id)) return true;
        return false;
    };
    const auto building = [&] {
        return shell_.builder().busy() || shell_.layout_moves() || shell_.step().tracing() ||
               shell_.kernel().busy(shell_.session()) || shell_.compare().loading() || shell_.sweep().measures() ||
               shell_.sweep().reading() || shell_.live().network_wanted() ||
               (live && figures_missing() && shell_.live().wanted());
    };
    // A finished part may set off another that is built from it, in the frame after: calm has to last.
    for (int calm = 0; calm < 2 && Clock::now() < give_up;) {
        for (int i = 0; i < 3; ++i) draw(false);
        calm = building() ? 0 : calm + 1;
        if (calm == 0) std::this_thread::sleep_for(std::chrono::milliseconds(live ? 20 : 1));
    }
    draw_still();
}

/// Clicks on a widget where it was last drawn, as a user would; the pointer stays there. On a small paper or with large
/// letters it may be out of sight: then there is nothing to click.
void SceneRenderer::click(const std::string& item) {
    const auto found = item_registry_.items().find(item);
    if (found == item_registry_.items().end()) return;
    // A list that is still open takes the first click to close.
    for (const ImVec2 at : {ImVec2{4, 4}, found->second.centre()}) {
        headless_.move_to(at);
        for (bool down : {false, true, false}) {
            headless_.button(down);
            draw(false);
        }
    }
}

gl::Image SceneRenderer::render(const Scene& scene) {
    scene.prepare(shell_);
    settle(scene.live);
    if (!scene.click.empty()) {
        click(scene.click);
        settle(false);
    }
    gl::Image picture = headless_.picture();
    if (scene.live) shell_.live().stop();
    return picture;
}

}  // namespace convscope::app
