// A plot as files: the picture of the screen as SVG and PNG, its data as CSV.
#pragma once

#include <filesystem>
#include <string>

#include "visualizers/plots/plot_draw.h"

namespace convscope {

struct PlotPage {
    int width = 800, height = 480;  ///< in units of 1/96 inch
    const Theme* theme = nullptr;
};

/// A page of its own: PATH.svg and PATH.png on the light theme, as wide as the names along x need. Throws Error(file).
void write_plot_files(const Plot&, const std::filesystem::path& without_ending);

std::string plot_svg(const Plot&, const PlotState&, const PlotPage&, const PlotEmphasis& = {});
/// Throws Error(file) when it cannot be written.
void write_plot_png(const Plot&, const PlotState&, const PlotPage&, const std::filesystem::path&, double scale = 2,
                    const PlotEmphasis& = {});

/// Series: series,x,y and quartiles where there are any. Cells: x,y,value,reason. Parallel: a column for each axis.
/// Columns carry their units; what is hidden is in it too, and so are rejections with their reasons.
std::string plot_csv(const Plot&);

}  // namespace convscope
