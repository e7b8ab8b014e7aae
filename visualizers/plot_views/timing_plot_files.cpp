// The timing plot as SVG and CSV text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/core/format_units.h"
#include "visualizers/plot_views/timing_plot_model.h"
#include "visualizers/plots/plot_text.h"

namespace convscope {
namespace {

class SvgPlot {
public:
    SvgPlot(const TimingPlotData& data, const TimingPlotState& state, const Theme& theme, int width, int height)
        : data_(data), state_(state), theme_(theme), width_(width), height_(height) {
        std::size_t widest = 0;
        for (const TimingSeries& one : data.series) widest = std::max(widest, label_of(one, true).size());
        const int right = static_cast<int>(leader + letter * static_cast<double>(widest));
        frame_ = make_frame(data, state, 64, 40, std::max(10, width - 64 - right), std::max(10, height - 40 - 44));
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
        labels();
        return out_ + "</svg>\n";
    }

private:
    static constexpr double leader = 20, letter = 7.2;  // from a line to its name; the mean width of a letter

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
        const auto band = [&](double low, double high, double opacity) {
            out_ += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
                "fill-opacity=\"{}\"/>\n",
                frame_.left, frame_.y(high), frame_.width, std::max(0.5, frame_.y(low) - frame_.y(high)), color,
                opacity);
        };
        if (one.q1_us && one.q3_us && !one.change) band(*one.q1_us, *one.q3_us, 0.18);
        if (one.interval_us && !one.change) band(one.interval_us->first, one.interval_us->second, 0.3);
        std::string path;
        for (const Dot& dot : dots(one, frame_, 2)) path += fmt::format("M{:.1f} {:.1f}h0", dot.x, dot.y);
        if (!path.empty())
            out_ += fmt::format(
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-opacity=\"0.35\" "
                "stroke-linecap=\"round\"/>\n",
                path, color);
        const char* dashes = one.vendor ? " stroke-dasharray=\"6 4\"" : "";
        for (const LinePiece& piece : median_line(one, frame_))
            out_ += fmt::format(
                "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                piece.x0, piece.y, piece.x1, piece.y, color, dashes);
    }

    void labels() {
        const double right = frame_.left + frame_.width;
        for (const LineLabel& label : line_labels(data_, state_, frame_, 15).list) {
            if (label.hidden) continue;
            line(right, label.line_y, right + leader - 4, label.y, series_color(*label.series, theme_));
            words(right + leader, label.y + 4, "start", theme_.text, label_of(*label.series, true));
        }
        words(frame_.left, frame_.top - 10, "start", theme_.warning, drift_in_words(data_, state_));
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
    std::int64_t count = 0, step = std::numeric_limits<std::int64_t>::max();
    for (const TimingSeries& series : data.series) {
        text += fmt::format(",{}", csv_cell(series.name + "_us"));
        count = std::max(count, static_cast<std::int64_t>(series.samples_us.size()) * series.stride);
        step = std::min(step, series.stride);
    }
    text += "\r\n";
    for (std::int64_t sample = 0; sample < count; sample += step) {
        text += std::to_string(sample);
        for (const TimingSeries& series : data.series) {
            text += ",";
            const auto at = static_cast<std::size_t>(sample / series.stride);
            const bool there = sample % series.stride == 0 && at < series.samples_us.size();
            if (there && std::isfinite(series.samples_us[at])) text += fmt::format("{}", series.samples_us[at]);
        }
        text += "\r\n";
    }
    return text;
}

}  // namespace convscope
