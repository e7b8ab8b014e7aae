// Figures on their way to new places on a page: what moves is easier to follow than what jumps. No ImGui, no OpenGL.
#pragma once

#include <string>
#include <vector>

#include "visualizers/explain/figure_arrange.h"

namespace convscope {

class FigureGlide {
public:
    static constexpr float duration_s = 0.12f;

    /// Once a frame, with the time since the one before.
    void advance(float seconds);
    /// The present positions of the figures on their way to 'places'. 'figures' names them: other names jump there at
    /// once, as all do with 'at_once'.
    const std::vector<FigureRect>& toward(const std::vector<FigureRect>& places, const std::string& figures,
                                          bool at_once);
    bool moving() const { return share_ < 1; }

private:
    std::string figures_;
    std::vector<FigureRect> from_, to_, now_;
    float share_ = 1;  ///< of the way
};

}  // namespace convscope
