// The recorded sessions of this installation as they are offered: what is in each, of which device and day.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace convscope::app {

struct RecordedCard {
    /// The times of one method, in the order of the file: 0 the least of the session, 1 the most, on a logarithmic
    /// scale.
    struct Line {
        std::string method;
        bool vendor = false;
        std::vector<float> heights;
    };
    std::filesystem::path path;
    std::string name;          ///< "xu2022-scopes-h100"
    std::string group;         ///< the paper or network that it is about
    std::string sentence;      ///< "160 rows: csr1, cudnn and 10 more methods on 12 layers"
    std::string device, date;  ///< "NVIDIA H200", "2026-11-22"
    bool sweep = false;        ///< over launch configurations
    std::vector<Line> lines;   ///< at most four
};

/// Reads all of them: a fraction of a second. By group, then by name; of a file that does not read only the name is
/// known. Ends early, with what there is, when stopped.
std::vector<RecordedCard> read_recorded_catalogue(const std::stop_token&);

/// "Xu 2019", "VGG-19": what a preset or a recorded session of this name is about.
std::string paper_or_network(const std::string& name);

}  // namespace convscope::app
