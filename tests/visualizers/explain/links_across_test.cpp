// Links from one format to another on random shapes, against brute force: every multiplication of the convolution,
// zeros included, with the elements in which it shows in each format. Two elements of different formats must be linked
// exactly when one multiplication shows in both. The brute force fills the arrays as the papers' algorithms do.
#include "visualizers/explain/links_across.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/random_shapes.h"
#include "tests/visualizers/explain/example_map.h"
#include "visualizers/explain/link_copies.h"

namespace convscope {
namespace {

using enum ArrayId;
using testing::map_values_of;
using testing::Places;
constexpr Format formats[] = {Format::ecr, Format::pecr, Format::mec, Format::im2col};

/// For each multiplication (window and place in the filter): where it shows, by format.
using Multiplications = std::map<std::array<std::int64_t, 4>, std::map<Format, Places>>;

float input(const ConvShape& s, const std::vector<float>& map, std::int64_t row, std::int64_t col) {
    return row < 0 || col < 0 || row >= s.h || col >= s.w ? 0.0f : map[static_cast<std::size_t>(row * s.w + col)];
}

void add_common(const ConvShape& s, Multiplications& all) {
    for (std::int64_t oy = 0; oy < s.p(); ++oy)
        for (std::int64_t ox = 0; ox < s.q(); ++ox)
            for (std::int64_t i = 0; i < s.r; ++i)
                for (std::int64_t j = 0; j < s.s; ++j) {
                    const std::int64_t iy = oy * s.stride_h + i - s.pad_h, ix = ox * s.stride_w + j - s.pad_w;
                    auto& places = all[{oy, ox, i, j}];
                    for (const Format format : formats) {
                        places[format].push_back({w, {i, j}});
                        if (iy >= 0 && ix >= 0 && iy < s.h && ix < s.w) places[format].push_back({x, {iy, ix}});
                        places[format].push_back(format == Format::pecr ? ElementRef{conv, {oy, ox}}
                                                                        : ElementRef{y, {oy, ox}});
                    }
                    places[Format::ecr].push_back({Ptr, {oy, ox}});
                    // Both lowered arrays link with each other in their own views too.
                    for (const Format format : {Format::mec, Format::im2col}) {
                        places[format].push_back({L, {ox, (oy * s.stride_h + i) * s.s + j}});
                        places[format].push_back({im2col, {oy * s.q() + ox, i * s.s + j}});
                    }
                }
}

/// F_data and K_data as Algorithm 1 of Xu 2019 fills them.
void add_ecr(const ConvShape& s, const std::vector<float>& map, Multiplications& all) {
    for (std::int64_t window = 0; window < s.p() * s.q(); ++window) {
        const std::int64_t oy = window / s.q(), ox = window % s.q();
        std::int64_t slot = 0;
        for (std::int64_t i = 0; i < s.r; ++i)
            for (std::int64_t j = 0; j < s.s; ++j) {
                if (input(s, map, oy * s.stride_h + i - s.pad_h, ox * s.stride_w + j - s.pad_w) == 0) continue;
                for (const ArrayId id : {F_data, K_data})
                    all[{oy, ox, i, j}][Format::ecr].push_back({id, {window, slot}});
                ++slot;
            }
    }
}

/// Data, Index and Count as Algorithm 3 fills them.
void add_pecr(const ConvShape& s, const std::vector<float>& map, Multiplications& all) {
    for (std::int64_t pool = 0; pool < s.out_h() * s.out_w(); ++pool) {
        std::int64_t slot = 0;
        for (std::int64_t n = 0; n < s.pool_h * s.pool_w; ++n) {
            const std::int64_t oy = pool / s.out_w() * s.pool_stride + n / s.pool_w;
            const std::int64_t ox = pool % s.out_w() * s.pool_stride + n % s.pool_w;
            for (std::int64_t i = 0; i < s.r; ++i)
                for (std::int64_t j = 0; j < s.s; ++j) {
                    Places& places = all[{oy, ox, i, j}][Format::pecr];
                    places.push_back({Count, {pool, n}});
                    places.push_back({y, {pool / s.out_w(), pool % s.out_w()}});
                    if (input(s, map, oy * s.stride_h + i - s.pad_h, ox * s.stride_w + j - s.pad_w) == 0) continue;
                    for (const ArrayId id : {Data, Index}) places.push_back({id, {pool, slot}});
                    ++slot;
                }
        }
    }
}

bool holds(const Places& places, const ElementRef& element) {
    return std::find(places.begin(), places.end(), element) != places.end();
}

void expect_exact(Format from, Format to, const MapValues& map_values, const Multiplications& all,
                  const ElementRef& focus) {
    std::array<std::set<Cell>, array_count> expected;
    std::int64_t count = 0;
    for (const auto& [product, places] : all) {
        if (!holds(places.at(from), focus)) continue;
        ++count;
        for (const ElementRef& e : places.at(to)) expected[static_cast<std::size_t>(e.array)].insert(e.cell);
    }
    const LinkSet links = find_links_across(from, to, map_values, focus);
    EXPECT_FALSE(links.sentence.empty());
    ASSERT_EQ(links.products, count);
    for (std::size_t id = 0; id < array_count; ++id)
        ASSERT_EQ(links.cells[id], std::vector<Cell>(expected[id].begin(), expected[id].end()))
            << to_string(from) << " to " << to_string(to) << ", pointing at " << to_string(focus.array) << "["
            << focus.cell.row << "," << focus.cell.col << "], linked in " << to_string(static_cast<ArrayId>(id)) << ", "
            << to_string(map_values.shape());
}

ElementRef random_element(Format format, const ConvShape& shape, testing::Random& random) {
    const std::vector<ArrayId> ids = arrays_of(format);
    const std::vector<ArraySpec> specs = layout_arrays(format, shape);
    const auto i = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(ids.size()) - 1));
    const std::int64_t rows = i == 0 ? shape.h : i == 1 ? shape.r : specs[i - 2].rows;
    const std::int64_t cols = i == 0 ? shape.w : i == 1 ? shape.s : specs[i - 2].cols;
    return {ids[i], {random.between(0, rows - 1), random.between(0, cols - 1)}};
}

void check_copies(const MapValues& map_values, const Multiplications& all, const Cell& cell) {
    Copies expected;
    std::array<std::set<Cell>, array_count> places;
    for (const auto& [product, shown] : all)
        for (const auto& [format, elements] : shown)
            if (holds(elements, {x, cell}))
                for (const ElementRef& e : elements) places[static_cast<std::size_t>(e.array)].insert(e.cell);
    auto count = [&](ArrayId id) { return static_cast<std::int64_t>(places[static_cast<std::size_t>(id)].size()); };
    expected.im2col = count(im2col);
    expected.F_data = count(F_data);
    expected.Data = count(Data);
    // L holds whole strips: rows that no window covers are in it too.
    const ConvShape& s = map_values.shape();
    for (std::int64_t ox = 0; ox < s.q(); ++ox)
        for (std::int64_t j = 0; j < s.s; ++j) expected.L += ox * s.stride_w - s.pad_w + j == cell.col;
    EXPECT_EQ(copies_of(map_values, cell), expected) << to_string(s) << " at " << cell.row << "," << cell.col;
}

TEST(LinksAcross, are_those_that_share_a_multiplication_on_random_shapes) {
    testing::Random random(2017);
    std::size_t number = 0;
    int checked = 0;
    for (ConvShape shape : testing::random_shapes(200)) {
        shape.n = shape.c = shape.k = 1;
        shape.h = std::min<std::int64_t>(shape.h, 10);
        shape.w = std::min<std::int64_t>(shape.w, 10);
        if (shape.r > shape.padded_h() || shape.s > shape.padded_w()) continue;
        if (shape.pooled() && (shape.pool_h > shape.p() || shape.pool_w > shape.q())) continue;
        const Workload workload = testing::random_workload(shape, testing::sparsity_of(number), number);
        ++number;
        const MapValues map_values(shape, workload.x.data.data(), workload.w.data.data());
        Multiplications all;
        add_common(shape, all);
        add_ecr(shape, workload.x.data, all);
        if (shape.pooled()) add_pecr(shape, workload.x.data, all);
        check_copies(map_values, all, {random.between(0, shape.h - 1), random.between(0, shape.w - 1)});
        for (const Format from : formats)
            for (const Format to : formats) {
                if (from == to || (!shape.pooled() && (from == Format::pecr || to == Format::pecr))) continue;
                for (int n = 0; n < 4; ++n, ++checked) {
                    expect_exact(from, to, map_values, all, random_element(from, shape, random));
                    if (HasFatalFailure()) return;
                }
            }
    }
    EXPECT_GT(checked, 3000);
}

TEST(LinksAcross, say_what_the_other_format_has_of_the_examples) {
    const MapValues fig4 = map_values_of("ecr_figure_4");
    const LinkSet slot = find_links_across(Format::ecr, Format::mec, fig4, {F_data, {1, 2}});
    EXPECT_EQ(slot.of(L), (std::vector<Cell>{{1, 5}}));
    EXPECT_EQ(slot.sentence, "In MEC, F_data[1,2] is L[1,5]");
    EXPECT_EQ(find_links_across(Format::ecr, Format::mec, fig4, {x, {1, 3}}).sentence,
              "In MEC: 2 copies in L (L[1,5], L[2,4])");
    EXPECT_EQ(find_links_across(Format::mec, Format::ecr, fig4, {L, {0, 0}}).sentence,
              "ECR stores nothing of L[0,0] in F_data: what it multiplies is zero");
    EXPECT_EQ(find_links_across(Format::ecr, Format::im2col, fig4, {F_data, {0, 3}}).sentence,
              "im2col has no part of F_data[0,3]: no multiplication needs it");
    const LinkSet pooled = find_links_across(Format::ecr, Format::pecr, map_values_of("pecr_figures_7_8"), {y, {1, 1}});
    EXPECT_EQ(pooled.of(Count), (std::vector<Cell>{{0, 3}, {1, 2}, {2, 1}, {3, 0}}));
    EXPECT_EQ(pooled.of(conv), (std::vector<Cell>{{1, 1}}));
}

TEST(LinksAcross, count_the_copies_of_the_examples) {
    EXPECT_EQ(describe_copies(map_values_of("mec_figures_1_2"), {3, 3}), "9 copies in im2col, 3 in L, 9 in F_data");
    EXPECT_EQ(describe_copies(map_values_of("mec_figures_1_2"), {0, 0}), "1 copy in im2col, 1 in L, 0 in F_data");
    EXPECT_EQ(copies_of(map_values_of("pecr_figures_7_8"), {1, 3}), (Copies{4, 2, 4, 9}));
}

TEST(LinksAcross, are_cut_off_where_there_are_too_many) {
    ConvShape shape;
    shape.h = shape.w = 40;
    shape.r = shape.s = 3;
    const std::vector<float> map(1600, 1.0f), filter(9, 1.0f);
    const LinkSet links =
        find_links_across(Format::ecr, Format::mec, MapValues(shape, map.data(), filter.data()), {w, {0, 0}}, {}, 100);
    EXPECT_FALSE(links.complete);
    EXPECT_EQ(links.products, 100);
}

class Groups : public ::testing::Test {
protected:
    static LinkSet at(Format format, const char* example, LinkGroup group, ThreadMap map = {}) {
        return links_of_group(format, map_values_of(example), group, map);
    }
};

TEST_F(Groups, threads_own_their_windows) {
    const LinkSet one = at(Format::ecr, "ecr_figure_4", {LinkGroup::Kind::thread, 1, 0});
    EXPECT_EQ(one.sentence, "Thread T2 of block B1: 1 window, 4 of 9 multiplications, into y[0,1]");
    EXPECT_EQ(one.of(F_data), (std::vector<Cell>{{1, 0}, {1, 1}, {1, 2}, {1, 3}}));
    const LinkSet two = at(Format::ecr, "ecr_figure_4", {LinkGroup::Kind::thread, 0, 1}, {2});
    EXPECT_EQ(two.sentence, "Thread T1 of block B2: 2 windows, 5 of 18 multiplications, into y[1,0], y[1,2]");
    const LinkSet pool = at(Format::pecr, "pecr_figures_7_8", {LinkGroup::Kind::thread, 0, 0});
    EXPECT_EQ(pool.sentence, "Thread T1 of block B1: 1 pooling window, 13 of 36 multiplications, into y[0,0]");
    EXPECT_EQ(pool.of(Data).size(), 13u);
}

TEST_F(Groups, block_rows_say_what_a_block_does) {
    EXPECT_EQ(at(Format::ecr, "ecr_figure_4", {LinkGroup::Kind::block_row, 0, 0}).sentence,
              "Block row B1: 3 threads in 1 warp, 10 of 27 multiplications, into row 0 of y");
    const LinkSet pooled = at(Format::pecr, "pecr_figures_7_8", {LinkGroup::Kind::block_row, 1, 0});
    EXPECT_EQ(pooled.sentence, "Block row B2: 2 threads in 1 warp, 23 of 72 multiplications, into row 1 of y");
    EXPECT_EQ(pooled.areas.front(), (LinkArea{x, 1, 0, 4, 5}));
}

TEST_F(Groups, partitions_share_columns_as_in_figure_2) {
    const LinkSet q = at(Format::mec, "mec_figures_1_2", {LinkGroup::Kind::partition, 1, 0});
    EXPECT_EQ(q.sentence, "Partition Q: columns 3 to 11 of L; times w it gives row 1 of y");
    EXPECT_EQ(q.details, (std::vector<std::string>{"Partitions P and Q share 6 of 9 columns of L",
                                                   "Partitions Q and R share 6 of 9 columns of L"}));
    EXPECT_EQ(q.areas.front(), (LinkArea{L, 0, 3, 5, 9}));
    EXPECT_EQ(q.areas.back(), (LinkArea{L, 0, 3, 5, 6, true}));
    EXPECT_EQ(at(Format::mec, "mec_figures_1_2", {LinkGroup::Kind::window, 1, 0}).sentence,
              "Window B: columns 1 to 3 of x, top to bottom, are row 1 of L");
}

TEST_F(Groups, are_gone_where_the_shape_has_none) {
    const ConvShape s = map_values_of("ecr_figure_4").shape();
    EXPECT_TRUE(has_group(Format::ecr, s, {LinkGroup::Kind::thread, 2, 2}));
    EXPECT_FALSE(has_group(Format::ecr, s, {LinkGroup::Kind::thread, 2, 3}));
    EXPECT_FALSE(has_group(Format::ecr, s, {LinkGroup::Kind::thread, 2, 2}, {2}));
    EXPECT_FALSE(has_group(Format::ecr, s, {LinkGroup::Kind::window, 0, 0}));
    EXPECT_TRUE(has_group(Format::mec, s, {LinkGroup::Kind::partition, 2, 0}));
    EXPECT_FALSE(has_group(Format::mec, s, {LinkGroup::Kind::partition, 3, 0}));
}

/// The shared columns, counted from the partitions' own columns.
TEST_F(Groups, shared_columns_are_exact_for_any_stride) {
    for (const ConvShape& shape : testing::random_shapes(200)) {
        if (shape.p() < 2) continue;
        std::set<std::int64_t> first;
        for (std::int64_t col = 0; col < shape.window(); ++col) first.insert(col);
        std::int64_t shared = 0;
        for (std::int64_t col = 0; col < shape.window(); ++col)
            shared += first.count(shape.stride_h * shape.s + col) > 0;
        EXPECT_EQ(mec_shared_columns(shape), shared) << to_string(shape);
    }
    ConvShape apart;
    apart.h = apart.w = 8;
    apart.r = apart.s = 2;
    apart.stride_h = apart.stride_w = 2;
    EXPECT_EQ(describe_mec_overlap(0, apart),
              "Partitions P and Q share nothing: a filter of 2 rows is no higher than the stride, 2");
}

}  // namespace
}  // namespace convscope
