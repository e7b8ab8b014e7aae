#include "visualizers/explain/links.h"

#include <fmt/format.h>

#include <algorithm>

#include "visualizers/explain/link_products.h"
#include "visualizers/explain/link_set.h"
#include "visualizers/explain/link_words.h"

namespace convscope {
namespace {

/// The window, or the one pooling window, that holds the focus even when no product is left in it.
std::optional<Product> window_of_focus(Format format, const ElementRef& focus, const ConvShape& s) {
    const auto [row, col] = focus.cell;
    switch (focus.array) {
        case ArrayId::F_data:
        case ArrayId::K_data:
        case ArrayId::im2col:
            return Product{row / s.q(), row % s.q(), 0, 0};
        case ArrayId::Ptr:
            return Product{row, col, 0, 0};
        case ArrayId::Data:
        case ArrayId::Index:
        case ArrayId::Count: {
            const std::int64_t py = row / s.out_w(), px = row % s.out_w();
            const std::int64_t in_pool = focus.array == ArrayId::Count ? col : 0;
            return Product{
                py * s.pool_stride + in_pool / s.pool_w, px * s.pool_stride + in_pool % s.pool_w, 0, 0, py, px};
        }
        case ArrayId::y:
            if (format == Format::pecr) return Product{row * s.pool_stride, col * s.pool_stride, 0, 0, row, col};
            return Product{row, col, 0, 0};
        default:
            return std::nullopt;
    }
}

/// Results hang together even where no product is left: an all-zero window has a Ptr of -1 and an output of 0.
void add_results(Format format, const ConvShape& s, const ElementRef& focus, std::vector<ElementRef>& out) {
    const auto [row, col] = focus.cell;
    if (format == Format::ecr && (focus.array == ArrayId::Ptr || focus.array == ArrayId::y)) {
        out.push_back({ArrayId::Ptr, {row, col}});
        out.push_back({ArrayId::y, {row, col}});
    }
    if (format != Format::pecr) return;
    auto add_pooled = [&](std::int64_t py, std::int64_t px, std::int64_t in_pool) {
        out.push_back({ArrayId::Count, {py * s.out_w() + px, in_pool}});
        out.push_back(
            {ArrayId::conv, {py * s.pool_stride + in_pool / s.pool_w, px * s.pool_stride + in_pool % s.pool_w}});
        out.push_back({ArrayId::y, {py, px}});
    };
    if (focus.array == ArrayId::Count) add_pooled(row / s.out_w(), row % s.out_w(), col);
    if (focus.array == ArrayId::y)
        for (std::int64_t a = 0; a < s.pool_h * s.pool_w; ++a) add_pooled(row, col, a);
    if (focus.array == ArrayId::conv)
        for_each_pool(s, row, col, [&](std::int64_t py, std::int64_t px) {
            add_pooled(py, px, (row - py * s.pool_stride) * s.pool_w + col - px * s.pool_stride);
        });
}

/// Pooling windows that overlap repeat a multiplication; it counts once.
std::int64_t count_distinct(std::vector<Product> products) {
    for (Product& p : products) p.py = p.px = -1;
    std::sort(products.begin(), products.end());
    return std::unique(products.begin(), products.end()) - products.begin();
}

void add_areas(Format format, const ConvShape& s, const std::vector<Product>& products, LinkSet& set) {
    if (set.focus.array == ArrayId::conv)
        set.areas.push_back(window_in_x(s, set.focus.cell.row, set.focus.cell.col, 1, 1));
    const auto window = window_of_focus(format, set.focus, s);
    if (window) {
        const bool whole_pool = format == Format::pecr && window->py >= 0 && set.focus.array != ArrayId::Count;
        if (whole_pool) {
            const std::int64_t oy = window->py * s.pool_stride, ox = window->px * s.pool_stride;
            set.areas.push_back(window_in_x(s, oy, ox, s.pool_h, s.pool_w));
            set.areas.push_back({ArrayId::conv, oy, ox, s.pool_h, s.pool_w});
        } else {
            set.areas.push_back(window_in_x(s, window->oy, window->ox, 1, 1));
        }
    }
    if (!keeps_zeros(format)) return;
    if (set.focus.array == ArrayId::L) {
        const std::int64_t left = set.focus.cell.row * s.stride_w - s.pad_w;
        set.areas.push_back({ArrayId::x, -s.pad_h, left, s.padded_h(), s.s});
    }
    // The partition rows that are multiplied: from one or a few results only, or the picture is all frames.
    if (products.empty() || set.focus.array == ArrayId::w) return;
    if (set.focus.array == ArrayId::y || set.focus.array == ArrayId::im2col) {
        const Product& p = products.front();
        if (!s.dilated()) set.areas.push_back({ArrayId::L, p.ox, p.oy * s.stride_h * s.s, 1, s.window()});
        set.areas.push_back({ArrayId::im2col, p.oy * s.q() + p.ox, 0, 1, s.window()});
    }
}

/// Letters as in Fig. 2, where the windows' end before the partitions' begin.
bool has_letters(const ConvShape& s) {
    return s.q() <= 15 && s.p() <= 11;
}

}  // namespace

bool LinkSet::contains(const ElementRef& element) const {
    const std::vector<Cell>& list = of(element.array);
    return std::binary_search(list.begin(), list.end(), element.cell);
}

LinkSet find_links(Format format, const MapValues& map_values, const ElementRef& focus, const ThreadMap& map,
                   std::int64_t most) {
    LinkSet set;
    set.focus = focus;
    std::vector<Product> products;
    set.complete = products_of(format, map_values, focus, most, products);

    std::vector<ElementRef> elements = {focus};
    add_results(format, map_values.shape(), focus, elements);
    std::vector<Product> places = products;
    // A window's own elements say who handles it, even when no product is left in it.
    if (const auto window = window_of_focus(format, focus, map_values.shape())) places.push_back(*window);
    for (const Product& product : products) elements_of(format, map_values, product, elements);
    set_place(set, format, map_values.shape(), places, map);
    set_cells(set, elements);
    set.products = count_distinct(products);
    add_areas(format, map_values.shape(), products, set);
    describe_links(format, map_values, products, set);
    return set;
}

std::string mec_window_label(std::int64_t ox, const ConvShape& s) {
    return has_letters(s) ? std::string(1, static_cast<char>('A' + ox)) : std::to_string(ox);
}

std::string mec_partition_label(std::int64_t oy, const ConvShape& s) {
    return has_letters(s) ? std::string(1, static_cast<char>('P' + oy)) : std::to_string(oy);
}

std::string mec_window_name(std::int64_t ox, const ConvShape& s) {
    return "window " + mec_window_label(ox, s);
}

std::string mec_partition_name(std::int64_t oy, const ConvShape& s) {
    return "partition " + mec_partition_label(oy, s);
}

}  // namespace convscope
