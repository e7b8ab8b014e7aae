#include "app/ui/widgets/plot_grid.h"

#include <algorithm>
#include <cmath>

namespace convscope::app {

PlotGrid::PlotGrid(std::size_t count, ImVec2 room, ImVec2 min, float gap, float first_share)
    : room_(room), gap_(gap), first_share_(first_share) {
    const auto of = [gap](float length, float least) {
        return static_cast<std::size_t>(std::max(1.0F, (length + gap) / (least + gap)));
    };
    columns_ = std::min<std::size_t>({2, count, of(room.x, min.x)});
    fits_ = std::min(count, columns_ * of(room.y, min.y));
    rows_ = (fits_ + columns_ - 1) / columns_;
    if (rows_ > 1) first_share_ = 0.5F;
}

std::size_t PlotGrid::row_of(std::size_t n) const {
    return columns_ == 1 ? n : (n + fits_ % 2) / 2;
}

ImVec2 PlotGrid::at(std::size_t n) const {
    const bool right = !alone(n) && (n + fits_ % 2) % 2 == 1;
    const auto row = static_cast<float>(row_of(n));
    return {right ? size(n - 1).x + gap_ : 0, row * (size(n).y + gap_)};
}

ImVec2 PlotGrid::size(std::size_t n) const {
    const auto rows = static_cast<float>(rows_);
    const float first = std::floor((room_.x - gap_) * first_share_);
    const float width = alone(n) ? room_.x : (n + fits_ % 2) % 2 == 0 ? first : room_.x - gap_ - first;
    return {width, (room_.y - gap_ * (rows - 1)) / rows};
}

}  // namespace convscope::app
