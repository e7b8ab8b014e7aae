// Finds the marks of a plot at a place, and inside a rectangle: pointing, clicking and brushing.
#pragma once

#include <optional>

#include "visualizers/plots/plot_layout.h"

namespace convscope {

struct PlotPick {
    PlotRow row = no_row;
    std::string words;  ///< lines to read out; empty: nothing is there
    double x = 0, y = 0;
    // For the mark of a series: which one, and its lines except those that a reading at its x has already.
    std::optional<std::size_t> series = {};
    std::size_t point = 0;
    std::string beside_reading = {};
};

/// The mark nearest to (x, y), within some pixels of it; the cell there; the line of parallel coordinates there.
PlotPick pick(const Plot&, const PlotState&, const PlotLayout&, const PlotLook&, double x, double y);

/// The values of all methods at one x.
struct PlotReading {
    struct Value {
        std::size_t series = 0, point = 0;
        std::string words;
        CanvasPoint at;  ///< not a number where there is no value
    };
    std::string words;  ///< of x
    double x = 0;       ///< along its axis
    std::vector<Value> values;

    bool has(const PlotPick& pick) const;  ///< the mark is one of the values
};
/// At the x nearest to this place at which any line, or any series of samples, has a point, and, where x has names or
/// counts something, any bar or dot; empty where there is none. Of what is counted it is a whole number.
std::optional<PlotReading> read_at(const Plot&, const PlotState&, const PlotLayout&, CanvasPoint);

/// Rows with a mark, a cell or a crossing of a parallel axis inside the box.
std::vector<PlotRow> rows_in(const Plot&, const PlotState&, const PlotLayout&, const CanvasBox&);

}  // namespace convscope
