// A plot as files: the picture of the screen as SVG and PNG, its data as CSV.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "visualizers/plots/plot_draw.h"

namespace convscope {

class FileCanvas;

struct PlotPage {
    int width = 800, height = 480;  ///< in units of 1/96 inch
    const Theme* theme = nullptr;
};

/// Whatever 'draw' draws on a page, as an SVG, or as a PNG of 'scale' pixels to a unit, by the path's ending. 'corner':
/// what is at the page's upper left. Throws Error(file).
using DrawPage = std::function<void(FileCanvas&)>;
void write_page(const PlotPage&, const DrawPage& draw, const std::filesystem::path&, double scale,
                const CanvasPoint& corner = {});
/// The same of a plot.
void write_plot(const Plot&, const PlotState&, const PlotPage&, const std::filesystem::path&, double scale,
                const PlotEmphasis& = {});

/// An SVG on a page of its own, on the light theme, as wide as the names along x need. Throws Error(file).
void write_plot_page(const Plot&, const std::filesystem::path&);

std::string plot_svg(const Plot&, const PlotState&, const PlotPage&, const PlotEmphasis& = {});

/// Series: series,x,y and quartiles where there are any. Cells: x,y,value,reason. Parallel: a column for each axis.
/// Columns carry their units; what is hidden is in it too, and so are rejections with their reasons.
std::string plot_csv(const Plot&);

}  // namespace convscope
