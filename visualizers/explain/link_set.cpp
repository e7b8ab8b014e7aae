#include "visualizers/explain/link_set.h"

#include <algorithm>
#include <optional>

namespace convscope {
namespace {

struct Place {
    std::int64_t block, thread;
    bool operator==(const Place&) const = default;
};

/// Block row and thread of a product, in the formats that give windows to threads.
std::optional<Place> place_of(Format format, const Product& p, std::int64_t threads) {
    const bool pooled = format == Format::pecr;
    if (keeps_zeros(format) || (pooled && p.py < 0)) return std::nullopt;
    return Place{pooled ? p.py : p.oy, (pooled ? p.px : p.ox) % threads};
}

}  // namespace

std::int64_t threads_of(Format format, const ConvShape& s, const ThreadMap& map) {
    const std::int64_t windows = format == Format::pecr ? s.out_w() : s.q();
    return map.threads_per_block > 0 ? std::min(map.threads_per_block, windows) : windows;
}

void set_cells(LinkSet& set, const std::vector<ElementRef>& elements) {
    for (const ElementRef& element : elements)
        set.cells[static_cast<std::size_t>(element.array)].push_back(element.cell);
    for (std::vector<Cell>& cells : set.cells) {
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    }
}

void set_place(LinkSet& set, Format format, const ConvShape& s, const std::vector<Product>& products,
               const ThreadMap& map) {
    if (keeps_zeros(format)) return;
    const std::int64_t threads = threads_of(format, s, map);
    std::optional<Place> place;
    for (const Product& product : products) {
        const std::optional<Place> here = place_of(format, product, threads);
        if (!here || (place && *place != *here)) return;
        place = here;
    }
    if (!place) return;
    set.block = place->block;
    set.thread = place->thread;
}

LinkArea window_in_x(const ConvShape& s, std::int64_t oy, std::int64_t ox, std::int64_t rows, std::int64_t cols) {
    return {ArrayId::x, s.x_row(oy, 0), s.x_col(ox, 0), (rows - 1) * s.stride_h + s.span_h(),
            (cols - 1) * s.stride_w + s.span_w()};
}

}  // namespace convscope
