// Saves the results as CSV and images as PNG, to paths that are typed.
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
    std::optional<ImageRequest> take_image_request() { return std::exchange(image_, std::nullopt); }

private:
    void browse(Frame&, const char* item_name, const char* title, std::string& path, const char* pattern);
    void save_records(Frame&);
    void plots(Frame&);

    std::optional<ImageRequest> image_;
    bool was_open_ = false;
    std::string plot_;  ///< the name of the one that is chosen
};

}  // namespace convscope::app
