#include "visualizers/explain/links_across.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/explain/link_products.h"
#include "visualizers/explain/link_set.h"

namespace convscope {
namespace {

/// All multiplications of an element, those by zero too, each once and without pooling windows.
class DenseProducts {
public:
    DenseProducts(Format from, const MapValues& map_values, std::int64_t most)
        : from_(from), map_values_(map_values), s_(map_values.shape()), max_(most) {}

    std::vector<Product> products;
    bool complete = true;

    void of(const ElementRef& element) {
        const auto [row, col] = element.cell;
        switch (element.array) {
            case ArrayId::F_data:
            case ArrayId::K_data:
            case ArrayId::Data:
            case ArrayId::Index:
                complete = products_of(from_, map_values_, element, max_, products) && complete;
                for (Product& p : products) p.py = p.px = -1;
                return;
            case ArrayId::Count:
                return pooled(row / s_.out_w(), row % s_.out_w(), col);
            case ArrayId::y:
                if (from_ != Format::pecr) return window(row, col);
                for (std::int64_t a = 0; a < s_.pool_h * s_.pool_w; ++a) pooled(row, col, a);
                return;
            case ArrayId::Ptr:
            case ArrayId::conv:
                return window(row, col);
            default:  // x, w, L, im2col: no element is skipped
                complete = products_of(Format::mec, map_values_, element, max_, products) && complete;
        }
    }

private:
    void pooled(std::int64_t py, std::int64_t px, std::int64_t in_pool) {
        window(py * s_.pool_stride + in_pool / s_.pool_w, px * s_.pool_stride + in_pool % s_.pool_w);
    }
    void window(std::int64_t oy, std::int64_t ox) {
        for (std::int64_t i = 0; i < s_.r; ++i)
            for (std::int64_t j = 0; j < s_.s; ++j) {
                if (static_cast<std::int64_t>(products.size()) < max_)
                    products.push_back({oy, ox, i, j});
                else
                    complete = false;
            }
    }

    Format from_;
    const MapValues& map_values_;
    const ConvShape& s_;
    std::int64_t max_;
};

/// Finds a multiplication in 'to', and its product there. A multiplication by zero appears in the results and in x and
/// w, but in no slot.
void places_of(Format to, const MapValues& map_values, Product p, std::vector<ElementRef>& out,
               std::vector<Product>& products) {
    const ConvShape& s = map_values.shape();
    auto drop_slots = [&](std::size_t first) {
        out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                 [](const ElementRef& e) {
                                     return e.array == ArrayId::F_data || e.array == ArrayId::K_data ||
                                            e.array == ArrayId::Data || e.array == ArrayId::Index;
                                 }),
                  out.end());
    };
    auto add = [&] {
        const std::size_t first = out.size();
        elements_of(to, map_values, p, out);
        products.push_back(p);
        if (!keeps_zeros(to) && map_values.under(p.oy, p.ox, p.i, p.j) == 0) drop_slots(first);
    };
    if (to != Format::pecr) return add();
    bool in_a_pool = false;
    for_each_pool(s, p.oy, p.ox, [&](std::int64_t py, std::int64_t px) {
        p.py = py;
        p.px = px;
        add();
        in_a_pool = true;
    });
    if (!in_a_pool) add();
}

std::string name_of(const ElementRef& e) {
    return fmt::format("{}[{},{}]", to_string(e.array), e.cell.row, e.cell.col);
}

/// "In MEC it is L[2,6]", "MEC keeps 3 elements of L for it: L[1,7], ...", "ECR stores nothing of it".
std::string describe_links_across(Format from, Format to, const LinkSet& set) {
    const ArrayId store = storage_of(to);
    const std::vector<Cell>& cells = set.of(store);
    const std::string who = name_of(set.focus);
    if (set.products == 0) return fmt::format("{} has no part of {}: no multiplication needs it", title_of(to), who);
    if (cells.empty())
        return fmt::format("{} stores nothing of {} in {}: what it multiplies is zero", title_of(to), who,
                           to_string(store));
    if (cells.size() == 1) return fmt::format("In {}, {} is {}", title_of(to), who, name_of({store, cells.front()}));
    std::string some;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, cells.size()); ++i)
        some += (i ? ", " : "") + name_of({store, cells[i]});
    const bool one_input = set.focus.array == ArrayId::x || set.focus.array == storage_of(from);
    return fmt::format("In {}: {}{} {} {} ({}{})", title_of(to), set.complete ? "" : "at least ",
                       format_count(static_cast<std::int64_t>(cells.size())), one_input ? "copies in" : "elements of",
                       to_string(store), some, cells.size() > 3 ? ", ..." : "");
}

}  // namespace

ArrayId storage_of(Format format) {
    switch (format) {
        case Format::im2col:
            return ArrayId::im2col;
        case Format::mec:
            return ArrayId::L;
        case Format::ecr:
            return ArrayId::F_data;
        case Format::pecr:
            return ArrayId::Data;
    }
    return ArrayId::x;
}

const char* title_of(Format format) {
    switch (format) {
        case Format::im2col:
            return "im2col";
        case Format::mec:
            return "MEC";
        case Format::ecr:
            return "ECR";
        case Format::pecr:
            return "PECR";
    }
    return "?";
}

LinkSet find_links_across(Format from, Format to, const MapValues& map_values, const ElementRef& focus,
                          const ThreadMap& map, std::int64_t most) {
    DenseProducts dense(from, map_values, most);
    dense.of(focus);
    LinkSet set;
    set.focus = focus;
    set.complete = dense.complete;
    std::sort(dense.products.begin(), dense.products.end());
    dense.products.erase(std::unique(dense.products.begin(), dense.products.end()), dense.products.end());
    set.products = static_cast<std::int64_t>(dense.products.size());
    std::vector<ElementRef> elements;
    std::vector<Product> products;
    for (const Product& product : dense.products) places_of(to, map_values, product, elements, products);
    set_cells(set, elements);
    set_place(set, to, map_values.shape(), products, map);
    set.sentence = describe_links_across(from, to, set);
    return set;
}

}  // namespace convscope
