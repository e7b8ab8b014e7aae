#include "visualizers/layers/layer_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/core/format_units.h"

namespace convscope {
namespace {

std::string range_words(const char* one, const char* many, std::int64_t first, std::int64_t end) {
    if (end - first == 1) return fmt::format("{} {}", one, format_count(first));
    return fmt::format("{} {}-{}", many, format_count(first), format_count(end - 1));
}

std::string share(std::int64_t part, std::int64_t all) {
    return format_percent(static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, all)));
}

/// "115.6 M", "1.2 G": for counts that are too long to read.
std::string large_count(std::int64_t count) {
    if (count >= 1'000'000'000) return fmt::format("{:.2f} G", static_cast<double>(count) / 1e9);
    if (count >= 10'000'000) return fmt::format("{:.1f} M", static_cast<double>(count) / 1e6);
    return format_count(count);
}

}  // namespace

std::string region_words(const LayerSpot& spot, const LayerArraySpec& spec, const TileStats& stats) {
    std::string words = range_words("row", "rows", spot.row0, spot.row1) + " \u00d7 " +
                        range_words("col", "cols", spot.col0, spot.col1) + ": ";
    if (stats.filled == 0) return words + "no slot in use";
    if (spec.empty_slots)
        words += share(stats.filled, stats.elements) + " of the slots in use";
    else
        words += "zeros " + share(stats.zeros, stats.filled);
    const double largest = std::max(std::abs(stats.least), std::abs(stats.largest));
    if (stats.filled > stats.nans && std::isfinite(largest))
        words += fmt::format(", max |x| {}, mean {}", format_number(largest), format_number(stats.mean()));
    if (stats.nans > 0) words += fmt::format(", {} NaN", format_count(stats.nans));
    return words;
}

std::string element_words(const LayerSpot& spot, const LayerArraySpec& spec, std::uint32_t bits) {
    std::string words =
        fmt::format("{}[{}, {}] ", to_string(spec.array), format_count(spot.row0), format_count(spot.col0));
    if (spec.empty_slots && bits == 0xffffffffu) return words + "is an unused slot";
    const bool integer = spec.element == Element::i32;
    return words + "= " +
           (integer ? std::to_string(std::bit_cast<std::int32_t>(bits))
                    : format_number(static_cast<double>(std::bit_cast<float>(bits))));
}

Lead layer_lead(const LayerArraySpec& spec, std::optional<double> nonzero) {
    if (nonzero) {
        const std::string size =
            fmt::format("{} for {} elements", format_bytes(spec.bytes()), large_count(spec.elements()));
        Lead lead{to_string(spec.array), format_percent(spec.empty_slots ? *nonzero : 1 - *nonzero), {}};
        lead.before += spec.empty_slots ? " uses " : " is ";
        lead.after = (spec.empty_slots ? " of its slots: " : " zeros: ") + size;
        lead.share = spec.empty_slots ? *nonzero : 1 - *nonzero;
        lead.remains = spec.empty_slots;
        return lead;
    }
    return {fmt::format("{} takes ", to_string(spec.array)), format_bytes(spec.bytes()),
            fmt::format(": {} elements", large_count(spec.elements()))};
}

std::string layer_summary(const LayerArraySpec& spec, const LayerPart& part, Notation notation) {
    const std::int64_t shown = part.rows() * spec.cols;
    std::string words =
        fmt::format("{} $[{}] \\times [{}]$: {} \u00d7 {} = {} elements, {}", to_string(spec.array),
                    tex_product(spec.row_shape, notation), tex_product(spec.col_shape, notation),
                    format_count(part.rows()), format_count(spec.cols), large_count(shown), format_bytes(4 * shown));
    if (shown < spec.elements()) words += fmt::format(" of {}", format_bytes(spec.bytes()));
    return words;
}

std::string loading_words(std::int64_t written, std::int64_t rows, double aggregated) {
    if (written < rows)
        return fmt::format("Building and copying, {}.",
                           format_percent(static_cast<double>(written) / static_cast<double>(rows)));
    return fmt::format("Aggregating, {}; a few elements under each pixel stand for the rest until then.",
                       format_percent(aggregated));
}

}  // namespace convscope
