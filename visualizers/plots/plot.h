// A plot as data: lines and points with their spread, a map of cells, or parallel coordinates. What it looks like is
// in plot_draw.h, the same on the screen and in files. No ImGui.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "visualizers/plots/plot_axis.h"

namespace convscope {

/// The row of a table that a mark stands for: what links plots of the same rows.
using PlotRow = std::uint32_t;
inline constexpr PlotRow no_row = ~PlotRow{0};

struct PlotScale {
    std::string name;  ///< "time"
    /// "us" and "B" are shown in the multiple that reads best; "%", "GFLOP/s" and others as they are.
    std::string unit = {};
    bool log = false;
    bool from_zero = false;                ///< a linear axis that starts at 0
    std::vector<std::string> names = {};   ///< not empty: values are indices of these
    std::optional<AxisRange> limits = {};  ///< unset: what the data needs
    bool whole = false;                    ///< counts or numbers: there is nothing between 1 and 2
    double log_beyond = 0;       ///< over 0: logarithmic where the levels shown differ by more than this factor
    bool powers_of_two = false;  ///< a logarithmic axis with its ticks there
};

/// One line or cloud. Columns have one entry for each mark, or are empty where that is allowed.
struct PlotSeries {
    /// 'samples' are many: small, faint, without a name of their own. A 'level' is what the samples of the same name
    /// come to: a line that breaks where they change; it is not in the CSV.
    enum class Marks { line, dots, line_and_dots, bars, samples, level };
    enum class Shape { dot, ring, square, hollow_square, diamond, triangle, cross, plus };
    std::string name;
    int color = 0;         ///< its number in Theme::method; the same in every plot
    bool vendor = false;   ///< neutral and dashed
    bool neutral = false;  ///< of no method: a ceiling, a limit; in the colour of text
    /// Not empty: it has these words where nothing else is drawn, or the brief ones, and none in the legend.
    std::string note = {}, brief_note = {};
    bool part = false;  ///< of no method but of a whole, as a stage is: 'color' is its number in Theme::part
    /// For a series of a value instead of a method, such as a block's size: its place among the values shown, 0..1, on
    /// the colour map.
    std::optional<double> place = {};
    Shape shape = Shape::dot;
    bool dashed = false;    ///< as the vendor's line always is
    bool dotted = false;    ///< a line that is a limit
    bool outlined = false;  ///< another's results, next to ours: hollow bars and dots
    Marks marks = Marks::line_and_dots;
    bool right = false;                         ///< on the right axis
    std::vector<double> x, y;                   ///< NaN in y leaves a gap
    std::vector<double> low, high;              ///< quartiles: a band round lines, whiskers on dots; may be empty
    std::vector<double> inner_low, inner_high;  ///< of a level: a darker band within, its interval; may be empty
    std::string end_words = {};                 ///< of a level: at the end of its strip, where the plot is wide
    std::int64_t stride = 1;                    ///< of samples: one in so many is kept
    double outliers = HUGE_VAL;                 ///< samples above do not stretch the axis; how many are off it is said
    std::vector<PlotRow> row;                   ///< may be empty
    double bar_width = 0.8;                     ///< of bars, in units of x
    std::vector<double> base;  ///< where each bar begins; empty: at 0, or at the low end of a logarithmic axis
    // For bars in rows; all may be empty.
    std::vector<std::string> reason;  ///< why y is NaN
    std::vector<bool> unsure;         ///< has no interval: hollow
    std::vector<std::string> result;  ///< text at the end of each row
    std::string result_name;          ///< and its name
};

/// A point without a value, and the reason, at its place on the x axis.
struct PlotRejection {
    double x = 0;
    std::string reason;  ///< a sentence
    PlotRow row = no_row;
    std::string series = {};  ///< the series that it would be a mark of, whether that has others or not
};

struct PlotCell {
    double value = 0;    ///< NaN where there is none
    std::string text;    ///< printed where the cell is large enough; empty: the value, if there is one
    std::string reason;  ///< why there is no value; empty: not measured
    std::string series;  ///< coloured as this one of the legend instead of by value
    PlotRow row = no_row;
    std::string note = {};  ///< next to its value where the cell is pointed at
};

/// A map over the names of two axes, row after row from the first name of y, which is at the bottom.
struct PlotCells {
    std::vector<PlotCell> cells;  ///< x.names.size() * y.names.size()
    PlotScale value;
    bool ratio = false;  ///< values are ratios: a diverging map about 1
};

/// Parallel coordinates: each row is a line over all axes.
struct PlotParallel {
    std::vector<PlotScale> axes;
    std::vector<std::vector<double>> values;  ///< by axis, then by line; NaN where there is none
    std::vector<PlotRow> row;                 ///< by line
    std::size_t colour_axis = 0;              ///< lines are coloured by their value there
};

/// Makes bars lie: each name of x has a row to itself, with a bar for each series. Rows that have no room are scrolled
/// to. A row's number is its PlotRow.
struct PlotRows {
    std::string name;                  ///< over the names: "layer, zeros"
    std::vector<std::string> note;     ///< by row, right of its name
    std::vector<std::string> detail;   ///< by row, below its name where there is room
    std::optional<PlotRow> under_way;  ///< the row whose bars are being made
    std::string phase;                 ///< and how far they are
    std::string control, action;       ///< of a row for the keyboard: "network row", "Load this layer into the panels"
};

struct Plot {
    std::string title, subtitle;  ///< in files only
    PlotScale x, y, right;
    std::vector<PlotSeries> series;
    std::vector<PlotRejection> rejected;
    std::optional<double> reference;       ///< a hairline across, at 1 for speed-ups
    std::optional<PlotCells> cells;        ///< instead of series
    std::optional<PlotParallel> parallel;  ///< instead of series
    std::optional<PlotRows> rows;          ///< for series of bars at 0, 1, 2, ...
    bool strips = false;           ///< names of x have a lying strip each: of samples, from the top as they came
    std::string warning;           ///< stands above the area
    bool named_elsewhere = false;  ///< the series, on the screen: files alone have a legend
    PlotRow best = no_row;         ///< ringed
    std::vector<PlotRow> tied;     ///< cannot be told from the best: ringed faintly
    std::string empty_hint = "Nothing to show yet.";  ///< may have several lines
    std::string command;                              ///< the command line that reproduces it; empty: there is none
};

/// The meaning of the crosses, for the end of a title: "; a cross: no value of ecr1". Empty where there are none.
std::string crosses_in_words(const Plot&);

/// Moves each series of bars to a place of its own next to the others' at the same points, which are whole numbers.
void set_side_by_side(Plot&);

/// The user's settings. Plain data.
struct PlotState {
    struct View {
        double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
        bool operator==(const View&) const = default;
    };
    std::set<std::string> hidden;      ///< names switched off in the legend
    std::optional<bool> log_x, log_y;  ///< unset: as the plot says
    std::optional<View> view;          ///< unset: everything is shown
    bool brushing = false;             ///< Shift was down when the pointer was pressed
    double scrolled = 0;               ///< of rows, in the units of the canvas
};

/// The highlighted rows, in every plot.
struct PlotEmphasis {
    const std::vector<bool>* chosen = nullptr;  ///< by row; the others step back. Null: all
    PlotRow hovered = no_row, pinned = no_row;

    bool lit(PlotRow row) const { return !chosen || row == no_row || (row < chosen->size() && (*chosen)[row]); }
};

}  // namespace convscope
