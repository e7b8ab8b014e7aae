#include "app/ui/compare_view/recorded_gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/compare/method_colours.h"
#include "app/ui/widgets/gallery.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr int catalogue_settle_ms = 6;

/// Times over the rows of the file, a line for each method.
void sketch(const RecordedCard& card, ImDrawList& draw, ImVec2 from, ImVec2 to) {
    const Theme& theme = *look().theme;
    const float margin = px(4), width = to.x - from.x - 2 * margin, height = to.y - from.y - 2 * margin;
    for (const RecordedCard::Line& line : card.lines) {
        const Rgba colour = line.vendor ? theme.vendor : theme.method(colour_of(line.method));
        const auto last = static_cast<float>(std::max<std::size_t>(2, line.heights.size()) - 1);
        for (std::size_t i = 0; i < line.heights.size(); ++i)
            draw.PathLineTo(
                {from.x + margin + width * static_cast<float>(i) / last, to.y - margin - height * line.heights[i]});
        draw.PathStroke(colour.u32(), 0, px(1.2F));
    }
}

}  // namespace

RecordedGallery::RecordedGallery(std::function<void()> wake)
    : reader_([](int, const std::shared_ptr<Catalogue>&,
                 const std::stop_token& stop) { return std::make_shared<Catalogue>(read_recorded_catalogue(stop)); },
              std::move(wake)) {}

std::optional<std::string> RecordedGallery::draw(const std::vector<std::string>& present, bool sweeps_only,
                                                 const std::string& prefix, bool appearing) {
    reader_.request(0);
    reader_.settle(catalogue_settle_ms);
    const std::shared_ptr<Catalogue> all = reader_.latest();
    if (!all) {
        note("Reading the recorded sessions...");
        return {};
    }
    std::vector<GalleryCard> cards;
    std::vector<std::string> names;
    for (const RecordedCard& each : *all) {
        if (sweeps_only && !each.sweep) continue;
        const bool open = std::ranges::find(present, each.name) != present.end();
        cards.push_back({prefix + each.name, each.group, each.name, each.sentence,
                         fmt::format("{} \u00b7 {}", each.device, each.date), open,
                         [&each](ImDrawList& draw, ImVec2 from, ImVec2 to) { sketch(each, draw, from, to); }});
        names.push_back(each.name);
    }
    const auto clicked = gallery(cards, appearing);
    return clicked ? std::optional(names[*clicked]) : std::nullopt;
}

}  // namespace convscope::app
