// The recorded sessions to choose from.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/recorded_catalogue.h"
#include "app/session/jobs/latest_job.h"
#include "app/ui/widgets/gallery.h"

namespace convscope::app {

class RecordedGallery {
public:
    /// 'wake' asks for a frame; it is called from another thread.
    explicit RecordedGallery(std::function<void()> wake);
    /// Draws a field for words, which stands at the head of a list: it takes the keyboard where the list appears, and
    /// the first click elsewhere ends that before what is drawn below sees the click. 'prefix' as of draw().
    void draw_search(const std::string& prefix, bool appearing);
    /// Fills the present window downwards with a card for each session that has the words, with a switch between its
    /// devices' files. The names of the files that are open are 'present'. 'prefix' begins what each card is called in
    /// tests. Returns the name of the file whose card was clicked, or that Enter in the field chose.
    std::optional<std::string> draw(const std::vector<std::string>& present, bool sweeps_only,
                                    const std::string& prefix, bool appearing);
    bool reading() const { return reader_.busy(); }

private:
    using Catalogue = std::vector<RecordedCard>;

    GalleryCard card_of(const RecordedCard&, const std::vector<std::string>& present, const std::string& prefix) const;

    std::string search_;
    bool entered_ = false;  ///< Enter was pressed in the search in this frame
    LatestJob<int, Catalogue> reader_;
    std::map<std::string, std::size_t> chosen_;  ///< by session: the recording that its card was switched to
};

}  // namespace convscope::app
