// The records that the Compare view shows, as plain data.
#pragma once

#include <string>
#include <vector>

namespace convscope::app {

struct RecordSource {
    enum class Kind {
        automatic,  ///< the first available: this run's rows, or else a recorded session
        this_run,
        recorded,  ///< a recorded session of this installation, by its name
        files,
    };
    Kind kind = Kind::automatic;
    std::string name;                ///< of the recorded session: "xu2022-scopes"
    std::vector<std::string> files;  ///< .csv or .json
    /// Recorded sessions that are open with the one that is named.
    std::vector<std::string> companions = {};
    bool operator==(const RecordSource&) const = default;
};

}  // namespace convscope::app
