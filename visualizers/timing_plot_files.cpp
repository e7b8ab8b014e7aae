// The timing plot as SVG and CSV text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"
#include "visualizers/plot_text.h"
#include "visualizers/timing_plot_model.h"

namespace convscope {
namespace {

class SvgPlot {
public:
    SvgPlot(const TimingPlotData& data, const TimingPlotState& state, const Theme& theme, int width, int height)
        : data_(data), state_(state), theme_(theme), width_(width), height_(height) {
        frame_ = make_frame(data, state, 64, 40, std::max(10, width - 64 - 16), std::max(10, height - 40 - 44));
    }

    std::string text() {
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "font-family=\"Inter, sans-serif\" font-size=\"12\">\n"
            "<rect width=\"{0}\" height=\"{1}\" fill=\"{2}\"/>\n",
            width_, height_, hex(theme_.panel));
        axes();
        out_ += fmt::format(
            "<clipPath id=\"area\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n"
            "<g clip-path=\"url(#area)\">\n",
            frame_.left, frame_.top, frame_.width, frame_.height);
        for (const TimingSeries& one : data_.series)
            if (!state_.hidden.count(one.name)) series(one);
        out_ += "</g>\n";
        legend();
        return out_ + "</svg>\n";
    }

private:
    void line(double x0, double y0, double x1, double y1, const Rgba& color) {
        out_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x0, y0,
                            x1, y1, hex(color));
    }
    void words(double x, double y, const char* anchor, const Rgba& color, const std::string& text) {
        out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x, y, anchor,
                            hex(color), escaped(text));
    }

    void axes() {
        const double right = frame_.left + frame_.width, bottom = frame_.top + frame_.height;
        for (const Tick& tick : frame_.y_ticks) {
            if (tick.label.empty()) continue;
            const double y = frame_.y(tick.value * frame_.unit.us);
            line(frame_.left, y, right, y, theme_.hairline);
            words(frame_.left - 8, y + 4, "end", theme_.text_dim, tick.label);
        }
        for (const Tick& tick : frame_.x_ticks)
            words(frame_.x(tick.value), bottom + 18, "middle", theme_.text_dim, tick.label);
        line(frame_.left, bottom, right, bottom, theme_.text_dim);
        words((frame_.left + right) / 2, bottom + 36, "middle", theme_.text_dim, "sample");
        words(8, frame_.top - 10, "start", theme_.text_dim, fmt::format("time, {}", frame_.unit.name));
    }

    void series(const TimingSeries& one) {
        const std::string color = hex(series_color(one, theme_));
        if (one.q1_us && one.q3_us) {
            const double top = frame_.y(*one.q3_us), bottom = frame_.y(*one.q1_us);
            out_ += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
                "fill-opacity=\"0.18\"/>\n",
                frame_.left, top, frame_.width, std::max(0.5, bottom - top), color);
        }
        std::string path;
        for (const Dot& dot : dots(one.samples_us, frame_, 2)) path += fmt::format("M{:.1f} {:.1f}h0", dot.x, dot.y);
        if (!path.empty())
            out_ += fmt::format(
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-opacity=\"0.35\" "
                "stroke-linecap=\"round\"/>\n",
                path, color);
        const char* dashes = one.vendor ? " stroke-dasharray=\"6 4\"" : "";
        if (one.median_us)
            out_ += fmt::format(
                "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                frame_.left, frame_.y(*one.median_us), frame_.left + frame_.width, frame_.y(*one.median_us), color,
                dashes);
    }

    void legend() {
        double x = frame_.left + 56;
        for (const TimingSeries& one : data_.series) {
            if (state_.hidden.count(one.name)) continue;
            std::string label = one.name;
            if (one.median_us) label += "  " + format_time_us(*one.median_us);
            out_ += fmt::format(
                "<line x1=\"{:.1f}\" y1=\"18\" x2=\"{:.1f}\" y2=\"18\" stroke=\"{}\" stroke-width=\"3\"{}/>\n", x,
                x + 18, hex(series_color(one, theme_)), one.vendor ? " stroke-dasharray=\"6 4\"" : "");
            words(x + 24, 22, "start", theme_.text, label);
            x += 24 + 7.2 * static_cast<double>(label.size()) + 20;
        }
    }

    const TimingPlotData& data_;
    const TimingPlotState& state_;
    const Theme& theme_;
    int width_, height_;
    PlotFrame frame_;
    std::string out_;
};

}  // namespace

std::string timing_plot_svg(const TimingPlotData& data, const TimingPlotState& state, const Theme& theme, int width,
                            int height) {
    return SvgPlot(data, state, theme, width, height).text();
}

std::string timing_plot_csv(const TimingPlotData& data) {
    std::string text = "sample";
    std::size_t longest = 0;
    for (const TimingSeries& series : data.series) {
        text += fmt::format(",{}", csv_cell(series.name + "_us"));
        longest = std::max(longest, series.samples_us.size());
    }
    text += "\r\n";
    for (std::size_t i = 0; i < longest; ++i) {
        text += std::to_string(i);
        for (const TimingSeries& series : data.series) {
            text += ",";
            if (i < series.samples_us.size() && std::isfinite(series.samples_us[i]))
                text += fmt::format("{}", series.samples_us[i]);
        }
        text += "\r\n";
    }
    return text;
}

}  // namespace convscope
