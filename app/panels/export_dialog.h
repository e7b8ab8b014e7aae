// Saves the figures as CSV and pictures as PNG, to paths that are typed.
#pragma once

#include <optional>

#include "app/panels/live_panel.h"

namespace convscope::app {

class ExportDialog {
public:
    /// 'plot' is where the timing plot is on the screen.
    void draw(Frame&, const TimingPlotResult& plot);
    std::optional<PictureRequest> take_picture() { return std::exchange(picture_, std::nullopt); }

private:
    void browse(Frame&, const char* log_name, const char* title, std::string& path, const char* pattern);
    void save_figures(Frame&);

    std::optional<PictureRequest> picture_;
    bool was_open_ = false;
};

}  // namespace convscope::app
