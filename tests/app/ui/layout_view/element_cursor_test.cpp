#include "app/ui/layout_view/element_cursor.h"

#include <gtest/gtest.h>

namespace convscope::app {
namespace {

LinkSet linked() {
    LinkSet links;
    links.focus = {ArrayId::x, {1, 3}};
    links.cells[static_cast<std::size_t>(ArrayId::x)] = {{1, 3}};
    links.cells[static_cast<std::size_t>(ArrayId::w)] = {{0, 1}, {1, 2}};
    links.cells[static_cast<std::size_t>(ArrayId::F_data)] = {{1, 2}, {2, 2}, {4, 0}};
    return links;
}

TEST(ElementCursor, goes_from_array_to_array_and_comes_back_to_where_it_began) {
    ElementCursor cursor;
    const LinkSet links = linked();
    const auto first = cursor.step(links.focus, links, 1, 0);
    EXPECT_EQ(first, (ElementRef{ArrayId::w, {0, 1}}));
    // The links of the new element play no part: the walk goes on among those of the first.
    const auto second = cursor.step(*first, {}, 1, 0);
    EXPECT_EQ(second, (ElementRef{ArrayId::F_data, {1, 2}}));
    EXPECT_EQ(cursor.step(*second, {}, 1, 0), links.focus);
    EXPECT_EQ(cursor.step(links.focus, {}, -1, 0), second);
}

TEST(ElementCursor, goes_through_all_linked_elements_of_one_array) {
    ElementCursor cursor;
    const LinkSet links = linked();
    auto at = cursor.step(links.focus, links, -1, 0);
    ASSERT_EQ(at, (ElementRef{ArrayId::F_data, {1, 2}}));
    at = cursor.step(*at, {}, 0, 1);
    EXPECT_EQ(at, (ElementRef{ArrayId::F_data, {2, 2}}));
    at = cursor.step(*at, {}, 0, -1);
    at = cursor.step(*at, {}, 0, -1);
    EXPECT_EQ(at, (ElementRef{ArrayId::F_data, {4, 0}}));
}

TEST(ElementCursor, begins_anew_from_an_element_that_was_pinned_otherwise) {
    ElementCursor cursor;
    const LinkSet links = linked();
    cursor.step(links.focus, links, 1, 0);
    LinkSet other;
    other.focus = {ArrayId::y, {0, 0}};
    other.cells[static_cast<std::size_t>(ArrayId::y)] = {{0, 0}};
    other.cells[static_cast<std::size_t>(ArrayId::x)] = {{0, 0}};
    EXPECT_EQ(cursor.step(other.focus, links, 1, 0), std::nullopt);  // its links are not known yet
    EXPECT_EQ(cursor.step(other.focus, other, 1, 0), (ElementRef{ArrayId::x, {0, 0}}));
}

}  // namespace
}  // namespace convscope::app
