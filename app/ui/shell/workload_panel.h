// The layer: every field of its shape with its limits, the data, and the sizes that follow from it.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class WorkloadPanel {
public:
    void draw(Frame&);

private:
    void shape_fields(Frame&);
    void pool_fields(Frame&);
    void data_fields(Frame&);
    void weight_fields(Frame&, bool hidden);
    void derived(Frame&);
    bool shows_more(const WorkloadSpec&) const;
    void more_button(const WorkloadSpec&, float heading_y);

    bool more_ = false;  ///< dilation, groups and zeros in the weights are shown though there are none

    ConvShape last_pool_ = [] {
        ConvShape shape;
        shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        return shape;
    }();  ///< what switching pooling off and on again brings back
};

}  // namespace convscope::app
