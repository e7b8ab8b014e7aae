// The Formats page, as a user uses it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/session/pin.h"
#include "app/ui/widgets/text_capture.h"
#include "kernels/formats/sparse_format.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

class FormatsPage : public ::testing::Test {
protected:
    FormatsPage() : app(1280, 800) {
        app.press(Key::seven, true);
        app.frames(3);
    }
    std::string sentence() {
        app.frames(2);
        return app.shell().layouts().result().links.sentence;
    }
    /// The text of the panels, whole where it takes several lines.
    std::string said() {
        std::string text;
        const TextCapture capture(text);
        app.frames(3);
        return text;
    }
    bool says(const char* words) { return said().find(words) != std::string::npos; }
    Driver app;
};

TEST_F(FormatsPage, opens_with_the_example_in_every_format) {
    EXPECT_EQ(app.session().tab, TabId("formats"));
    EXPECT_NE(app.words_on_screen().find("x, (c h) \u00d7 w: 5 \u00d7 5."), std::string::npos) << app.words_on_screen();
    const Lead& lead = app.shell().layouts().result().lead;
    EXPECT_EQ(lead.text(), "At 64 % zeros run length takes 45 % of the dense matrix's bytes");
    for (const char* array : {"formats/dense/0/0", "formats/csr/0/0"}) EXPECT_TRUE(app.has(array)) << array;
}

TEST_F(FormatsPage, what_is_pinned_is_said_in_words_and_let_go_of_by_escape) {
    app.point_at("formats/csr/0/3");
    EXPECT_EQ(sentence(), "CSR: row_ptr[3] = 5: row 3 begins at entry 5 and ends before row_ptr[4] = 6.");
    app.click("formats/csr/2/3");
    app.point_at(ImVec2{4, 4});
    EXPECT_EQ(sentence(), "CSR: values[3] = 23: row 1, column 3.");
    EXPECT_NE(app.words_on_screen().find("values[3] = 23"), std::string::npos);
    app.press(Key::escape);
    EXPECT_EQ(sentence(), "");
}

TEST_F(FormatsPage, arrows_go_through_the_matrix) {
    app.press(Key::right);
    EXPECT_EQ(sentence(), "Row 0, column 0 is a zero: what still stores it is lit.");
    app.press(Key::right);
    app.press(Key::right);
    EXPECT_EQ(sentence(), "Row 0, column 2 is 15: in each format, its value and what finds it are lit.");
    app.press(Key::up);
    EXPECT_EQ(sentence(), "Row 0, column 2 is 15: in each format, its value and what finds it are lit.");
}

TEST_F(FormatsPage, one_format_is_shown_alone_and_large) {
    const ItemRect small = app.item("formats/csr/0/0");
    app.choose("formats/format", "formats/format/CSR");
    app.frames(3);
    EXPECT_EQ(app.session().pages.formats.format, "csr");
    EXPECT_EQ(app.shell().layouts().result().lead.text(), "At 64 % zeros CSR takes 96 % of the dense matrix's bytes");
    const ItemRect large = app.item("formats/csr/0/0");
    EXPECT_GT(large.max.y - large.min.y, small.max.y - small.min.y);
    EXPECT_TRUE(app.has("formats/dense/0/0"));
    EXPECT_FALSE(app.has("formats/csc/0/0"));
    app.press(Key::z, true);
    app.frames(2);
    EXPECT_EQ(app.session().pages.formats.format, "");
}

TEST_F(FormatsPage, another_matrix_is_chosen_by_a_button) {
    app.click("formats/im2col");
    app.frames(3);
    EXPECT_NE(app.words_on_screen().find("im2col, (c r s) \u00d7 (p q): 9 \u00d7 9"), std::string::npos)
        << app.words_on_screen();
    app.click("formats/w");
    app.frames(3);
    EXPECT_NE(app.words_on_screen().find("w, k \u00d7 (c r s): 1 \u00d7 9"), std::string::npos);
}

TEST_F(FormatsPage, a_larger_layer_is_shown_in_part_and_says_so) {
    set_workload(app.session(), find_preset("alexnet/conv3").spec);
    ASSERT_TRUE(app.wait([&] { return says("here its first 16 rows and 13 columns, of which the arrays are"); }))
        << said();
}

TEST_F(FormatsPage, bytes_of_the_whole_matrix_stand_beside_those_of_the_part) {
    set_workload(app.session(), find_preset("resnet8/block3_shortcut").spec);
    app.session().pages.formats = {MatrixOf::w, "csr", {}, false};
    // 64 x 32 weights, none of them zero.
    ASSERT_TRUE(app.wait([&] { return says("16 644 B of the whole matrix, 203 % of dense"); })) << said();
    EXPECT_TRUE(says("8 192 B of the whole matrix")) << said();
    EXPECT_TRUE(says("2 116 B here, 207 % of dense")) << said();
    EXPECT_TRUE(says("row_ptr 68 + col_idx 1 024 + values 1 024 = 2 116 B here")) << said();
    // 65 + 2 nnz < 2048 where nnz is at most 991 of 2048: of the whole; of the corner it would be 53 %.
    ASSERT_TRUE(app.wait([&] { return says("whole matrix: begins to save at 52 % zeros"); })) << said();
    // Each of 64 x 8 groups of four loses two; of the corner, 16 x 4 do.
    app.session().pages.formats.format = "2:4";
    EXPECT_TRUE(says("of the whole matrix, 53 % of dense; loses 1 024 of its 2 048 non-zeros")) << said();
    EXPECT_TRUE(says("2:4 loses 128 of 256 non-zeros here: in each row, of each four neighbouring columns")) << said();
    EXPECT_EQ(
        app.shell().layouts().result().lead.text(),
        "In the corner shown, with 0 % zeros, 2:4 takes 53 % of the dense corner's bytes and loses 128 of its 256 "
        "non-zeros");
    app.session().pages.formats.format = "";
    app.frames(3);
    EXPECT_EQ(app.shell().layouts().result().lead.text(),
              "In the corner shown, with 0 % zeros, no format without a loss is smaller than the dense corner");
}

TEST_F(FormatsPage, lights_both_bounds_of_a_row_and_the_offset_of_a_diagonal) {
    const auto lit = [&](const std::string& prefix) {
        app.frames(2);
        std::string all;
        for (const auto& [name, box] : app.items())
            if (name.starts_with("lit/formats/" + prefix))
                all += (all.empty() ? "" : " ") + name.substr(("lit/formats/" + prefix).size());
        return all;
    };
    app.session().pages.formats.format = "csr";
    app.frames(3);
    app.point_at("formats/csr/2/3");
    EXPECT_EQ(lit("csr/"), "0/1 0/2 1/3 2/3");
    app.session().pages.formats.format = "dia";
    app.frames(3);
    // A stored zero of the second diagonal, and the offset of the fourth, whose slots are all lit with it.
    app.point_at("formats/dia/1/9");
    EXPECT_EQ(lit("dia/"), "0/1 1/9");
    app.point_at("formats/dia/0/3");
    EXPECT_EQ(lit("dia/"), "0/3 1/15 1/16 1/17 1/18 1/19");
}

TEST_F(FormatsPage, names_the_block_rows_of_bsr) {
    app.session().pages.formats.format = "bsr";
    EXPECT_TRUE(says("block row 0: rows 0 to 1")) << said();
    EXPECT_TRUE(says("block row 2: row 4")) << said();
}

TEST_F(FormatsPage, a_chosen_format_says_what_it_is_and_how_a_row_is_read) {
    app.session().pages.formats.format = "csr";
    EXPECT_TRUE(says("Row i is values[row_ptr[i]] up to values[row_ptr[i + 1]]")) << said();
    app.session().pages.formats.format = "ell";
    EXPECT_TRUE(says("Zeros stored: 6 of 15 values, 24 of 120 bytes, in unused slots.")) << said();
    app.session().pages.formats.format = "";
    EXPECT_FALSE(says("Zeros stored:")) << said();
    EXPECT_TRUE(app.has("formats/coo/title"));
}

TEST_F(FormatsPage, a_chosen_format_says_what_a_warp_that_reads_it_asks_of_memory) {
    app.session().pages.formats.format = "csr";
    // By hand: rows of 2, 2, 1, 1 and 3 values at 0, 2, 4, 5 and 6. csr2's three loads touch 0 2 4 5 6, then 1 3 7,
    // then 8: of sectors of eight values one, one and one. csr3's fifth row lies in two.
    const char* sentence =
        "A warp of csr2 (a thread per row) asks for 1 sector a load of values, 38 % of their bytes used; of csr3 (a "
        "warp per row) for 1.20 sectors, 19 % used.";
    ASSERT_TRUE(app.wait([&] { return says(sentence); })) << said();
    app.session().pages.formats.next = "csc";
    ASSERT_TRUE(app.wait([&] { return says("No kernel here reads CSC."); })) << said();
    EXPECT_TRUE(says(sentence)) << said();
    app.session().pages.formats.whole = true;
    ASSERT_TRUE(app.wait([&] { return says(sentence) && says("No kernel here reads CSC."); })) << said();
    app.session().pages.formats = {};
    EXPECT_FALSE(says("asks for")) << said();
}

TEST_F(FormatsPage, two_four_shows_the_place_of_each_value_above_it) {
    app.session().pages.formats.format = "2:4";
    app.frames(3);
    for (const int value : {0, 1, 19}) {
        app.point_at(ImVec2{640, 600});
        app.wheel_here(value == 19 ? -40 : 40);
        app.frames(40);
        const ItemRect place = app.item(fmt::format("formats/2:4/0/{}", value));
        const ItemRect number = app.item(fmt::format("formats/2:4/1/{}", value));
        EXPECT_FLOAT_EQ(place.min.x, number.min.x) << value;
        EXPECT_FLOAT_EQ(place.max.x, number.max.x) << value;
    }
    app.wheel_here(40);
    app.frames(40);
    // Values of one group of four stand together, and so do its columns in the matrix.
    const auto gap = [&](const char* left, const char* right) { return app.item(right).min.x - app.item(left).max.x; };
    EXPECT_LT(gap("formats/2:4/1/0", "formats/2:4/1/1"), gap("formats/2:4/1/1", "formats/2:4/1/2"));
    EXPECT_LT(gap("formats/dense/0/2", "formats/dense/0/3"), gap("formats/dense/0/3", "formats/dense/0/4"));
    app.point_at("formats/2:4/0/1");
    EXPECT_EQ(sentence(),
              "2:4: metadata[0, 0], bits 2 and 3 = 3: values[0, 1] is of column 3, place 3 of columns 0 to 3.");
}

TEST_F(FormatsPage, ells_columns_and_values_stand_in_the_same_lines) {
    app.session().pages.formats.format = "ell";
    app.frames(3);
    for (const int slot : {0, 4, 14}) {
        const ItemRect column = app.item(fmt::format("formats/ell/0/{}", slot)),
                       value = app.item(fmt::format("formats/ell/1/{}", slot));
        EXPECT_FLOAT_EQ(column.min.y, value.min.y) << slot;
        EXPECT_GT(value.min.x, column.max.x) << slot;
    }
}

TEST_F(FormatsPage, every_format_can_be_scrolled_to) {
    for (const SparseFormat& format : all_sparse_formats()) {
        const std::string item = "formats/" + format.name + "/0/0";
        for (int notch = 0; notch < 60 && !app.has(item); ++notch) {
            app.point_at(ImVec2{640, 500});
            app.wheel_here(-1);
            app.frames(1);
        }
        EXPECT_TRUE(app.has(item)) << item;
    }
}

TEST_F(FormatsPage, has_one_unit_of_bytes_and_every_formats_levels_whole) {
    app.choose("formats/format", "formats/format/BSR");
    app.frames(3);
    const std::string words = app.words_on_screen();
    EXPECT_EQ(words.find("kB"), std::string::npos) << words;
    EXPECT_NE(words.find("col in block|"), std::string::npos) << "the end of BSR's levels: " << words;
}

TEST_F(FormatsPage, a_slide_begins_with_what_it_leads_with_and_cuts_nothing) {
    app.press(Key::f5);
    app.frames(5);
    EXPECT_TRUE(app.has("formats/rle/0/0")) << "Run length saves most";
    EXPECT_NE(app.words_on_screen().find("Not shown: "), std::string::npos) << app.words_on_screen();
    for (const auto& [name, box] : app.items())
        if (name.starts_with("formats/")) {
            EXPECT_LT(box.max.y, 800) << name;
        }
    app.keep_image("formats-slide");
    app.press(Key::escape);
    app.frames(3);
    EXPECT_TRUE(app.has("formats/csr/0/0"));
}

TEST_F(FormatsPage, a_second_format_stands_next_to_the_first) {
    app.choose("formats/format", "formats/format/CSR");
    app.choose("formats/next", "formats/next/BSR");
    app.frames(3);
    EXPECT_EQ(app.session().pages.formats.next, "bsr");
    for (const char* element : {"formats/dense/0/0", "formats/csr/0/0", "formats/bsr/0/0"})
        EXPECT_TRUE(app.has(element)) << element;
    EXPECT_EQ(app.item("formats/csr/title").min.y, app.item("formats/bsr/title").min.y);
    EXPECT_GT(app.item("formats/bsr/title").min.x, app.item("formats/csr/title").max.x);
    EXPECT_FALSE(app.has("formats/csc/0/0"));
    app.press(Key::z, true);
    app.frames(2);
    EXPECT_EQ(app.session().pages.formats.next, "");
}

TEST_F(FormatsPage, an_element_of_x_is_pinned_on_the_other_pages_too) {
    // 23, in row 1, column 3: one of ten elements of CSR's values.
    app.click("formats/csr/2/3");
    app.point_at(ImVec2{4, 4});
    app.frames(2);
    const ElementRef element{ArrayId::x, {1, 3}};
    EXPECT_EQ(pinned(app.session()), element);
    EXPECT_EQ(app.shell().layouts().result().pointed, element);
    EXPECT_TRUE(says("in the layouts of this map: ")) << said();
    for (const TabId page : {TabId("ecr"), TabId("lowering")}) {
        app.session().tab = page;
        app.frames(3);
        EXPECT_EQ(app.shell().layouts().result().pointed, element) << page->name;
    }
    // The other way round, and back: what is pinned there is lit here, in the matrix and in each format.
    pin(app.session(), ElementRef{ArrayId::x, {3, 2}});
    app.session().tab = TabId("formats");
    app.frames(3);
    EXPECT_EQ(sentence(), "Row 3, column 2 is 19: in each format, its value and what finds it are lit.");
    EXPECT_TRUE(app.has("lit/formats/csr/2/5"));
    EXPECT_FALSE(app.has("lit/formats/csr/2/3"));
    app.press(Key::escape);
    app.frames(2);
    app.session().tab = TabId("ecr");
    app.frames(2);
    EXPECT_EQ(pinned(app.session()), std::nullopt);
}

TEST_F(FormatsPage, what_is_of_more_than_one_element_is_pinned_here_alone) {
    // The beginning of row 0, which has two values.
    app.click("formats/csr/0/0");
    app.frames(2);
    EXPECT_EQ(pinned(app.session()), std::nullopt);
    EXPECT_FALSE(says("in the layouts of this map: ")) << said();
    EXPECT_FALSE(says("kept in ")) << said();
}

TEST_F(FormatsPage, says_where_each_format_on_screen_keeps_an_element) {
    app.point_at("formats/csr/2/3");
    EXPECT_TRUE(says("kept in COO values[3], CSR values[3], CSC values[7], ELL values[1, 1], ")) << said();
    EXPECT_FALSE(says("lost in")) << said();
    app.session().pages.formats = {MatrixOf::x, "csr", "bsr", false};
    app.frames(3);
    // Row 0, column 0 is a zero of a block that has others.
    app.point_at("formats/dense/0/0");
    EXPECT_TRUE(says("stored in BSR values[0, 0, 0]")) << said();
    EXPECT_TRUE(says("not stored in CSR")) << said();
    app.session().pages.formats = {MatrixOf::w, "2:4", "", false};
    app.frames(3);
    app.point_at("formats/dense/0/1");
    EXPECT_TRUE(says("kept in 2:4 values[0, 0]")) << said();
}

TEST_F(FormatsPage, an_element_of_im2cols_matrix_is_pinned_as_the_one_of_x_that_it_copies) {
    app.session().pages.formats = {MatrixOf::im2col, "csr", "coo", false};
    app.frames(3);
    // Output 0's window, row 0, column 2: 15 of row 0, column 2 of the map.
    app.click("formats/dense/0/18");
    app.point_at(ImVec2{4, 4});
    app.frames(2);
    EXPECT_EQ(sentence(), "Row 2, column 0 is 15: in each format, its value and what finds it are lit.");
    EXPECT_EQ(pinned(app.session()), (ElementRef{ArrayId::x, {0, 2}}));
    EXPECT_EQ(app.session().layer.pinned, (InputElement{0, 0, 0, 2}));
    EXPECT_TRUE(says("in the layouts of this map: ")) << said();
    app.session().tab = TabId("lowering");
    app.frames(3);
    EXPECT_EQ(app.shell().layouts().result().pointed, (ElementRef{ArrayId::x, {0, 2}}));
    // Four windows lie over row 1, column 3.
    pin(app.session(), ElementRef{ArrayId::x, {1, 3}});
    app.session().tab = TabId("formats");
    app.frames(3);
    EXPECT_EQ(sentence(),
              "The pinned element of x is 23, in 4 places here: in each format, its values and what finds them are "
              "lit.");
    for (const char* place : {"14", "22", "38", "46"})
        EXPECT_TRUE(app.has(std::string("lit/formats/dense/0/") + place)) << place;
    EXPECT_FALSE(app.has("lit/formats/dense/0/18"));
    app.session().pages.formats.whole = true;
    ASSERT_TRUE(app.wait([&] { return app.has("whole/1/0"); }));
    EXPECT_EQ(sentence(),
              "The pinned element of x is 23, in 4 places of the matrix: they are lit, and what each array has of "
              "them.");
    app.press(Key::escape);
    app.frames(2);
    EXPECT_EQ(sentence(), "");
    EXPECT_EQ(app.session().layer.pinned, std::nullopt);
    EXPECT_EQ(pinned(app.session()), std::nullopt);
}

TEST_F(FormatsPage, a_weight_is_pinned_on_the_other_pages_too) {
    app.click("formats/w");
    app.frames(3);
    app.click("formats/dense/0/5");
    app.point_at(ImVec2{4, 4});
    EXPECT_EQ(pinned(app.session()), (ElementRef{ArrayId::w, {1, 2}}));
    app.session().tab = TabId("ecr");
    app.frames(3);
    EXPECT_EQ(app.shell().layouts().result().pointed, (ElementRef{ArrayId::w, {1, 2}}));
    app.session().tab = TabId("formats");
    pin(app.session(), ElementRef{ArrayId::w, {0, 1}});
    app.frames(3);
    EXPECT_TRUE(app.has("lit/formats/dense/0/1"));
    EXPECT_FALSE(app.has("lit/formats/dense/0/5"));
}

TEST_F(FormatsPage, an_element_of_another_channel_is_pinned_in_the_layouts_of_the_layer) {
    set_workload(app.session(), find_preset("resnet8/block2_conv1").spec);
    app.session().choices.selection = {0, 0, 0, false};
    ASSERT_TRUE(app.wait([&] { return says("here its first 16 rows"); })) << said();
    const std::int64_t h = app.session().good.shape.h, row = h / 2;
    // Of channel 3, pinned on the page of the whole layer.
    app.session().layer.pinned = InputElement{0, 3, row, 1};
    app.session().pages.formats = {MatrixOf::x, "csr", "", true};
    ASSERT_TRUE(app.wait([&] { return app.has("whole/1/0"); })) << said();
    EXPECT_EQ(sentence().rfind(fmt::format("Row {}, column 1 is ", 3 * h + row), 0), 0U) << sentence();
    EXPECT_TRUE(says("in the layouts of the layer: x[0, 3, ")) << said();
    EXPECT_EQ(pinned(app.session()), std::nullopt);
    app.press(Key::escape);
    app.frames(2);
    EXPECT_EQ(app.session().layer.pinned, std::nullopt);
}

class WholeFormatsPage : public FormatsPage {
protected:
    /// The whole matrix of a layer, and once its arrays are on the screen.
    void show(const char* preset, MatrixOf of, const char* format, const char* next) {
        set_workload(app.session(), find_preset(preset).spec);
        app.session().pages.formats = {of, format, next, true};
        ASSERT_TRUE(app.wait([&] {
            app.frames(2);
            return app.shell().builder().latest() && app.has("whole/1/0") && !app.shell().layouts().moves();
        })) << said();
    }
    /// Where an element of an array is drawn that has so many columns.
    ImVec2 place(const char* array, std::int64_t rows, std::int64_t cols, std::int64_t row, std::int64_t col) {
        const ItemRect box = app.item(array);
        return {box.min.x + (box.max.x - box.min.x) * (static_cast<float>(col) + 0.5F) / static_cast<float>(cols),
                box.min.y + (box.max.y - box.min.y) * (static_cast<float>(row) + 0.5F) / static_cast<float>(rows)};
    }
};

TEST_F(WholeFormatsPage, says_where_a_pinned_element_is_in_every_array) {
    show("examples/xu-fig4", MatrixOf::x, "csr", "ell");
    EXPECT_TRUE(says("x, (c h) \u00d7 w: 5 \u00d7 5, whole."));
    EXPECT_EQ(app.shell().layouts().result().lead.text(), "At 64 % zeros CSR takes 96 % of the dense matrix's bytes");
    app.point_at(place("whole/0/0", 5, 5, 0, 2));
    EXPECT_EQ(sentence(), "Row 0, column 2 is 15.");
    app.click_at(place("whole/0/0", 5, 5, 0, 2));
    app.point_at(ImVec2{4, 4});
    EXPECT_EQ(sentence(), "Row 0, column 2 is 15.");
    EXPECT_EQ(pinned(app.session()), (ElementRef{ArrayId::x, {0, 2}}));
    pin(app.session(), ElementRef{ArrayId::x, {2, 1}});
    EXPECT_EQ(sentence(), "Row 2, column 1 is 8.");
    app.press(Key::escape);
    EXPECT_EQ(sentence(), "");
    EXPECT_EQ(pinned(app.session()), std::nullopt);
    app.point_at(place("whole/2/0", 5, 3, 1, 0));
    EXPECT_EQ(sentence().rfind("ELL: col_idx[1, 0] = ", 0), 0U) << sentence();
}

TEST_F(WholeFormatsPage, has_all_rows_of_a_layer) {
    show("resnet8/block2_conv1", MatrixOf::im2col, "coo", "");
    EXPECT_TRUE(says(", whole.")) << said();
    EXPECT_FALSE(says("here its first")) << said();
    EXPECT_TRUE(app.has("whole/1/2"));
    EXPECT_FALSE(app.has("whole/2/0"));
    // Back at its first rows the page says so.
    app.session().pages.formats.whole = false;
    app.frames(3);
    EXPECT_TRUE(says("here its first")) << said();
    app.session().pages.formats.whole = true;
    ASSERT_TRUE(app.wait([&] { return app.has("whole/1/0"); }));
    // Another page lets go of the memory.
    app.press(Key::one, true);
    app.frames(3);
    app.press(Key::seven, true);
    ASSERT_TRUE(app.wait([&] { return app.has("whole/1/0"); }));
}

TEST_F(WholeFormatsPage, a_lesson_that_hides_an_array_shows_no_whole_matrix) {
    show("examples/xu-fig4", MatrixOf::x, "csr", "");
    app.session().lesson.hidden = {"col_idx"};
    app.frames(3);
    EXPECT_FALSE(app.has("whole/1/0"));
    EXPECT_TRUE(app.has("formats/csr/0/0"));
}

}  // namespace
}  // namespace convscope::app
