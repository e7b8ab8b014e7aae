// Links of matrices against brute force: every element of x has a value of its own.
#include "visualizers/explain/matrix_links.h"

#include <gtest/gtest.h>

#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

TEST(MatrixLinks, are_where_the_matrix_holds_the_element) {
    std::vector<ConvShape> shapes = testing::random_shapes(40);
    for (const ConvShape& shape : testing::dilated_and_grouped_shapes(40)) shapes.push_back(shape);
    for (const ConvShape& shape : testing::shapes_padded_by_side(40)) shapes.push_back(shape);
    std::int64_t padded = 0, copies = 0;
    for (const ConvShape& s : shapes) {
        SCOPED_TRACE(to_string(s));
        Workload work = testing::random_workload(s, 0, 1);
        for (std::size_t i = 0; i < work.x.data.size(); ++i) work.x.data[i] = static_cast<float>(i + 1);
        const std::int64_t image = s.n - 1;
        for (const MatrixOf of : {MatrixOf::x, MatrixOf::im2col}) {
            const FormatMatrix matrix = make_matrix(of, work, image);
            for (std::int64_t i = 0; i < matrix.rows * matrix.cols; ++i) {
                const FormatCell cell{i / matrix.cols, i % matrix.cols};
                const float value = matrix.values[static_cast<std::size_t>(i)];
                const std::optional<InputElement> element = input_behind(of, s, image, cell);
                ASSERT_EQ(element.has_value(), value != 0) << to_string(of) << ' ' << cell.row << ' ' << cell.col;
                padded += element ? 0 : 1;
                if (!element) continue;
                ASSERT_EQ(
                    work.x
                        .data[static_cast<std::size_t>(work.x.offset(element->n, element->c, element->h, element->w))],
                    value);
                const std::vector<FormatCell> places = copies_of(*element, of, s, image);
                ASSERT_NE(std::ranges::find(places, cell), places.end());
                for (const FormatCell& place : places)
                    ASSERT_EQ(matrix.values[static_cast<std::size_t>(place.row * matrix.cols + place.col)], value);
                copies += static_cast<std::int64_t>(places.size()) - 1;
                if (s.n > 1) {
                    ASSERT_TRUE(copies_of(*element, of, s, 0).empty());
                }
            }
        }
        EXPECT_EQ(input_behind(MatrixOf::w, s, 0, {0, 0}), std::nullopt);
        EXPECT_TRUE(copies_of({0, 0, 0, 0}, MatrixOf::w, s, 0).empty());
    }
    EXPECT_GT(padded, 0);
    EXPECT_GT(copies, 0);
}

}  // namespace
}  // namespace convscope
