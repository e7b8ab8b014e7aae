#include "visualizers/explain/multiplication.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/core/format_units.h"
#include "visualizers/explain/link_products.h"
#include "visualizers/explain/link_set.h"

namespace convscope {
namespace {

// In seconds from the beginning of a window's turn.
constexpr double slide_s = 0.12, departs_s = 0.18, flight_s = 0.12, fall_s = 0.24, turn_s = 0.48;

float share(double seconds, double begin, double length) {
    return static_cast<float>(std::clamp((seconds - begin) / length, 0.0, 1.0));
}

bool all_whole(const std::vector<float>& values) {
    return std::ranges::all_of(values, [](float value) { return !std::isfinite(value) || value == std::round(value); });
}

std::string count_of(std::int64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

}  // namespace

std::int64_t Multiplication::multiplied() const {
    return keeps_zeros(format) ? products : products - zeros;
}

Multiplication multiplication_of(Format format, const MapValues& map_values, const Cell& y) {
    const ConvShape& s = map_values.shape();
    Multiplication m;
    m.format = format;
    m.shape = s;
    m.y = y;
    m.whole_inputs = all_whole(map_values.x_values());
    m.whole_weights = all_whole(map_values.w_values());
    const bool pools = m.pools();
    const std::int64_t rows = pools ? s.pool_h : 1, cols = pools ? s.pool_w : 1;
    const std::int64_t top = pools ? y.row * s.pool_stride : y.row, left = pools ? y.col * s.pool_stride : y.col;
    const bool listed = rows * cols * s.window() <= max_multiply_pairs;
    for (std::int64_t oy = top; oy < top + rows; ++oy)
        for (std::int64_t ox = left; ox < left + cols; ++ox) {
            m.windows.push_back({{oy, ox}, window_in_x(s, oy, ox, 1, 1), map_values.result(oy, ox)});
            m.products += s.window();
            m.zeros += s.window() - map_values.needed(oy, ox);
            for (std::int64_t i = 0; listed && i < s.r; ++i)
                for (std::int64_t j = 0; j < s.s; ++j) {
                    const float input = map_values.under(oy, ox, i, j);
                    m.pairs.push_back({{s.x_row(oy, i), s.x_col(ox, j)},
                                       {i, j},
                                       input,
                                       map_values.w(i, j),
                                       input == 0 && !keeps_zeros(format)});
                }
        }
    m.result = pools ? map_values.pooled(y.row, y.col) : m.windows.front().sum;
    for (std::size_t i = 0; pools && !m.largest && i < m.windows.size(); ++i) {
        const double sum = m.windows[i].sum;
        if (std::isnan(m.result) ? std::isnan(sum) : sum > 0 && sum == m.result) m.largest = i;
    }
    return m;
}

Lead lead_of(const Multiplication& m, std::optional<std::int64_t> block, std::optional<std::int64_t> thread) {
    Lead lead;
    const std::string y = fmt::format("y[{},{}]", m.y.row, m.y.col), value = format_number(m.result);
    lead.before =
        thread && block && !keeps_zeros(m.format) ? fmt::format("T{} of B{}: ", *thread + 1, *block + 1) : y + ": ";
    if (keeps_zeros(m.format)) {
        lead.number = count_of(m.products, "product", "products");
        const std::string zeros = m.zeros == 0 ? "none with a zero input"
                                               : fmt::format("{} of them with a zero input", format_count(m.zeros));
        lead.after = fmt::format(", {}; their sum is {}", zeros, value);
        return lead;
    }
    lead.number = fmt::format("{} of {}", format_count(m.multiplied()), format_count(m.products));
    lead.share = static_cast<double>(m.multiplied()) / static_cast<double>(m.products);
    lead.remains = true;
    const std::string zeros = m.zeros == 0   ? "no input is zero"
                              : m.zeros == 1 ? "1 has a zero input"
                                             : fmt::format("{} have a zero input", format_count(m.zeros));
    lead.after = fmt::format(" products {} left, {}; ", m.multiplied() == 1 ? "is" : "are", zeros);
    if (!m.pools())
        lead.after += fmt::format("{} = {}", y, value);
    else if (m.largest)
        lead.after += fmt::format("the largest of {} is {} = {}",
                                  count_of(static_cast<std::int64_t>(m.windows.size()), "sum", "sums"), y, value);
    else
        lead.after += fmt::format("no sum is above 0, so {} = 0", y);
    return lead;
}

double multiply_seconds(std::size_t windows, bool pools) {
    return turn_s * static_cast<double>(windows) + (pools ? fall_s : 0);
}

MultiplyMoment multiply_moment(double seconds, std::size_t windows, bool pools) {
    if (seconds >= multiply_seconds(windows, pools)) return multiply_at_rest(windows);
    seconds = std::max(0.0, seconds);
    const double turns = turn_s * static_cast<double>(windows);
    if (seconds >= turns) {
        MultiplyMoment moment = multiply_at_rest(windows);
        moment.pooling = share(seconds, turns, flight_s);
        moment.rests = false;
        return moment;
    }
    const auto window = std::min(windows - 1, static_cast<std::size_t>(seconds / turn_s));
    const double here = seconds - turn_s * static_cast<double>(window);
    return {window,
            share(here, 0, slide_s),
            share(here, 0, slide_s),
            share(here, departs_s, flight_s),
            share(here, departs_s, fall_s),
            0,
            false};
}

MultiplyMoment multiply_at_rest(std::size_t windows) {
    return {windows, 1, 1, 1, 1, 1, true};
}

}  // namespace convscope
