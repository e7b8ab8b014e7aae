// The Step view: a kernel's own source on the simulated GPU, walked through one instruction of one warp at a time;
// beside another kernel on the same workload where that is wanted.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "app/panels/frame.h"
#include "app/panels/step_column.h"
#include "app/panels/step_transport.h"
#include "app/step_player.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "visualizers/grid_view.h"

namespace convscope::app {

class StepView {
public:
    /// 'wake' asks for a frame; it is called from other threads. A GL context must be current.
    explicit StepView(const std::function<void()>& wake);

    void draw(Frame&, const ViewStyle&);
    /// The column on the right.
    void inspect(Frame&);
    /// Whether a trace is under way.
    bool busy() const { return columns_[0].busy() || columns_[1].busy(); }

    const StepColumn& column(std::size_t i) const { return columns_[i]; }

private:
    void choosers(Frame&, float middle);
    bool choose_method(const char* log_name, const std::string& shown, bool or_none, std::string& picked);
    std::array<const simt::Replay*, 2> replays(const Session&) const;

    CheckedDevice traceable_;  ///< for its list of methods; traces run on devices of their own
    GridRenderer renderer_;
    std::array<StepColumn, 2> columns_;
    StepPlayer player_;
    StepTransport transport_;
};

}  // namespace convscope::app
