// The picture that a network saw, next to the maps that it made of it.
#pragma once

#include <string>

#include "kernels/layers/workload.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class InputPicture {
public:
    /// Draws what the layer's network has for its first layer's one map, in greys, where the layer has a real map and
    /// is not itself the first. Draws nothing where that is not so, or where it does not fit. 'bottom': where the room
    /// ends below the corner.
    void draw(const WorkloadSpec& layer, ImVec2 corner, float width, float bottom, const ViewStyle&);
    bool drawn() const { return drawn_; }

private:
    void load(const std::string& path);

    std::string path_;
    Tensor picture_;  ///< empty where the file could not be read
    bool drawn_ = false;
};

}  // namespace convscope::app
