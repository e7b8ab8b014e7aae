#include "visualizers/explain/figure_glide.h"

#include <algorithm>

namespace convscope {
namespace {

FigureRect between(const FigureRect& a, const FigureRect& b, float share) {
    const auto mix = [share](float from, float to) { return from + (to - from) * share; };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.width, b.width), mix(a.height, b.height), mix(a.top, b.top)};
}

}  // namespace

void FigureGlide::advance(float seconds) {
    share_ = std::min(1.0f, share_ + seconds / duration_s);
    const float left = 1 - share_, slowing = 1 - left * left;
    for (std::size_t i = 0; i < now_.size(); ++i) now_[i] = share_ < 1 ? between(from_[i], to_[i], slowing) : to_[i];
}

const std::vector<FigureRect>& FigureGlide::toward(const std::vector<FigureRect>& places, const std::string& figures,
                                                   bool at_once) {
    if (at_once || figures != figures_) {
        figures_ = figures;
        to_ = now_ = places;
        share_ = 1;
    } else if (places != to_) {
        from_ = now_;
        to_ = places;
        share_ = 0;
    }
    return now_;
}

}  // namespace convscope
