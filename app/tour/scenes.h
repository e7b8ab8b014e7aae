// The scenes of the tour: what each screenshot shows, a file for each view. A scene drives the whole app, so it stands
// above the views. Also used by the frame-time benchmark.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/ui/shell/shell.h"

namespace convscope::app {

struct Scene {
    std::string name;  ///< "01-ecr-fig4"
    std::function<void(Shell&)> prepare;
    bool live = false;  ///< measures while the screenshot is made ready
    std::string click;  ///< the widget that is clicked on first, by its name in the item registry; empty: none

    /// "ecr-fig4": what a scene is called whichever others come before it.
    std::string name_without_number() const { return name.substr(name.find('-') + 1); }
};

/// Every view, with its fitting example and a larger layer.
std::vector<Scene> tour_scenes(const Registry&);

/// Scenes in order. Each begins where the one before it ended.
class SceneList {
public:
    void add(const char* name, std::function<void(Shell&)> prepare, bool live = false, const char* click = "");

    std::vector<Scene> scenes;
};

void add_layout_scenes(SceneList&);
void add_compare_scenes(SceneList&);
void add_sweep_scenes(SceneList&, const Registry&);
void add_network_scenes(SceneList&);
void add_launch_scenes(SceneList&, const Registry&);
void add_step_scenes(SceneList&);
void add_kernel_scenes(SceneList&);
void add_lesson_scenes(SceneList&, const Registry&);
void add_overlay_scenes(SceneList&);

/// Shows a preset in a tab, with one element pinned.
std::function<void(Shell&)> show_layout(const char* preset, TabId tab, std::optional<ElementRef> pin = {});

/// Steps through a method's kernel on a preset: so many steps on, with a thread chosen, next to another method's kernel
/// where one is named.
std::function<void(Shell&)> show_step(const char* preset, const char* method, std::size_t done, unsigned thread,
                                      const char* companion = "");

}  // namespace convscope::app
