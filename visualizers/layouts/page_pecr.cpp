// Xu 2019, Figs. 7 and 8: one pooling-pack row taken apart into Data, Index and Count; convolution, ReLU and pooling.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/explain/link_products.h"
#include "visualizers/layouts/layout_pages.h"
#include "visualizers/layouts/page_parts.h"

namespace convscope {
namespace {

class PecrPage {
public:
    PecrPage(const LayoutScene& scene, const ThreadMap& map, const ViewStyle& style)
        : scene_(scene),
          s_(scene.map_values().shape()),
          theme_(*style.theme),
          notation_(style.notation),
          presented_(style.presented) {
        threads_ = map.threads_per_block > 0 ? std::min(map.threads_per_block, s_.out_w()) : s_.out_w();
    }

    void compose(FigureBoard& board, std::int64_t block) const {
        Figure x = whole_array(scene_, ArrayId::x, "Input x", input_size(s_, notation_));
        x.indices = true;
        const std::int64_t step = s_.stride_h * s_.pool_stride, height = (s_.pool_h - 1) * s_.stride_h + s_.span_h();
        x.left = block_brackets(theme_, s_.out_h(), block, step, height, s_.pad_h, s_.h);
        x.block_at = [s = s_, step, height](double row) {
            return nearest_block(row, s.out_h(), step, height, s.pad_h);
        };
        board.add(std::move(x));
        board.add(whole_array(scene_, ArrayId::w, "Filter w", filter_size(s_, notation_)));

        for (Figure& figure : own(block)) board.add(std::move(figure));
        Figure conv = whole_array(scene_, ArrayId::conv, "Convolution", output_size(s_, notation_));
        conv.indices = true;
        board.add(std::move(conv));
        Figure y = whole_array(scene_, ArrayId::y, "Output y", "ReLU, max-pooled");
        y.indices = true;
        name_block_rows(y, theme_);
        y.decor.outlines.push_back({block, 0, 1, s_.out_w(), theme_.category(block), 2, 0});
        board.add(std::move(y));
    }

    std::vector<Figure> own(std::int64_t block) const {
        // Slots that no thread of the map fills would take the room that digits need. They are left out by whole
        // windows, so that other zeros seldom move anything; in front of an audience, where zeros stay as they are, one
        // by one.
        const std::int64_t all = s_.pool_h * s_.pool_w * s_.window(), each = presented_ ? 1 : s_.window();
        const std::int64_t slots = (most_filled() + each - 1) / each * each;
        const std::string shown = slots < all ? fmt::format("; {} of {} slots", slots, all) : "";
        return {threads(ArrayId::Data, block, slots, fmt::format("Data of B{}", block + 1),
                        "non-zero inputs; a bar per window"),
                threads(ArrayId::Index, block, slots, "Index", "places in the filter" + shown),
                threads(ArrayId::Count, block, s_.pool_h * s_.pool_w, "Count", "of windows CW1, CW2, ...")};
    }

    PageText text(std::int64_t block) const {
        const std::int64_t per_pool = s_.pool_h * s_.pool_w * s_.window(), dense = s_.out_w() * per_pool;
        std::int64_t needed = 0;
        for (std::int64_t px = 0; px < s_.out_w(); ++px) needed += kept(block, px);
        PageText text;
        text.lead = lead_of_block(block, needed, dense);
        text.formula = fmt::format(
            "{} threads \u00d7 ${} = {} \\cdot {} \\cdot {} \\cdot {}$; a thread's y is its largest sum over CW1, CW2, "
            "..., or 0",
            s_.out_w(),
            tex_symbols(notation_, tex_dot, LayerSize::pool_w, LayerSize::pool_h, LayerSize::filter_w,
                        LayerSize::filter_h),
            s_.pool_w, s_.pool_h, s_.s, s_.r);
        return text;
    }

private:
    std::int64_t kept(std::int64_t py, std::int64_t px) const {
        return slots_before(scene_.map_values(), py, px, s_.pool_h * s_.pool_w);
    }

    std::int64_t most_filled() const {
        std::int64_t most = 1;
        for (std::int64_t py = 0; py < s_.out_h(); ++py)
            for (std::int64_t px = 0; px < s_.out_w(); ++px) most = std::max(most, kept(py, px));
        return most;
    }

    Figure threads(ArrayId id, std::int64_t block, std::int64_t cols, std::string title, std::string note) const {
        Figure figure = array_rows(scene_, id, block * s_.out_w(), s_.out_w(), cols);
        figure.title = std::move(title);
        if (id == ArrayId::Data) figure.widest_title = fmt::format("Data of B{}", s_.out_h());
        figure.note = std::move(note);
        name_threads(figure, theme_, {threads_}, block);
        if (id != ArrayId::Count) underline_windows(figure, block);
        constexpr std::int64_t max_names = 9;
        for (std::int64_t a = 0; id == ArrayId::Count && cols <= max_names && a < cols; ++a)
            figure.above.push_back({a, 1, fmt::format("{}", a + 1), theme_.vendor, 0, {}});
        return figure;
    }

    /// Each convolution window's run of slots.
    void underline_windows(Figure& figure, std::int64_t block) const {
        constexpr std::int64_t max_threads = 16;
        for (std::int64_t px = 0; px < std::min(max_threads, s_.out_w()); ++px) {
            std::int64_t slot = 0;
            for (std::int64_t a = 0; a < s_.pool_h * s_.pool_w; ++a) {
                const std::int64_t count = scene_.map_values().needed(block * s_.pool_stride + a / s_.pool_w,
                                                                      px * s_.pool_stride + a % s_.pool_w);
                if (count > 0) figure.decor.underlines.push_back({px, slot, count, theme_.text});
                slot += count;
            }
        }
    }

    const LayoutScene& scene_;
    const ConvShape& s_;
    const Theme& theme_;
    Notation notation_;
    bool presented_;
    std::int64_t threads_ = 1;
};

}  // namespace

LayoutPage pecr_page(const LayoutScene& scene, const ThreadMap& map, const ViewStyle& style) {
    const PecrPage page(scene, map, style);
    enum { x, w, data, index, count, conv, y };
    const Arrangement top = Arrangement::row({x, w, conv, y});
    return {[page](FigureBoard& board, std::int64_t block) { page.compose(board, block); },
            {Arrangement::column({top, Arrangement::row({data, count}), index}),
             Arrangement::column({top, Arrangement::row({data, index, count})}),
             Arrangement::row({Arrangement::column({x, w}), data, index, count, Arrangement::column({conv, y})}),
             Arrangement::row({Arrangement::column({x, w}), Arrangement::column({data, index}), count,
                               Arrangement::column({conv, y})})},
            [page](std::int64_t block) { return page.text(block); },
            true,
            nullptr,
            7};
}

std::vector<Figure> pecr_figures(const LayoutScene& scene, const ThreadMap& map, const ViewStyle& style,
                                 std::int64_t block) {
    return PecrPage(scene, map, style).own(block);
}

}  // namespace convscope
