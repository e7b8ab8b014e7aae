#include "visualizers/explain/layer_links.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "kernels/layers/covering_windows.h"

namespace convscope {
namespace {

float value_of(const Workload& work, const InputElement& e) {
    return work.x.data[static_cast<std::size_t>(work.x.offset(e.n, e.c, e.h, e.w))];
}

std::optional<InputElement> inside(const ConvShape& s, const InputElement& e) {
    if (e.h < 0 || e.h >= s.h || e.w < 0 || e.w >= s.w) return std::nullopt;
    return e;
}

/// Calls visit(element) for the non-zero elements of a window, in the order (c, r, s) that ECR keeps them in, until it
/// returns false.
template <class Visit>
void for_each_kept(const Workload& work, std::int64_t n, std::int64_t p, std::int64_t q, Visit visit) {
    const ConvShape& s = work.spec.shape;
    for (std::int64_t c = 0; c < s.c; ++c)
        for (std::int64_t i = 0; i < s.r; ++i)
            for (std::int64_t j = 0; j < s.s; ++j)
                if (const auto e = inside(s, {n, c, s.x_row(p, i), s.x_col(q, j)}))
                    if (value_of(work, *e) != 0 && !visit(*e)) return;
}

/// Elements that are kept of a window before this one; all of them where it is not in the window.
std::int64_t kept_before(const Workload& work, const InputElement& e, std::int64_t p, std::int64_t q) {
    std::int64_t before = 0;
    for_each_kept(work, e.n, p, q, [&](const InputElement& kept) { return kept == e ? false : (++before, true); });
    return before;
}

/// The element in slot 'slot' of a window's segment; 'slot' is left as what is still to be skipped behind the window.
std::optional<InputElement> in_slot(const Workload& work, std::int64_t n, std::int64_t p, std::int64_t q,
                                    std::int64_t& slot) {
    std::optional<InputElement> found;
    for_each_kept(work, n, p, q, [&](const InputElement& kept) {
        if (slot-- > 0) return true;
        found = kept;
        return false;
    });
    return found;
}

std::optional<InputElement> in_pooling_window(const Workload& work, std::int64_t row, std::int64_t slot) {
    const ConvShape& s = work.spec.shape;
    const std::int64_t results = s.out_h() * s.out_w(), result = row % results;
    for (std::int64_t i = 0; i < s.pool_h * s.pool_w; ++i) {
        const std::int64_t p = result / s.out_w() * s.pool_stride + i / s.pool_w;
        const std::int64_t q = result % s.out_w() * s.pool_stride + i % s.pool_w;
        if (const auto found = in_slot(work, row / results, p, q, slot)) return found;
    }
    return std::nullopt;
}

std::vector<Cell> copies_in_pooling_windows(const InputElement& e, const Workload& work) {
    const ConvShape& s = work.spec.shape;
    std::vector<Cell> cells;
    const std::vector<Covering> over_h = windows_over_row(s, e.h), over_w = windows_over_col(s, e.w);
    for (std::int64_t out_h = 0; out_h < s.out_h(); ++out_h) {
        const std::int64_t top = out_h * s.pool_stride;
        for (std::int64_t out_w = 0; out_w < s.out_w(); ++out_w) {
            const std::int64_t left = out_w * s.pool_stride;
            const auto near = [](const std::vector<Covering>& over, std::int64_t first, std::int64_t extent) {
                return std::ranges::any_of(
                    over, [&](const Covering& one) { return one.window >= first && one.window < first + extent; });
            };
            if (!near(over_h, top, s.pool_h) || !near(over_w, left, s.pool_w)) continue;
            std::int64_t slots = 0;  // of the pooling window's windows so far
            for (std::int64_t i = 0; i < s.pool_h * s.pool_w; ++i) {
                const std::int64_t p = top + i / s.pool_w, q = left + i % s.pool_w;
                if (holds(over_h, p) && holds(over_w, q))
                    cells.push_back(
                        {(e.n * s.out_h() + out_h) * s.out_w() + out_w, slots + kept_before(work, e, p, q)});
                for_each_kept(work, e.n, p, q, [&](const InputElement&) { return ++slots, true; });
            }
        }
    }
    return cells;
}

}  // namespace

std::optional<InputElement> input_behind(LayerArray array, const Workload& work, std::int64_t row, std::int64_t col) {
    using enum LayerArray;
    const ConvShape& s = work.spec.shape;
    const std::int64_t outputs = s.p() * s.q();
    switch (array) {
        case x: {
            const ChannelGrid grid = channel_grid(s.c);
            const std::int64_t maps = row / s.h;  // above, in one column of the mosaic
            return InputElement{maps / grid.down, maps % grid.down * grid.across + col / s.w, row % s.h, col % s.w};
        }
        case im2col: {
            const std::int64_t p = row % outputs / s.q(), q = row % s.q(), tap = col / s.c;
            return inside(s, {row / outputs, col % s.c, s.x_row(p, tap / s.s), s.x_col(q, tap % s.s)});
        }
        case L: {
            const std::int64_t q = row % s.q(), h = col / s.c / s.s, j = col / s.c % s.s;
            return inside(s, {row / s.q(), col % s.c, h - s.pad_h, s.x_col(q, j)});
        }
        case F_data:
        case K_index:
            return in_slot(work, row / outputs, row % outputs / s.q(), row % s.q(), col);
        case Data:
        case Index:
            return in_pooling_window(work, row, col);
        case w:
        case y:
        case Ptr:
        case Count:
            break;
    }
    return std::nullopt;
}

std::vector<Cell> copies_of(const InputElement& e, LayerArray array, const Workload& work) {
    using enum LayerArray;
    const ConvShape& s = work.spec.shape;
    const std::vector<Covering> over_h = windows_over_row(s, e.h), over_w = windows_over_col(s, e.w);
    std::vector<Cell> cells;
    switch (array) {
        case x: {
            const ChannelGrid grid = channel_grid(s.c);
            return {{(e.n * grid.down + e.c / grid.across) * s.h + e.h, e.c % grid.across * s.w + e.w}};
        }
        case L:
            for (const auto& [q, j] : over_w)
                cells.push_back({e.n * s.q() + q, ((e.h + s.pad_h) * s.s + j) * s.c + e.c});
            return cells;
        case im2col:
        case F_data:
        case K_index:
            if (array != im2col && value_of(work, e) == 0) return {};
            for (const auto& [p, i] : over_h)
                for (const auto& [q, j] : over_w)
                    cells.push_back({(e.n * s.p() + p) * s.q() + q,
                                     array == im2col ? (i * s.s + j) * s.c + e.c : kept_before(work, e, p, q)});
            return cells;
        case Data:
        case Index:
            return s.pooled() && value_of(work, e) != 0 ? copies_in_pooling_windows(e, work) : cells;
        case w:
        case y:
        case Ptr:
        case Count:
            break;
    }
    return cells;
}

std::string describe_copies(const InputElement& e, const Workload& work, std::int64_t first_channel) {
    using enum LayerArray;
    const float value = value_of(work, e);
    std::string words = fmt::format("x[{}, {}, {}, {}] = {}: ", e.n, first_channel + e.c, e.h, e.w,
                                    format_number(static_cast<double>(value)));
    std::vector<LayerArray> arrays{im2col};
    if (!work.spec.shape.dilated()) arrays.push_back(L);
    arrays.push_back(F_data);
    if (work.spec.shape.pooled()) arrays.push_back(Data);
    for (const LayerArray array : arrays) {
        const std::size_t count = copies_of(e, array, work).size();
        const char* noun = array == im2col ? (count == 1 ? " copy" : " copies") : "";
        words += fmt::format("{}{}{} in {}", array == im2col ? "" : ", ", count, noun, to_string(array));
    }
    return words;
}

}  // namespace convscope
