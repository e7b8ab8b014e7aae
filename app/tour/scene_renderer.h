// Draws the scenes of the tour one after the other, as one user would walk through them: the tour, the picture
// tests and the screenshots of docs/views.md are made with it.
#pragma once

#include <optional>

#include "app/tour/headless.h"
#include "app/tour/scenes.h"

namespace convscope::app {

/// The surface that the screenshots are rendered on.
struct Paper {
    int width = 1600, height = 1000;  ///< pixels
    float scale = 1;                  ///< 0.5 .. 4
    bool dark = true;
    /// Printed as the time of each frame, for pictures that are the same every time; unset: as measured.
    std::optional<double> frame_ms;
};

class SceneRenderer {
public:
    SceneRenderer(Registry&, const Paper&);

    /// Prepares the scene and draws until the picture stands still: everything is built, and where the scene
    /// measures, every ticked method has figures.
    gl::Image render(const Scene&);

    Shell& shell() { return shell_; }
    const ItemRegistry& items() const { return item_registry_; }
    const std::string& describe() const { return headless_.describe(); }  ///< of what draws

private:
    void draw(bool rasterise = true);
    void draw_still();
    void settle(bool live);
    void click(const std::string& item);

    Registry& registry_;
    Paper paper_;
    Headless headless_;
    float scale_;  ///< of the fonts that are loaded
    ItemRegistry item_registry_;
    ScopedItemRegistry registering_{item_registry_};
    Shell shell_;
    double frame_ms_ = 0;
};

}  // namespace convscope::app
