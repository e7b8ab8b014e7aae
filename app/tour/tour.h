// The scenes of the tour: what each picture shows. Also used by the frame-time benchmark.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/ui/shell/shell.h"

namespace convscope::app {

struct Scene {
    std::string name;  ///< "01-ecr-fig4"
    std::function<void(Shell&)> prepare;
    bool live = false;  ///< measures while the picture is made ready
    std::string click;  ///< the widget that is clicked on first, by its name in the item log; empty: none
};
/// Every view, with its fitting example and a larger layer.
std::vector<Scene> tour_scenes(const Registry&);

}  // namespace convscope::app
