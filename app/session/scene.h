// Scenes: moments of a session that were kept, in the order in which a talk goes through them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace convscope::app {

struct SavedScene;
struct Session;

inline constexpr std::size_t max_scenes = 99, max_title_bytes = 200;

/// Copies share one list until it is changed: undo keeps many.
class SavedScenes {
public:
    const std::vector<SavedScene>& all() const;
    std::size_t size() const { return all().size(); }
    bool empty() const { return size() == 0; }
    void set(std::vector<SavedScene>);
    bool operator==(const SavedScenes&) const;

private:
    std::shared_ptr<const std::vector<SavedScene>> list_;
};

/// How a scene is listed: "2 B1 skips 63 % of its multiplications"; without a title by its view.
std::string scene_label(const Session&, std::size_t index);
/// A sentence that says why nothing can be kept now, and one that says why no scene can be changed; empty where it can.
std::string why_no_new_scene(const Session&);
std::string why_no_scene(const Session&);

// Where its sentence above is not empty, a function leaves the session as it is.
/// Keeps the screen as a scene, after the shown one or else after the last, and makes it the shown one.
void keep_scene(Session&, std::string title);
/// Shows a scene as it was kept; its place in the list is Session::scene from then on.
void show_scene(Session&, std::size_t index);
/// On to the next scene, or back to the one before: the first, or the last, where none is shown. Stays at either end.
void step_scene(Session&, int by);
/// Replaces the scene that is shown by what is on screen; its title stays.
void keep_scene_again(Session&);
void rename_scene(Session&, std::string title);
void move_scene(Session&, int by);
void delete_scene(Session&);
/// After the list has become another one, as by undo: the shown scene is the one that is on screen as it was kept, if
/// any.
void find_shown_scene(Session&);
/// Whether nothing has changed since the shown scene was shown.
bool is_as_kept(const Session&);

}  // namespace convscope::app
