// The Step view: a kernel's own source on the simulated GPU, walked through one instruction of one warp at a time;
// next to another kernel on the same workload where that is wanted.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "app/ui/step_view/step_column.h"
#include "app/ui/step_view/step_player.h"
#include "app/ui/step_view/step_transport.h"
#include "app/ui/step_view/step_watches.h"
#include "app/ui/widgets/view.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class StepView : public View {
public:
    /// 'wake' asks for a frame; it is called from other threads. A GL context must be current.
    explicit StepView(const std::function<void()>& wake);

    void draw(Frame&, const ViewStyle&) override;
    /// Describes the first kernel's step.
    Lead lead(const Frame&) const override;
    void inspect(Frame&) override;
    Explanation explain(const Session&) const override;
    /// The width of one side with its arrays next to its source, or of two sides.
    float min_width() const override { return (two_ ? 2 : 1) * StepColumn::side_by_side + 40; }
    std::string status(const Frame&) const override { return "Space plays and pauses, arrows step"; }
    bool busy(const Session& session) const override { return session.plays_steps || tracing(); }
    bool shows_layer() const override { return true; }
    std::string held(const Frame&) const override;
    /// Whether a trace is under way, or waits for its layer.
    bool tracing() const { return columns_[0].busy() || columns_[1].busy(); }

    /// The methods whose kernels can be stepped through.
    const Registry& traceable() const { return traceable_.registry(); }
    const StepColumn& column(std::size_t i) const { return columns_[i]; }

private:
    void choosers(Frame&, float middle);
    bool choose_method(const char* item_name, const std::string& shown, bool or_none, float width, std::string& picked);
    StepWatches watches_;

    bool two_ = false;         ///< kernels, in the latest frame
    CheckedDevice traceable_;  ///< for its list of methods; traces run on devices of their own
    GridRenderer renderer_;
    std::array<StepColumn, 2> columns_;
    StepPlayer player_;
    StepTransport transport_;
};

}  // namespace convscope::app
