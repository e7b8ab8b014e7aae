// Things to choose from, each with a small picture, what it is in a sentence, and where it comes from.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace convscope::app {

struct GalleryCard {
    std::string item_name;  ///< also its id
    std::string group;      ///< cards of one group follow each other, under its name
    std::string title, sentence;
    std::string facts;     ///< at the right: device and date, or the share of zeros
    bool present = false;  ///< what is open now
    std::function<void(ImDrawList&, ImVec2 from, ImVec2 to)> sketch;
    bool wraps = false;  ///< a sentence that is wider than its card goes on in a second line
};

/// Fills the present window downwards. Returns the card that was clicked. 'appearing': in the first frame, in which the
/// present one is brought into sight.
std::optional<std::size_t> gallery(const std::vector<GalleryCard>&, bool appearing);

}  // namespace convscope::app
