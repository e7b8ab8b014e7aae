#include "kernels/ocpa/choice_table.h"

#include <numeric>

namespace convscope {

void fit(CandidateLine& line, const MeasuredWork& less, const MeasuredWork& more) {
    if (more.flops <= less.flops || more.us <= less.us) {
        line.us_per_flop = 0;
        line.t0_us = std::midpoint(less.us, more.us);
        return;
    }
    line.us_per_flop = (more.us - less.us) / (more.flops - less.flops);
    line.t0_us = less.us - line.us_per_flop * less.flops;
}

std::optional<std::size_t> fastest(const ChoiceTable& table, const std::vector<double>& flops) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < table.lines.size(); ++i)
        if (table.lines[i].left_out.empty() && (!best || table.lines[i].us(flops) < table.lines[*best].us(flops)))
            best = i;
    return best;
}

std::string left_out_text(const ChoiceTable& table) {
    std::string text;
    for (const CandidateLine& line : table.lines)
        if (!line.left_out.empty()) text += (text.empty() ? "" : "; ") + line.method + ": " + line.left_out;
    return text;
}

}  // namespace convscope
