// The recorded sessions to choose from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/recorded_catalogue.h"
#include "app/session/jobs/latest_job.h"

namespace convscope::app {

class RecordedGallery {
public:
    /// 'wake' asks for a frame; it is called from another thread.
    explicit RecordedGallery(std::function<void()> wake);
    /// Fills the present window downwards; the names of those that are open are 'present'. 'prefix' begins what each is
    /// called in tests. Returns the name of the one that was clicked.
    std::optional<std::string> draw(const std::vector<std::string>& present, bool sweeps_only,
                                    const std::string& prefix, bool appearing);
    bool reading() const { return reader_.busy(); }

private:
    using Catalogue = std::vector<RecordedCard>;

    LatestJob<int, Catalogue> reader_;
};

}  // namespace convscope::app
