// Block rows, threads, windows and partitions: what the papers' figures give names to.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/explain/link_set.h"
#include "visualizers/explain/links.h"

namespace convscope {
namespace {

constexpr std::int64_t warp_lanes = 32;

std::string count_of(std::int64_t count, const char* one) {
    return fmt::format("{} {}{}", format_count(count), one, count == 1 ? "" : "s");
}

class Group {
public:
    Group(Format format, const MapValues& map_values, const LinkGroup& group, const ThreadMap& map)
        : format_(format), map_values_(map_values), s_(map_values.shape()), group_(group), map_(map) {
        set_.group = group;
    }

    LinkSet make() {
        switch (group_.kind) {
            case LinkGroup::Kind::block_row:
                block_row();
                break;
            case LinkGroup::Kind::thread:
                thread();
                break;
            case LinkGroup::Kind::window:
                window();
                break;
            case LinkGroup::Kind::partition:
                partition();
                break;
        }
        return std::move(set_);
    }

private:
    bool pooled() const { return format_ == Format::pecr; }
    std::int64_t row_length() const { return pooled() ? s_.out_w() : s_.q(); }

    /// Non-zero inputs under one window of the block row, or under all windows of a pooling window.
    std::int64_t kept(std::int64_t block, std::int64_t place) const {
        return pooled() ? slots_before(map_values_, block, place, s_.pool_h * s_.pool_w)
                        : map_values_.needed(block, place);
    }
    std::int64_t dense() const { return s_.window() * (pooled() ? s_.pool_h * s_.pool_w : 1); }

    void block_row() {
        const std::int64_t b = group_.index, threads = threads_of(format_, s_, map_);
        set_.block = b;
        for (std::int64_t place = 0; place < row_length(); ++place) set_.products += kept(b, place);
        const std::int64_t windows_h = pooled() ? s_.pool_h : 1;
        const std::int64_t top = pooled() ? b * s_.pool_stride : b;
        set_.areas = {window_in_x(s_, top, 0, windows_h, s_.q()), {ArrayId::y, b, 0, 1, row_length()}};
        if (pooled()) set_.areas.push_back({ArrayId::conv, top, 0, windows_h, s_.q()});
        if (!pooled()) set_.areas.push_back({ArrayId::Ptr, b, 0, 1, s_.q()});
        const std::int64_t warps = (threads + warp_lanes - 1) / warp_lanes;
        set_.sentence = fmt::format("Block row B{}: {} in {}, {} of {} multiplications, into row {} of y", b + 1,
                                    count_of(threads, "thread"), count_of(warps, "warp"), format_count(set_.products),
                                    format_count(row_length() * dense()), b);
        set_.details.push_back("one thread block takes it; colours tell block rows and threads apart");
    }

    void thread() {
        const std::int64_t b = group_.block, t = group_.index, threads = threads_of(format_, s_, map_);
        std::vector<ElementRef> elements;
        std::string outputs;
        std::int64_t windows = 0;
        for (std::int64_t place = t; place < row_length(); place += threads, ++windows) {
            const LinkSet one = find_links(format_, map_values_, {ArrayId::y, {b, place}}, map_);
            for (std::size_t id = 0; id < array_count; ++id)
                for (const Cell& cell : one.cells[id]) elements.push_back({static_cast<ArrayId>(id), cell});
            set_.areas.insert(set_.areas.end(), one.areas.begin(), one.areas.end());
            set_.products += kept(b, place);
            if (windows < 4) outputs += fmt::format("{}y[{},{}]", windows ? ", " : "", b, place);
        }
        set_cells(set_, elements);
        set_.block = b;
        set_.thread = t;
        set_.sentence =
            fmt::format("Thread T{} of block B{}: {}, {} of {} multiplications, into {}{}", t + 1, b + 1,
                        count_of(windows, pooled() ? "pooling window" : "window"), format_count(set_.products),
                        format_count(windows * dense()), outputs, windows > 4 ? ", ..." : "");
        set_.details.push_back(fmt::format("lane {} of warp W{}", t % warp_lanes, t / warp_lanes + 1));
    }

    void window() {
        const std::int64_t ox = group_.index, left = ox * s_.stride_w - s_.pad_w;
        set_.areas = {{ArrayId::x, -s_.pad_h, left, s_.padded_h(), s_.s},
                      {ArrayId::L, ox, 0, 1, s_.padded_h() * s_.s},
                      {ArrayId::y, 0, ox, s_.p(), 1}};
        const std::int64_t shared = std::max<std::int64_t>(0, s_.s - s_.stride_w);
        const bool next = ox + 1 < s_.q() && shared > 0;
        if (next) set_.areas.push_back({ArrayId::x, -s_.pad_h, left + s_.stride_w, s_.padded_h(), shared, true});
        set_.sentence =
            fmt::format("Window {}: columns {} to {} of x, top to bottom, are row {} of L", mec_window_label(ox, s_),
                        std::max<std::int64_t>(0, left), std::min(s_.w, left + s_.s) - 1, ox);
        if (next)
            set_.details.push_back(fmt::format("Windows {} and {} share {} of {} columns of x",
                                               mec_window_label(ox, s_), mec_window_label(ox + 1, s_), shared, s_.s));
    }

    void partition() {
        const std::int64_t oy = group_.index, step = s_.stride_h * s_.s, first = oy * step;
        set_.areas = {{ArrayId::L, 0, first, s_.q(), s_.window()},
                      window_in_x(s_, oy, 0, 1, s_.q()),
                      {ArrayId::im2col, oy * s_.q(), 0, s_.q(), s_.window()},
                      {ArrayId::y, oy, 0, 1, s_.q()}};
        const std::int64_t shared = mec_shared_columns(s_);
        if (shared > 0 && oy + 1 < s_.p()) set_.areas.push_back({ArrayId::L, 0, first + step, s_.q(), shared, true});
        if (shared > 0 && oy > 0) set_.areas.push_back({ArrayId::L, 0, first, s_.q(), shared, true});
        set_.sentence = fmt::format("Partition {}: columns {} to {} of L; times w it gives row {} of y",
                                    mec_partition_label(oy, s_), first, first + s_.window() - 1, oy);
        if (oy > 0) set_.details.push_back(describe_mec_overlap(oy - 1, s_));
        if (oy + 1 < s_.p()) set_.details.push_back(describe_mec_overlap(oy, s_));
    }

    Format format_;
    const MapValues& map_values_;
    const ConvShape& s_;
    LinkGroup group_;
    ThreadMap map_;
    LinkSet set_;
};

}  // namespace

bool has_group(Format format, const ConvShape& s, const LinkGroup& group, const ThreadMap& map) {
    const std::int64_t blocks = format == Format::pecr ? s.out_h() : s.p();
    if (group.index < 0) return false;
    switch (group.kind) {
        case LinkGroup::Kind::block_row:
            return !keeps_zeros(format) && group.index < blocks;
        case LinkGroup::Kind::thread:
            return !keeps_zeros(format) && group.block >= 0 && group.block < blocks &&
                   group.index < threads_of(format, s, map);
        case LinkGroup::Kind::window:
            return keeps_zeros(format) && group.index < s.q();
        case LinkGroup::Kind::partition:
            return keeps_zeros(format) && group.index < s.p();
    }
    return false;
}

LinkSet links_of_group(Format format, const MapValues& map_values, const LinkGroup& group, const ThreadMap& map) {
    return Group(format, map_values, group, map).make();
}

std::int64_t mec_shared_columns(const ConvShape& s) {
    return std::max<std::int64_t>(0, s.r - s.stride_h) * s.s;
}

std::string describe_mec_overlap(std::int64_t oy, const ConvShape& s) {
    if (s.p() < 2) return "There is one partition: nothing can be shared";
    oy = std::clamp<std::int64_t>(oy, 0, s.p() - 2);
    const std::string names =
        fmt::format("Partitions {} and {}", mec_partition_label(oy, s), mec_partition_label(oy + 1, s));
    const std::int64_t shared = mec_shared_columns(s);
    if (shared == 0)
        return fmt::format("{} share nothing: a filter of {} rows is no higher than the stride, {}", names, s.r,
                           s.stride_h);
    return fmt::format("{} share {} of {} columns of L", names, format_count(shared), format_count(s.window()));
}

}  // namespace convscope
