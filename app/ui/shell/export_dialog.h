// Saves the results, the view, the window or a plot. Where to, a file dialog asks.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/ui/widgets/image_request.h"
#include "app/ui/widgets/view.h"

namespace convscope::app {

class ExportDialog {
public:
    void draw(Frame&);
    /// Asks for a file with this ending, ".png" or ".svg", and requests its image. 'about' is written below a view.
    void save_image(Session&, FileDialogs&, bool view, const char* ending, std::string about);
    std::optional<ImageRequest> take_image_request() { return std::exchange(image_, std::nullopt); }

private:
    void save_records(Frame&);
    void plots(Frame&);

    std::optional<ImageRequest> image_;
    bool was_open_ = false;
    std::string plot_;  ///< the name of the one that is chosen
};

}  // namespace convscope::app
