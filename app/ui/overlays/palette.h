// Finds a command, a preset, a method, a device, a recorded session or a view by a few letters, and runs it.
#pragma once

#include <string>
#include <vector>

#include "app/ui/commands/entries.h"

namespace convscope::app {

class Palette {
public:
    void draw(Frame&, History&);

private:
    void open(Frame&, const History&);
    void name_scene(Session&, bool appearing);
    /// Draws the rows; the place in 'order' of the one that was clicked, or -1.
    int rows(const std::vector<std::size_t>& order);
    void row(const PaletteEntry&, float y, float width) const;

    std::vector<PaletteEntry> entries_;  ///< as they were when the palette opened
    std::string search_;
    int chosen_ = 0;
    bool moved_ = false;
    Overlay shown_ = Overlay::none;  ///< in the last frame
};

}  // namespace convscope::app
