#include "visualizers/explain/link_products.h"

#include "kernels/layers/covering_windows.h"

namespace convscope {
namespace {

/// Collects products of one element, with the pooling windows multiplied in where the format has them.
class Collector {
public:
    Collector(Format format, const MapValues& map_values, std::int64_t most, std::vector<Product>& out)
        : format_(format), map_values_(map_values), s_(map_values.shape()), max_(most), out_(out) {}

    bool complete() const { return complete_; }

    /// One product of a convolution window, in every pooling window that holds it.
    void tap(std::int64_t oy, std::int64_t ox, std::int64_t i, std::int64_t j) {
        if (!keeps_zeros(format_) && map_values_.under(oy, ox, i, j) == 0) return;
        if (format_ != Format::pecr) return push({oy, ox, i, j});
        const std::size_t before = out_.size();
        for_each_pool(s_, oy, ox, [&](std::int64_t py, std::int64_t px) { push({oy, ox, i, j, py, px}); });
        if (out_.size() == before && complete_) push({oy, ox, i, j});
    }

    void window(std::int64_t oy, std::int64_t ox) {
        for (std::int64_t i = 0; i < s_.r; ++i)
            for (std::int64_t j = 0; j < s_.s; ++j) tap(oy, ox, i, j);
    }

    /// One product of a convolution window in one pooling window alone.
    void pooled_window(std::int64_t py, std::int64_t px, std::int64_t in_pool) {
        const std::int64_t oy = py * s_.pool_stride + in_pool / s_.pool_w;
        const std::int64_t ox = px * s_.pool_stride + in_pool % s_.pool_w;
        for (std::int64_t i = 0; i < s_.r; ++i)
            for (std::int64_t j = 0; j < s_.s; ++j)
                if (map_values_.under(oy, ox, i, j) != 0) push({oy, ox, i, j, py, px});
    }

    void input(const Cell& at) {
        for (const auto& [oy, i] : windows_over_row(s_, at.row))
            for (const auto& [ox, j] : windows_over_col(s_, at.col)) tap(oy, ox, i, j);
    }

    void weight(const Cell& at) {
        for (std::int64_t oy = 0; oy < s_.p() && complete_; ++oy)
            for (std::int64_t ox = 0; ox < s_.q(); ++ox) tap(oy, ox, at.row, at.col);
    }

    /// Slot 'slot' of F_data or K_data in the window's segment; nothing when the slot is unused.
    void ecr_slot(std::int64_t window_index, std::int64_t slot) {
        const std::int64_t oy = window_index / s_.q(), ox = window_index % s_.q();
        for (std::int64_t t = 0; t < s_.window(); ++t) {
            if (map_values_.under(oy, ox, t / s_.s, t % s_.s) == 0) continue;
            if (slot-- == 0) return push({oy, ox, t / s_.s, t % s_.s});
        }
    }

    void pecr_slot(std::int64_t pool, std::int64_t slot) {
        std::vector<Product> all;
        Collector inner(format_, map_values_, s_.pool_h * s_.pool_w * s_.window(), all);
        for (std::int64_t a = 0; a < s_.pool_h * s_.pool_w; ++a)
            inner.pooled_window(pool / s_.out_w(), pool % s_.out_w(), a);
        if (slot < static_cast<std::int64_t>(all.size())) push(all[static_cast<std::size_t>(slot)]);
    }

    /// Element (ox, ih * s + j) of L serves every window row whose filter covers row ih.
    void mec_element(const Cell& at) {
        const std::int64_t ih = at.col / s_.s, j = at.col % s_.s;
        for (std::int64_t oy = 0; oy < s_.p(); ++oy) {
            const std::int64_t i = ih - oy * s_.stride_h;
            if (i >= 0 && i < s_.r) push({oy, at.row, i, j});
        }
    }

private:
    void push(const Product& product) {
        if (static_cast<std::int64_t>(out_.size()) < max_)
            out_.push_back(product);
        else
            complete_ = false;
    }

    Format format_;
    const MapValues& map_values_;
    const ConvShape& s_;
    std::int64_t max_;
    std::vector<Product>& out_;
    bool complete_ = true;
};

}  // namespace

bool products_of(Format format, const MapValues& map_values, const ElementRef& element, std::int64_t most,
                 std::vector<Product>& out) {
    const ConvShape& s = map_values.shape();
    const auto [row, col] = element.cell;
    Collector collect(format, map_values, most, out);
    switch (element.array) {
        case ArrayId::x:
            collect.input(element.cell);
            break;
        case ArrayId::w:
            collect.weight(element.cell);
            break;
        case ArrayId::im2col:
            collect.tap(row / s.q(), row % s.q(), col / s.s, col % s.s);
            break;
        case ArrayId::L:
            collect.mec_element(element.cell);
            break;
        case ArrayId::F_data:
        case ArrayId::K_data:
            collect.ecr_slot(row, col);
            break;
        case ArrayId::Ptr:
        case ArrayId::conv:
            collect.window(row, col);
            break;
        case ArrayId::Data:
        case ArrayId::Index:
            collect.pecr_slot(row, col);
            break;
        case ArrayId::Count:
            collect.pooled_window(row / s.out_w(), row % s.out_w(), col);
            break;
        case ArrayId::y:
            if (format != Format::pecr) {
                collect.window(row, col);
                break;
            }
            for (std::int64_t a = 0; a < s.pool_h * s.pool_w; ++a) collect.pooled_window(row, col, a);
            break;
    }
    return collect.complete();
}

std::int64_t slot_in_window(const MapValues& map_values, const Product& p) {
    const std::int64_t tap = p.i * map_values.shape().s + p.j;
    std::int64_t slot = 0;
    for (std::int64_t t = 0; t < tap; ++t)
        slot += map_values.under(p.oy, p.ox, t / map_values.shape().s, t % map_values.shape().s) != 0;
    return slot;
}

std::int64_t slots_before(const MapValues& map_values, std::int64_t py, std::int64_t px, std::int64_t window) {
    const ConvShape& s = map_values.shape();
    std::int64_t sum = 0;
    for (std::int64_t a = 0; a < window; ++a)
        sum += map_values.needed(py * s.pool_stride + a / s.pool_w, px * s.pool_stride + a % s.pool_w);
    return sum;
}

void elements_of(Format format, const MapValues& map_values, const Product& p, std::vector<ElementRef>& out) {
    using enum ArrayId;
    const ConvShape& s = map_values.shape();
    const std::int64_t iy = s.x_row(p.oy, p.i), ix = s.x_col(p.ox, p.j);
    const std::int64_t window = p.oy * s.q() + p.ox;
    if (map_values.inside(iy, ix)) out.push_back({x, {iy, ix}});
    out.push_back({w, {p.i, p.j}});
    if (keeps_zeros(format)) {
        if (!s.dilated()) out.push_back({L, {p.ox, (p.oy * s.stride_h + p.i) * s.s + p.j}});
        out.push_back({im2col, {window, p.i * s.s + p.j}});
        out.push_back({y, {p.oy, p.ox}});
    } else if (format == Format::ecr) {
        const std::int64_t slot = slot_in_window(map_values, p);
        out.push_back({F_data, {window, slot}});
        out.push_back({K_data, {window, slot}});
        out.push_back({Ptr, {p.oy, p.ox}});
        out.push_back({y, {p.oy, p.ox}});
    } else {
        out.push_back({conv, {p.oy, p.ox}});
        if (p.py < 0) return;
        const std::int64_t in_pool = (p.oy - p.py * s.pool_stride) * s.pool_w + p.ox - p.px * s.pool_stride;
        const std::int64_t pool = p.py * s.out_w() + p.px;
        const std::int64_t slot = slots_before(map_values, p.py, p.px, in_pool) + slot_in_window(map_values, p);
        out.push_back({Data, {pool, slot}});
        out.push_back({Index, {pool, slot}});
        out.push_back({Count, {pool, in_pool}});
        out.push_back({y, {p.py, p.px}});
    }
}

}  // namespace convscope
