// What is pointed at, in words; and what the layer costs in work and in memory.
#pragma once

#include "app/panels/frame.h"
#include "visualizers/layout_views.h"

namespace convscope::app {

class Inspector {
public:
    void draw(Frame&, const LayoutViewResult&);

private:
    void pointed_at(const LayoutViewResult&);
    void work_card(const Snapshot&);
    void memory_card(const Snapshot&);
};

}  // namespace convscope::app
