// The papers' tables and figures, measured here, and the pages of what was measured.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/measure/measure.h"
#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/figure_values.h"

namespace convscope::reproduce {

/// A page over many figures.
struct PageOverMany {
    std::string name, device, shows, title;  ///< as a figure has them; device "-": nothing is measured
};
const std::vector<PageOverMany>& pages_over_many();

struct Reproduction {
    std::vector<const PaperFigure*> figures;  ///< a page for each
    std::string page;                         ///< or this one over many
    std::filesystem::path folder;             ///< of CSVs, charts and pages, made when missing
    MeasureOptions options;
    std::string timing;  ///< the flags that 'options' was read from, each after a space: pages name them
    Digits digits = Digits::few;
    // Both have to be there.
    std::function<void(const std::string&)> progress;  ///< what is being measured; an empty text: nothing any more
    std::function<void(const std::filesystem::path&)> page_written;
};

/// Measures what the folder's CSVs lack and writes the pages. False where a result was wrong. Ends early when stopped.
/// Throws Error: not_found, before anything is measured, for a device or a method that cannot be used.
bool reproduce(const Reproduction&, const std::stop_token&);

}  // namespace convscope::reproduce
