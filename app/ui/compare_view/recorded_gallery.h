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
    /// Fills the present window downwards: a field for words, and a card for each session that has them, with a switch
    /// between its devices' files. The names of the files that are open are 'present'. 'prefix' begins what each card
    /// is called in tests. Returns the name of the file whose card was clicked, or that Enter in the field chose.
    std::optional<std::string> draw(const std::vector<std::string>& present, bool sweeps_only,
                                    const std::string& prefix, bool appearing);
    bool reading() const { return reader_.busy(); }

private:
    using Catalogue = std::vector<RecordedCard>;

    bool search_field(const std::string& prefix, bool appearing);
    GalleryCard card_of(const RecordedCard&, const std::vector<std::string>& present, const std::string& prefix) const;

    std::string search_;
    int unscrolled_frames_ = 0;  ///< for so many frames more the list is kept at its head
    LatestJob<int, Catalogue> reader_;
    std::map<std::string, std::size_t> chosen_;  ///< by session: the recording that its card was switched to
};

}  // namespace convscope::app
