#include "app/ui/compare_view/recorded_gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/compare/method_colours.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr int catalogue_settle_ms = 6;

/// The text that a search looks in.
std::string words_of(const RecordedCard& card) {
    std::string words = card.name + " " + card.group + " " + card.question->text;
    for (std::size_t i = 0; i < card.recordings.size(); ++i) {
        const Recording& each = card.recordings[i];
        const RecordedFinding answer = card.answer(i);
        for (const std::string* part : {&answer.headline, &answer.detail, &each.content, &each.methods, &each.device})
            words += " " + *part;
    }
    return words;
}

/// Times over the rows of the file, a line for each method.
void sketch(const Recording& recording, ImDrawList& draw, ImVec2 from, ImVec2 to) {
    const Theme& theme = *look().theme;
    const float margin = px(4), width = to.x - from.x - 2 * margin, height = to.y - from.y - 2 * margin;
    for (const Recording::Line& line : recording.lines) {
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
    std::vector<const RecordedCard*> sessions;
    for (const RecordedCard& each : *all) {
        if ((sweeps_only && !each.sweep) || !matches(words_of(each), search_)) continue;
        cards.push_back(card_of(each, present, prefix));
        sessions.push_back(&each);
    }
    if (cards.empty()) note("No recorded session has all of these words.");
    auto clicked = gallery(cards, appearing);
    if (std::exchange(entered_, false) && !cards.empty()) {
        clicked = GalleryClick{};
        ImGui::CloseCurrentPopup();
    }
    if (!clicked) return {};
    const RecordedCard& session = *sessions[clicked->card];
    if (!clicked->choice) return session.recordings[cards[clicked->card].chosen].name;
    chosen_[session.name] = *clicked->choice;
    return {};
}

void RecordedGallery::draw_search(const std::string& prefix, bool appearing) {
    const std::string item = prefix + "search";
    entered_ = gallery_search({item.c_str(), "search: ecr3, vgg19, skipping zeros", "Search the recorded sessions",
                               "Words of a session's name, finding, paper, network or methods; Down goes to the cards, "
                               "Enter opens the first"},
                              search_, appearing);
}

/// On the device that was switched to, else on that of the open file.
GalleryCard RecordedGallery::card_of(const RecordedCard& session, const std::vector<std::string>& present,
                                     const std::string& prefix) const {
    const auto is_open = [&](const Recording& recording) {
        return std::ranges::find(present, recording.name) != present.end();
    };
    const auto open = std::ranges::find_if(session.recordings, is_open);
    const auto switched = chosen_.find(session.name);
    GalleryCard card;
    card.present = open != session.recordings.end();
    card.chosen = switched != chosen_.end() ? switched->second
                  : card.present            ? static_cast<std::size_t>(open - session.recordings.begin())
                                            : 0;
    const Recording& shown = session.recordings[card.chosen];
    const RecordedFinding answer = session.answer(card.chosen);
    card.item_name = prefix + session.name;
    card.group = session.group;
    card.title = answer.headline;
    card.sentence = answer.detail;
    card.wraps = true;
    card.source = fmt::format("{}: {}", session.name, shown.content);
    card.facts = session.recordings.size() > 1 ? shown.date : fmt::format("{} \u00b7 {}", shown.device, shown.date);
    for (const Recording& each : session.recordings)
        card.choices.push_back({fmt::format("{}{} on {}", prefix, session.name, each.device), each.device});
    card.sketch = [&shown](ImDrawList& draw, ImVec2 from, ImVec2 to) { sketch(shown, draw, from, to); };
    return card;
}

}  // namespace convscope::app
