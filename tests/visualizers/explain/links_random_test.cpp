// Links on random shapes against brute force: every product of the convolution is listed, and two elements must be
// linked exactly when one product shows in both. The brute force fills the arrays as the papers' algorithms do; it
// shares no code with the links.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/random_shapes.h"

#include "tests/visualizers/explain/example_map.h"

namespace convscope {
namespace {

using testing::Places;

/// All products of a format, each as the set of elements in which it shows.
std::vector<Places> all_products(Format format, const ConvShape& s, const std::vector<float>& map) {
    using enum ArrayId;
    std::vector<Places> products;
    auto input = [&](std::int64_t iy, std::int64_t ix) {
        return iy < 0 || ix < 0 || iy >= s.h || ix >= s.w ? 0.0f : map[static_cast<std::size_t>(iy * s.w + ix)];
    };
    auto window = [&](std::int64_t oy, std::int64_t ox, auto&& visit) {
        for (std::int64_t i = 0; i < s.r; ++i)
            for (std::int64_t j = 0; j < s.s; ++j) {
                const std::int64_t iy = oy * s.stride_h + i * s.dilation_h - s.pad_h;
                const std::int64_t ix = ox * s.stride_w + j * s.dilation_w - s.pad_w;
                Places places = {{w, {i, j}}};
                if (iy >= 0 && ix >= 0 && iy < s.h && ix < s.w) places.push_back({x, {iy, ix}});
                visit(i, j, input(iy, ix), places);
            }
    };
    if (format == Format::pecr) {
        std::set<Cell> pooled;
        for (std::int64_t pool = 0; pool < s.out_h() * s.out_w(); ++pool) {
            std::int64_t slot = 0;
            for (std::int64_t n = 0; n < s.pool_h * s.pool_w; ++n) {
                const std::int64_t oy = pool / s.out_w() * s.pool_stride + n / s.pool_w;
                const std::int64_t ox = pool % s.out_w() * s.pool_stride + n % s.pool_w;
                pooled.insert({oy, ox});
                window(oy, ox, [&](std::int64_t, std::int64_t, float value, Places places) {
                    if (value == 0) return;
                    for (const ElementRef& e : Places{{Data, {pool, slot}},
                                                      {Index, {pool, slot}},
                                                      {Count, {pool, n}},
                                                      {conv, {oy, ox}},
                                                      {y, {pool / s.out_w(), pool % s.out_w()}}})
                        places.push_back(e);
                    ++slot;
                    products.push_back(std::move(places));
                });
            }
        }
        for (std::int64_t oy = 0; oy < s.p(); ++oy)
            for (std::int64_t ox = 0; ox < s.q(); ++ox)
                if (!pooled.count({oy, ox}))
                    window(oy, ox, [&](std::int64_t, std::int64_t, float value, Places places) {
                        if (value == 0) return;
                        places.push_back({conv, {oy, ox}});
                        products.push_back(std::move(places));
                    });
        return products;
    }
    for (std::int64_t oy = 0; oy < s.p(); ++oy)
        for (std::int64_t ox = 0; ox < s.q(); ++ox) {
            std::int64_t slot = 0;
            window(oy, ox, [&](std::int64_t i, std::int64_t j, float value, Places places) {
                const std::int64_t row = oy * s.q() + ox;
                places.push_back({y, {oy, ox}});
                if (format == Format::ecr) {
                    if (value == 0) return;
                    for (const ArrayId id : {F_data, K_data}) places.push_back({id, {row, slot}});
                    places.push_back({Ptr, {oy, ox}});
                    ++slot;
                } else {
                    places.push_back({im2col, {row, i * s.s + j}});
                    if (!s.dilated()) places.push_back({L, {ox, (oy * s.stride_h + i) * s.s + j}});
                }
                products.push_back(std::move(places));
            });
        }
    return products;
}

using LinkedCells = std::array<std::set<Cell>, array_count>;

/// Results stay linked when no product is left (an all-zero window): added to what the products say.
void add_results(Format format, const ConvShape& s, const ElementRef& focus, LinkedCells& linked) {
    auto add = [&linked](ArrayId id, Cell cell) { linked[static_cast<std::size_t>(id)].insert(cell); };
    if (format == Format::ecr && (focus.array == ArrayId::Ptr || focus.array == ArrayId::y)) {
        add(ArrayId::Ptr, focus.cell);
        add(ArrayId::y, focus.cell);
    }
    if (format != Format::pecr) return;
    for (std::int64_t py = 0; py < s.out_h(); ++py)
        for (std::int64_t px = 0; px < s.out_w(); ++px)
            for (std::int64_t a = 0; a < s.pool_h; ++a)
                for (std::int64_t b = 0; b < s.pool_w; ++b) {
                    const ElementRef count{ArrayId::Count, {py * s.out_w() + px, a * s.pool_w + b}};
                    const ElementRef conv{ArrayId::conv, {py * s.pool_stride + a, px * s.pool_stride + b}};
                    const ElementRef y{ArrayId::y, {py, px}};
                    if (focus != count && focus != conv && focus != y) continue;
                    for (const ElementRef& e : {count, conv, y}) add(e.array, e.cell);
                }
}

void expect_same_links(Format format, const MapValues& map_values, const std::vector<Places>& products,
                       const ElementRef& focus) {
    LinkedCells expected;
    expected[static_cast<std::size_t>(focus.array)].insert(focus.cell);
    for (const Places& places : products)
        if (std::find(places.begin(), places.end(), focus) != places.end())
            for (const ElementRef& e : places) expected[static_cast<std::size_t>(e.array)].insert(e.cell);
    add_results(format, map_values.shape(), focus, expected);
    const LinkSet links = find_links(format, map_values, focus);
    EXPECT_TRUE(links.complete);
    EXPECT_FALSE(links.sentence.empty());
    for (std::size_t id = 0; id < array_count; ++id)
        ASSERT_EQ(links.cells[id], std::vector<Cell>(expected[id].begin(), expected[id].end()))
            << to_string(format) << ", pointing at " << to_string(focus.array) << "[" << focus.cell.row << ","
            << focus.cell.col << "], linked in " << to_string(static_cast<ArrayId>(id)) << ", "
            << to_string(map_values.shape());
}

ConvShape single_map(ConvShape shape) {
    shape.n = shape.c = shape.k = shape.groups = 1;
    shape.h = std::min<std::int64_t>(shape.h, 12);
    shape.w = std::min<std::int64_t>(shape.w, 12);
    return shape;
}

std::vector<ElementRef> sample_elements(Format format, const ConvShape& shape, testing::Random& random) {
    std::vector<ElementRef> elements;
    const std::vector<ArrayId> ids = arrays_of(format);
    const std::vector<ArraySpec> specs = layout_arrays(format, shape);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::int64_t rows = i == 0 ? shape.h : i == 1 ? shape.r : specs[i - 2].rows;
        const std::int64_t cols = i == 0 ? shape.w : i == 1 ? shape.s : specs[i - 2].cols;
        for (int n = 0; n < 6; ++n)
            elements.push_back({ids[i], {random.between(0, rows - 1), random.between(0, cols - 1)}});
    }
    return elements;
}

TEST(RandomLinks, are_those_that_share_a_multiplication) {
    testing::Random random(2019);
    int checked = 0;
    std::size_t number = 0;
    std::vector<ConvShape> shapes = testing::random_shapes(300);
    for (const ConvShape& shape : testing::dilated_and_grouped_shapes(150)) shapes.push_back(shape);
    for (const ConvShape& shape : testing::shapes_padded_by_side(150)) shapes.push_back(shape);
    for (const ConvShape& any : shapes) {
        const ConvShape shape = single_map(any);
        if (shape.span_h() > shape.padded_h() || shape.span_w() > shape.padded_w()) continue;
        if (shape.pooled() && (shape.pool_h > shape.p() || shape.pool_w > shape.q())) continue;
        const Workload workload = testing::random_workload(shape, testing::sparsity_of(number), number);
        ++number;
        const MapValues map_values(shape, workload.x.data.data(), workload.w.data.data());
        for (const Format format : {Format::ecr, Format::pecr, Format::mec, Format::im2col}) {
            if ((format == Format::pecr && !shape.pooled()) || (format == Format::mec && shape.dilated())) continue;
            const std::vector<Places> products = all_products(format, shape, workload.x.data);
            for (const ElementRef& element : sample_elements(format, shape, random)) {
                expect_same_links(format, map_values, products, element);
                if (HasFatalFailure()) return;
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 10000);
}

TEST(RandomLinks, are_cut_off_where_there_are_too_many) {
    ConvShape shape;
    shape.h = shape.w = 40;
    shape.r = shape.s = 3;
    const std::vector<float> x(1600, 1.0f), w(9, 1.0f);
    const LinkSet links = find_links(Format::ecr, MapValues(shape, x.data(), w.data()), {ArrayId::w, {0, 0}}, {}, 100);
    EXPECT_FALSE(links.complete);
    EXPECT_EQ(links.products, 100);
    EXPECT_EQ(links.of(ArrayId::y).size(), 100u);
}

}  // namespace
}  // namespace convscope
