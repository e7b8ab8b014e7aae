// Frame times in percentiles, as a Markdown table and as CSV.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convscope::app {

struct FrameRow {
    std::string view, what;       ///< "im2col, whole layer", "zooming"
    std::vector<double> ms;       ///< of each frame, wall clock, GL finished
    double cpu_ms = 0;            ///< of all threads, a frame
    std::int64_t elements = 0;    ///< of the arrays on screen; 0: not arrays
    std::int64_t host_bytes = 0;  ///< copied through the host in these frames
};

/// The value that a share of the frames stays below: nearest rank.
double percentile(std::vector<double> ms, double share);
/// One line a row, under a heading.
std::string as_markdown(const std::vector<FrameRow>&);
std::string as_csv(const std::vector<FrameRow>&, int width, int height, double scale, const std::string& renderer);

}  // namespace convscope::app
