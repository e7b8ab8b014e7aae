// The Step view: a kernel's source as it runs on the simulated GPU.
#pragma once

#include "app/panels/frame.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "visualizers/source_view.h"

namespace convscope::app {

class StepView {
public:
    void draw(Frame&, const ViewStyle&);
    /// The column on the right.
    void inspect(Frame&);

private:
    void choosers(Frame&);

    CheckedDevice traceable_;  ///< for its methods; traces run on devices of their own
    SourceView source_;
};

}  // namespace convscope::app
