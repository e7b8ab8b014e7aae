// The parts that draw_plot() is made of.
#pragma once

#include <cmath>

#include "visualizers/plots/plot_draw.h"

namespace convscope {

struct PlotStrokes {
    Canvas& canvas;
    const Plot& plot;
    const PlotState& state;
    const PlotLayout& layout;
    const PlotLook& look;
    const PlotEmphasis& emphasis;
    const Theme& theme;
    const std::vector<Rgba> inks;  ///< by series

    double px(double at_scale_1) const { return look.px(at_scale_1); }
    void words(const std::string& text, double x, double baseline, const Rgba& color, Align align = Align::left) const {
        canvas.text(text, x, baseline, look.text, color, align);
    }
    /// The same with the upper edge of the line in place of the baseline.
    void line_of_words(const std::string& text, double x, double top, const Rgba& color,
                       Align align = Align::left) const {
        words(text, x, std::round(top) + look.text * 0.81, color, align);
    }
    /// A point of a series, in its shape.
    void mark(const PlotSeries&, const CanvasPoint&, double radius, const Rgba&) const;
    void block(const CanvasBox&, const Rgba&, bool hollow) const;
    void ring(const CanvasPoint&, PlotRow row) const;  ///< best, tied, pinned or pointed at

    void legend() const;
    /// Draws the swatch before the name of a series, from 'x' on.
    void swatch(const PlotSeries&, double x, double middle, const Rgba&) const;
    void end_name(const PlotLegendEntry&) const;
    void remark() const;
    void axes() const;
    void lying_axes() const;
    void strip_ends() const;
    /// Whether a tick of y would touch the label of the reference.
    bool gives_way(const Tick&) const;
    void reference_label() const;
    std::string fitted(const std::string& name, double room) const;
    void broken_name(const std::string& name, double x, double y) const;
    void turned_name(const std::string& name, double x) const;
    void value_scale() const;
    void series() const;
    void rejected() const;
    void notes() const;
    void cells() const;
    void parallel() const;
    void rows() const;
    void row_back(const CanvasBox&, PlotRow) const;
    void row_words(const CanvasBox&, std::size_t row) const;
    void row_bars(const CanvasBox&, std::size_t row) const;
};

}  // namespace convscope
