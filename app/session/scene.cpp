#include "app/session/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/session.h"

namespace convscope::app {
namespace {

SessionState shown_state(const Session& session) {
    SessionState state = state_of(session);
    state.scenes = {};
    return state;
}

/// Changes a copy of the list.
template <class Change>
void change(Session& session, Change apply) {
    std::vector<SavedScene> scenes = session.scenes.all();
    apply(scenes);
    session.scenes.set(std::move(scenes));
}

/// As long as a title may be, and no half of a letter at its end.
std::string cut(std::string title) {
    if (title.size() <= max_title_bytes) return title;
    std::size_t end = max_title_bytes;
    while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0U) == 0x80U) --end;
    title.resize(end);
    return title;
}

}  // namespace

const std::vector<SavedScene>& SavedScenes::all() const {
    static const std::vector<SavedScene> none;
    return list_ ? *list_ : none;
}

void SavedScenes::set(std::vector<SavedScene> scenes) {
    list_ = std::make_shared<const std::vector<SavedScene>>(std::move(scenes));
}

bool SavedScenes::operator==(const SavedScenes& other) const {
    return list_ == other.list_ || all() == other.all();
}

std::string scene_label(const Session& session, std::size_t index) {
    const SavedScene& scene = session.scenes.all()[index];
    return fmt::format("{} {}", index + 1, scene.title.empty() ? scene.state.view->name : scene.title);
}

std::string why_no_new_scene(const Session& session) {
    if (!session.lesson.open.empty()) return "A lesson is open: scenes are of your own session.";
    if (session.scenes.size() >= max_scenes) return fmt::format("A session has at most {} scenes.", max_scenes);
    return {};
}

std::string why_no_scene(const Session& session) {
    if (!session.lesson.open.empty()) return "A lesson is open: scenes are of your own session.";
    if (session.scenes.empty()) return "This session has no scenes: F7 keeps what is on screen as one.";
    return session.scene && *session.scene < session.scenes.size() ? "" : "No scene is shown: PgDn shows the first.";
}

void keep_scene(Session& session, std::string title) {
    if (!why_no_new_scene(session).empty()) return;
    const std::size_t at = why_no_scene(session).empty() ? *session.scene + 1 : session.scenes.size();
    change(session, [&](std::vector<SavedScene>& scenes) {
        scenes.insert(scenes.begin() + static_cast<std::ptrdiff_t>(at), {cut(std::move(title)), shown_state(session)});
    });
    session.scene = at;
}

void show_scene(Session& session, std::size_t index) {
    if (index >= session.scenes.size()) return;
    SessionState state = session.scenes.all()[index].state;
    state.scenes = session.scenes;
    put_state(session, state);
    session.desktop_state.timing_alone = false;
    session.scene = index;
}

void step_scene(Session& session, int by) {
    if (by == 0 || session.scenes.empty() || !session.lesson.open.empty()) return;
    if (!why_no_scene(session).empty()) return show_scene(session, by > 0 ? 0 : session.scenes.size() - 1);
    if (by < 0 && *session.scene == 0) return;
    show_scene(session, by > 0 ? *session.scene + 1 : *session.scene - 1);
}

void keep_scene_again(Session& session) {
    if (!why_no_scene(session).empty()) return;
    change(session, [&](std::vector<SavedScene>& scenes) { scenes[*session.scene].state = shown_state(session); });
}

void rename_scene(Session& session, std::string title) {
    if (!why_no_scene(session).empty()) return;
    change(session, [&](std::vector<SavedScene>& scenes) { scenes[*session.scene].title = cut(std::move(title)); });
}

void move_scene(Session& session, int by) {
    if (!why_no_scene(session).empty()) return;
    const auto to = static_cast<std::ptrdiff_t>(*session.scene) + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(session.scenes.size())) return;
    const auto index = static_cast<std::size_t>(to);
    change(session, [&](std::vector<SavedScene>& scenes) { std::swap(scenes[*session.scene], scenes[index]); });
    session.scene = index;
}

void delete_scene(Session& session) {
    if (!why_no_scene(session).empty()) return;
    change(session, [&](std::vector<SavedScene>& scenes) {
        scenes.erase(scenes.begin() + static_cast<std::ptrdiff_t>(*session.scene));
    });
    // PgDn shows the one that came after it.
    session.scene = *session.scene > 0 ? std::optional(*session.scene - 1) : std::nullopt;
}

void find_shown_scene(Session& session) {
    const std::vector<SavedScene>& scenes = session.scenes.all();
    const auto shown = std::ranges::find(scenes, shown_state(session), &SavedScene::state);
    session.scene.reset();
    if (shown != scenes.end()) session.scene = static_cast<std::size_t>(shown - scenes.begin());
}

bool is_as_kept(const Session& session) {
    return why_no_scene(session).empty() && session.scenes.all()[*session.scene].state == shown_state(session);
}

}  // namespace convscope::app
