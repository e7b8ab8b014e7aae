// Links of whole layers against brute force: every non-zero element of x has a value of its own, so that the arrays
// themselves, as the families' host layouts build them, tell where each was copied to.
#include "visualizers/explain/layer_links.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "kernels/layers/preset.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

/// Non-zero elements of x are 1, 2, 3, ...: one more than their place.
Workload numbered(const ConvShape& shape, double sparsity, std::uint64_t seed) {
    Workload work = testing::random_workload(shape, sparsity, seed);
    for (std::size_t i = 0; i < work.x.data.size(); ++i)
        if (work.x.data[i] != 0) work.x.data[i] = static_cast<float>(i + 1);
    return work;
}

InputElement element_at(const ConvShape& s, std::int64_t place) {
    return {place / (s.c * s.h * s.w), place / (s.h * s.w) % s.c, place / s.w % s.h, place % s.w};
}

/// Calls visit(row, col, value) for every filled element of the array.
template <class Visit>
void for_each_element(LayerArray array, const Workload& work, Visit visit) {
    const LayerArraySpec spec = layer_array(array, work.spec.shape);
    for (std::int64_t image = 0; image < spec.images; ++image) {
        const auto words = build_layer_image(spec, work, image, spec.rows_per_image);
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] == 0xffffffffu) continue;
            const auto at = static_cast<std::int64_t>(i);
            visit(image * spec.rows_per_image + at / spec.cols, at % spec.cols, std::bit_cast<float>(words[i]));
        }
    }
}

TEST(LayerLinks, are_where_the_arrays_hold_the_element) {
    using enum LayerArray;
    std::vector<ConvShape> shapes = testing::random_shapes(60);
    for (const ConvShape& shape : testing::dilated_and_grouped_shapes(60)) shapes.push_back(one_group(shape));
    for (const ConvShape& shape : testing::shapes_padded_by_side(60)) shapes.push_back(shape);
    int elements = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const ConvShape& s = shapes[i];
        const Workload work = numbered(s, i % 2 == 0 ? 0 : testing::sparsity_of(i), i);
        for (const LayerArray array : {x, im2col, L, F_data, Data}) {
            if ((array == Data && !s.pooled()) || (array == L && s.dilated())) continue;
            SCOPED_TRACE(std::string(to_string(array)) + " of " + to_string(s));
            std::map<std::int64_t, std::vector<Cell>> places;  // by the element's place in x
            for_each_element(array, work, [&](std::int64_t row, std::int64_t col, float value) {
                const auto behind = input_behind(array, work, row, col);
                if (value == 0) {  // padding, or an element that is zero
                    const bool padding = !behind || work.x.data[static_cast<std::size_t>(work.x.offset(
                                                        behind->n, behind->c, behind->h, behind->w))] == 0;
                    ASSERT_TRUE(padding) << row << " " << col;
                    return;
                }
                const auto place = static_cast<std::int64_t>(value) - 1;
                places[place].push_back({row, col});
                ASSERT_TRUE(behind == element_at(s, place)) << row << " " << col;
            });
            for (std::size_t place = 0; place < work.x.data.size(); ++place) {
                if (work.x.data[place] == 0) continue;
                const auto at = static_cast<std::int64_t>(place);
                ASSERT_EQ(copies_of(element_at(s, at), array, work), places[at]) << "place " << place;
                ++elements;
            }
        }
    }
    EXPECT_GT(elements, 10'000);
}

TEST(LayerLinks, stand_at_the_same_places_in_arrays_of_indices) {
    const ConvShape s = testing::random_shapes(8)[1];
    const Workload work = numbered(s, 0.4, 3);
    for (std::int64_t place = 0; place < static_cast<std::int64_t>(work.x.data.size()); ++place)
        EXPECT_EQ(copies_of(element_at(s, place), LayerArray::K_index, work),
                  copies_of(element_at(s, place), LayerArray::F_data, work));
}

TEST(LayerLinks, tell_padding_and_unused_slots) {
    ConvShape s;
    s.h = s.w = 4;
    s.r = s.s = 3;
    s.pad_h = s.pad_w = 1;
    Workload work = numbered(s, 0, 1);
    EXPECT_FALSE(input_behind(LayerArray::im2col, work, 0, 0)) << "the window's corner is padding";
    EXPECT_TRUE((input_behind(LayerArray::im2col, work, 0, 4) == InputElement{0, 0, 0, 0}));
    EXPECT_FALSE(input_behind(LayerArray::L, work, 0, 0));
    EXPECT_FALSE(input_behind(LayerArray::F_data, work, 0, 4)) << "four elements of the first window are there";
    EXPECT_FALSE(input_behind(LayerArray::y, work, 0, 0));
    EXPECT_TRUE(copies_of({0, 0, 0, 0}, LayerArray::w, work).empty());
}

TEST(LayerLinks, describe_are_counted) {
    ConvShape s;
    s.h = s.w = 7;
    s.r = s.s = 3;
    Workload work = numbered(s, 0, 1);
    EXPECT_EQ(describe_copies({0, 0, 3, 3}, work), "x[0, 0, 3, 3] = 25: 9 copies in im2col, 3 in L, 9 in F_data");
    EXPECT_EQ(describe_copies({0, 0, 0, 0}, work), "x[0, 0, 0, 0] = 1: 1 copy in im2col, 1 in L, 1 in F_data");
    EXPECT_EQ(describe_copies({0, 0, 0, 0}, work, 6), "x[0, 6, 0, 0] = 1: 1 copy in im2col, 1 in L, 1 in F_data")
        << "of a group, the channel in its layer";
    work.x.data[24] = 0;
    EXPECT_EQ(describe_copies({0, 0, 3, 3}, work), "x[0, 0, 3, 3] = 0: 9 copies in im2col, 3 in L, 0 in F_data");
}

}  // namespace
}  // namespace convscope
