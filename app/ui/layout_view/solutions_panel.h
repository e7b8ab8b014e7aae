// The page of MEC's Solutions A and B: which is shown, and the steps through its products.
#pragma once

#include "app/ui/widgets/frame.h"
#include "visualizers/layouts/solutions_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class SolutionsPanel {
public:
    void draw(Frame&, const ViewStyle&);

private:
    void choose(Frame&, bool takes_b);
    void transport(bool& playing, std::int64_t& step, std::int64_t steps);
    /// 'elsewhere': the keys are another's.
    void play(bool& playing, std::int64_t& step, std::int64_t steps, bool elsewhere);

    SolutionsView view_;
    double since_ = 0;  ///< when the present step was taken while playing
};

}  // namespace convscope::app
