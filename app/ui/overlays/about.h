// About convscope: the versions of all its parts, to be copied into a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class About {
public:
    void draw(Frame&);

private:
    std::vector<std::pair<std::string, std::string>> versions_;  ///< read once
};

}  // namespace convscope::app
