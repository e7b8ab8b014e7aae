// Saves the results, the figures on the screen, the view and the window. Where to, a file dialog asks. All pictures
// leave by this way, whether a menu, a key or the dialog asks for them.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/widgets/image_request.h"
#include "app/ui/widgets/view.h"

namespace convscope::app {

class ExportDialog {
public:
    void draw(Frame&);
    /// Asks for a file, unless it is to be copied, and requests the picture of a figure; null: of the view.
    void take(Frame&, const DrawnFigure*, PictureRequest);
    std::optional<ImageRequest> take_image_request() { return std::exchange(image_, std::nullopt); }

private:
    void save_records(Frame&);
    void figures(Frame&);
    void ground();
    void ask(Frame&, const std::string& path, ImageRequest);

    std::optional<ImageRequest> image_;
    bool was_open_ = false, paper_ = true, large_ = false;
    std::string figure_;  ///< the title of the one that is chosen
};

}  // namespace convscope::app
