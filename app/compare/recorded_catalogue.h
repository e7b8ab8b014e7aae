// The recorded sessions of this installation as they are offered: what is in each, of which device and day.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "app/compare/recorded_finding.h"

namespace convscope::app {

/// A file of a session: what one device measured.
struct Recording {
    /// The times of one method, in the order of the file: 0 the least of the file, 1 the most, on a logarithmic scale.
    struct Line {
        std::string method;
        bool vendor = false;
        std::vector<float> heights;
    };
    std::string name;          ///< "xu2022-scopes-h100", as the file
    std::string content;       ///< "350 rows on 14 layers"
    std::string methods;       ///< all, with blanks between: what a search looks in
    std::string device, date;  ///< "H200", "2026-11-22"
    RecordedFinding finding;
    std::vector<Line> lines;  ///< at most four
};

/// One question, answered on one or more devices.
struct RecordedCard {
    std::string name;   ///< "xu2022-scopes"
    std::string group;  ///< the paper or network that it is about
    RecordedQuestion question;
    bool sweep = false;                 ///< over launch configurations
    std::vector<Recording> recordings;  ///< that of the session's own name first

    /// The answer on that device. Where its file does not tell, another one's, and for which device it is known.
    RecordedFinding answer(std::size_t recording) const;
};

/// Reads all of them: a fraction of a second. By group, then by name; of a file that does not read only the name is
/// known. Ends early, with what there is, when stopped.
std::vector<RecordedCard> read_recorded_catalogue(const std::stop_token&);

/// "Xu 2019", "VGG-19": what a preset or a recorded session of this name is about.
std::string paper_or_network(const std::string& name);

}  // namespace convscope::app
