#include "tests/benchmarks/frame_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

/// A cell of a Markdown table; a bar would end it.
std::string cell(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, 1, '\\');
    return text;
}

}  // namespace

double percentile(std::vector<double> ms, double share) {
    if (ms.empty()) return 0;
    std::ranges::sort(ms);
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ms.size())));
    return ms[std::min(ms.size() - 1, rank > 0 ? rank - 1 : 0)];
}

std::string as_markdown(const std::vector<FrameRow>& rows) {
    std::string text =
        "| view | frames | elements | p50 ms | p95 ms | p99 ms | max ms | CPU ms | through the host, a frame |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (const FrameRow& row : rows)
        text += fmt::format(
            "| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} |\n", cell(row.view), cell(row.what),
            row.elements > 0 ? format_count(row.elements) : "-", percentile(row.ms, 0.5), percentile(row.ms, 0.95),
            percentile(row.ms, 0.99), percentile(row.ms, 1), row.cpu_ms,
            format_bytes(row.host_bytes / static_cast<std::int64_t>(std::max<std::size_t>(1, row.ms.size()))));
    return text;
}

std::string as_csv(const std::vector<FrameRow>& rows, int width, int height, double scale,
                   const std::string& renderer) {
    std::string text =
        "renderer,width,height,scale,view,frames,frame_count,elements,p50_ms,p95_ms,p99_ms,max_ms,cpu_ms,host_bytes\n";
    for (const FrameRow& row : rows)
        text += fmt::format("\"{}\",{},{},{},\"{}\",\"{}\",{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{}\n", renderer,
                            width, height, scale, row.view, row.what, row.ms.size(), row.elements,
                            percentile(row.ms, 0.5), percentile(row.ms, 0.95), percentile(row.ms, 0.99),
                            percentile(row.ms, 1), row.cpu_ms, row.host_bytes);
    return text;
}

}  // namespace convscope::app
