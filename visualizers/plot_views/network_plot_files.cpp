// The network plot as SVG and CSV text.
#include <fmt/format.h>

#include "kernels/core/format_units.h"
#include "visualizers/plot_views/network_plot_model.h"
#include "visualizers/plots/plot_text.h"

namespace convscope {
namespace {

class SvgNetwork {
public:
    SvgNetwork(const NetworkPlotData& data, const NetworkPlotState& state, const Theme& theme, int width)
        : data_(data), state_(state), theme_(theme), width_(width), shown_(shown_series(data, state)) {
        std::size_t longest = 20;
        for (const NetworkLayer& layer : data.layers) longest = std::max(longest, layer.shape.size());
        const double left = 24 + letter * static_cast<double>(longest);
        axis_ = make_network_axis(data, state, left, std::max(80.0, width - left - 120));
    }

    std::string text() {
        const double bottom = top + row_height() * static_cast<double>(data_.layers.size());
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} {1:.0f}\" "
            "font-family=\"Inter, sans-serif\" font-size=\"12\">\n"
            "<rect width=\"{0}\" height=\"{1:.0f}\" fill=\"{2}\"/>\n",
            width_, bottom + 44, hex(theme_.panel));
        legend();
        for (const Tick& tick : axis_.ticks) {
            if (tick.label.empty()) continue;
            const double x = axis_.x(tick.value * axis_.unit.us);
            out_ += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n", x,
                                top, bottom, hex(theme_.hairline));
            words(x, bottom + 16, "middle", theme_.text_dim, tick.label);
        }
        words(axis_.left + axis_.width / 2, bottom + 34, "middle", theme_.text_dim, axis_.name());
        for (std::size_t i = 0; i < data_.layers.size(); ++i)
            row(data_.layers[i], top + row_height() * static_cast<double>(i));
        return out_ + "</svg>\n";
    }

private:
    static constexpr double top = 44, bar = 12, letter = 6.6;

    double row_height() const { return std::max(38.0, bar * static_cast<double>(shown_.size()) + 10); }

    void words(double x, double y, const char* anchor, const Rgba& color, const std::string& text) {
        out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x, y, anchor,
                            hex(color), escaped(text));
    }
    void block(double x, double y, double width, double height, const NetworkSeries& series) {
        out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
                            width, height, hex(bar_color(series, theme_)));
    }

    void legend() {
        double x = 16;
        for (const std::size_t i : shown_) {
            const NetworkSeries& series = data_.series[i];
            block(x, 14, 12, 12, series);
            words(x + 18, 24, "start", theme_.text, series.name);
            x += 18 + letter * static_cast<double>(series.name.size()) + 24;
        }
        if (const auto lead = lead_series(data_, state_); lead && !data_.baseline.empty())
            words(width_ - 16, 24, "end", theme_.text_dim, data_.series[*lead].name + " over " + data_.baseline);
    }

    void row(const NetworkLayer& layer, double y) {
        words(16, y + 15, "start", theme_.text, layer.name);
        words(axis_.left - 12, y + 15, "end", theme_.text_dim, zeros_text(layer));
        words(16, y + 31, "start", theme_.text_dim, layer.shape);
        double at = y + 4;
        for (const std::size_t i : shown_) {
            if (i < layer.bars.size()) {
                const NetworkBar& one = layer.bars[i];
                if (one.time_us)
                    block(axis_.left, at, std::max(1.0, axis_.x(*one.time_us) - axis_.left), bar - 2, data_.series[i]);
                const double end = one.time_us ? axis_.x(*one.time_us) : axis_.left;
                words(end + 4, at + 9, "start", theme_.text_dim,
                      one.time_us ? format_time_us(*one.time_us) : one.reason);
            }
            at += bar;
        }
        if (const auto lead = lead_series(data_, state_))
            words(width_ - 16, y + 15, "end", theme_.text, lead_text(layer, *lead));
    }

    const NetworkPlotData& data_;
    const NetworkPlotState& state_;
    const Theme& theme_;
    int width_;
    std::vector<std::size_t> shown_;
    NetworkAxis axis_;
    std::string out_;
};

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
}

}  // namespace

std::string network_plot_svg(const NetworkPlotData& data, const NetworkPlotState& state, const Theme& theme,
                             int width) {
    return SvgNetwork(data, state, theme, width).text();
}

std::string network_plot_csv(const NetworkPlotData& data) {
    std::string text = "layer,shape,zeros,zeros_from,times,method,chosen,time_us,speedup_vs_baseline,reason\r\n";
    for (const NetworkLayer& layer : data.layers)
        for (std::size_t i = 0; i < layer.bars.size() && i < data.series.size(); ++i) {
            const NetworkBar& bar = layer.bars[i];
            text += fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", csv_cell(layer.name), csv_cell(layer.shape),
                                number(layer.zeros), csv_cell(layer.from), layer.times, csv_cell(data.series[i].name),
                                csv_cell(bar.chosen), number(bar.time_us), number(bar.speedup), csv_cell(bar.reason));
        }
    return text;
}

}  // namespace convscope
