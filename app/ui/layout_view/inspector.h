// Describes the element that is pointed at, and the layer's cost in work and in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ui/layout_view/formulas.h"
#include "app/ui/widgets/frame.h"
#include "visualizers/layouts/layout_views.h"

namespace convscope::app {

class Inspector {
public:
    void draw(Frame&, const LayoutViewResult&);

private:
    void pointed_at(Frame&, const LayoutViewResult&);
    void make_formulas(Frame&);
    void leave_out_formulas(TabId);
    void card_heading(const char* name, bool memory);
    void work_card(Frame&);
    void memory_card(Frame&);
    void mec_memory(Session&, const ConvShape&);
    void with_formula(Session&, const char* name, const std::string& value, const Formula&, bool drawn,
                      const LitTerm& whole = {});

    std::vector<Formula> work_, memory_;  ///< Xu 2019, Eqs. 1 to 3; Cho & Brand 2017, Eqs. 2 to 4
    bool with_work_ = true, with_memory_ = true;
    /// The card whose formulas a user requested where those of both do not fit; unset: the page's own.
    std::optional<bool> requested_memory_;
    TabId tab_ = "ecr";  ///< that this was on
    float drawn_ = 0;    ///< height of the formulas in this frame
    float base_ = 0;     ///< height of the cards without any, as in the frame before
};

}  // namespace convscope::app
