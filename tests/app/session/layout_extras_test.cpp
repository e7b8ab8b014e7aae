// Two layouts side by side, formulas that light what they speak of, MEC's solutions and the balance, as a user uses
// them.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>

#include "kernels/layers/one_map.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

/// Moves over the layouts until an element of this array is pointed at.
bool point_at_array(Driver& app, ArrayId array) {
    const ImVec2 low{300, 130}, high{1010, 740};
    for (float y = low.y; y < high.y; y += 22)
        for (float x = low.x; x < high.x; x += 22) {
            app.point_at(ImVec2{x, y});
            const auto& pointed = app.shell().layouts().result().pointed;
            if (app.session().hovered && pointed && pointed->array == array) return true;
        }
    return false;
}

void show_companion(Driver& app, const std::string& format) {
    app.click("layout/beside");
    app.frames(2);
    app.click("layout/beside/" + format);
    app.point_at(ImVec2{4, 4});
}

TEST(Beside, a_second_layout_is_lit_by_what_is_pinned_in_the_first) {
    Driver app(1280, 800);
    show_companion(app, "MEC");
    ASSERT_EQ(app.session().pages.companion, Format::mec);
    pinned(app.session()) = ElementRef{ArrayId::x, {1, 3}};
    app.frames(2);
    const LayoutViewResult& result = app.shell().layouts().result();
    EXPECT_EQ(result.across.of(ArrayId::L).size(), 2U);
    EXPECT_EQ(result.across.sentence, "In MEC: 2 copies in L (L[1,5], L[2,4])");
}

TEST(Beside, what_is_clicked_in_the_second_is_lit_in_the_first) {
    Driver app(1280, 800);
    show_companion(app, "MEC");
    app.press(Key::escape);
    ASSERT_TRUE(point_at_array(app, ArrayId::L));
    const LayoutViewResult& result = app.shell().layouts().result();
    EXPECT_TRUE(result.pointed_companion);
    const Cell cell = result.pointed->cell;
    EXPECT_FALSE(result.across.of(ArrayId::y).empty());
    const ElementRef pointed = *result.pointed;
    app.click_at(ImGui::GetIO().MousePos);
    EXPECT_EQ(pinned(app.session()), pointed);
    app.point_at(ImVec2{4, 4});
    ASSERT_TRUE(app.shell().layouts().result().pointed);
    EXPECT_EQ(app.shell().layouts().result().pointed->cell, cell);
    // Without its layout nothing of it stays.
    show_companion(app, "none");
    app.frames(2);
    EXPECT_FALSE(pinned(app.session()));
}

TEST(Beside, pecr_is_offered_where_there_is_pooling) {
    Driver app;
    app.click("layout/beside");
    app.frames(2);
    EXPECT_FALSE(app.has("layout/beside/PECR"));
    EXPECT_TRUE(app.has("layout/beside/im2col"));
    app.press(Key::escape);
    set_workload(app.session(), find_preset("examples/xu-fig7").spec);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    show_companion(app, "PECR");
    pinned(app.session()) = ElementRef{ArrayId::y, {1, 1}};
    app.frames(2);
    EXPECT_EQ(app.shell().layouts().result().across.of(ArrayId::Count).size(), 4U);
    // The choice waits where it makes no sense, and nothing breaks.
    app.press(Key::two, true);
    app.frames(2);
    EXPECT_TRUE(app.shell().layouts().result().across.sentence.empty());
    app.press(Key::four, true);
    app.frames(2);
}

TEST(Formulas, a_term_that_is_pointed_at_lights_what_it_is) {
    Driver app(1280, 800);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.frames(3);  // the cards find their places
    app.point_at("formula/xu-1/q");
    ASSERT_TRUE(app.session().lit);
    EXPECT_EQ(app.session().lit->symbol, "q");
    EXPECT_EQ(app.session().lit->parts.front(), (LitPart{ArrayId::y, LitPart::Along::cols}));
    app.press(Key::three, true);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.frames(3);  // the cards find their places
    app.point_at("formula/cho-3/name");
    ASSERT_TRUE(app.session().lit);
    EXPECT_EQ(app.session().lit->parts.front().array, ArrayId::L);
    app.point_at(ImVec2{640, 780});
    EXPECT_FALSE(app.session().lit);
}

TEST(Formulas, need_no_scrolling_at_1280_by_800) {
    Driver app(1280, 800);
    const auto at = [&app](const char* preset, Key tab) {
        set_workload(app.session(), find_preset(preset).spec);
        app.press(tab, true);
        ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
        app.frames(3);
        EXPECT_EQ(ImGui::FindWindowByName("right")->ScrollMax.y, 0) << preset;
    };
    at("examples/xu-fig4", Key::one);
    for (const char* item : {"formula/xu-1", "formula/xu-2", "formula/cho-2", "formula/cho-3", "formula/cho-4"})
        EXPECT_TRUE(app.has(item)) << item;
    // Where not all have room, as the papers' longer ones, the page has those that it is about.
    Notation& notation = app.session().desktop_state.preferences.notation;
    notation = Notation::paper;
    at("examples/xu-fig7", Key::two);
    for (const char* item : {"formula/xu-1", "formula/xu-2", "formula/xu-3"}) EXPECT_TRUE(app.has(item)) << item;
    EXPECT_FALSE(app.has("formula/cho-2"));
    // The others are a click away, and do not push anything out.
    app.click("inspector/memory formulas");
    app.frames(3);
    for (const char* item : {"formula/cho-2", "formula/cho-3", "formula/cho-4", "inspector/work formulas"})
        EXPECT_TRUE(app.has(item)) << item;
    EXPECT_FALSE(app.has("formula/xu-1"));
    EXPECT_EQ(ImGui::FindWindowByName("right")->ScrollMax.y, 0);
    app.click("inspector/work formulas");
    app.frames(3);
    EXPECT_TRUE(app.has("formula/xu-1"));
    for (const Notation each : {Notation::paper, Notation::cudnn}) {
        notation = each;
        at("mec/cv6", Key::three);
        for (const char* item : {"formula/cho-2", "formula/cho-3", "formula/cho-4"}) EXPECT_TRUE(app.has(item)) << item;
        at("vgg19/conv3_2", Key::one);
        at("vgg19/conv3_2", Key::five);
        at("vgg19/conv3_2", Key::six);
        // A sentence about an element may take ten lines: then fractions are written in the line.
        pinned(app.session()) = ElementRef{ArrayId::y, {13, 13}};
        at("chang/single-28-k3", Key::four);
        EXPECT_TRUE(app.has("formula/xu-1"));
    }
}

TEST(Solutions, are_stepped_through_by_buttons_and_keys) {
    Driver app;
    set_workload(app.session(), find_preset("examples/cho-fig1").spec);
    app.press(Key::five, true);
    ASSERT_EQ(app.session().tab, TabId("solutions"));
    ASSERT_TRUE(app.wait([&] { return app.has("solutions/batch"); }));
    app.session().choices.workload.shape.n = 0;  // typed, and impossible
    edit_workload(app.session());
    app.click("solutions/batch");
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.frames(2);
    EXPECT_EQ(app.session().good.shape.n, 3);
    EXPECT_EQ(app.session().good.source, Source::example);
    app.click("solutions/forward");
    EXPECT_EQ(app.session().pages.solution.product, 1);
    app.point_at(ImVec2{4, 400});
    app.press(Key::right);
    EXPECT_EQ(app.session().pages.solution.product, 2);
    app.press(Key::end);
    app.frames();
    EXPECT_EQ(app.session().pages.solution.product, 19);  // A: 5 products, 15 copies
    app.click("solutions/B");
    EXPECT_EQ(app.session().pages.solution.product, 0);
    app.point_at(ImVec2{4, 400});
    app.press(Key::end);
    app.frames();
    EXPECT_EQ(app.session().pages.solution.product, 14);
    app.click("solutions/play");
    EXPECT_TRUE(app.session().plays_solution);
    EXPECT_TRUE(app.shell().busy());
    EXPECT_EQ(app.session().pages.solution.product, 0);
}

TEST(Solutions, link_what_is_pointed_at_and_keep_what_is_clicked) {
    Driver app(1280, 800);
    set_workload(app.session(), find_preset("examples/cho-fig1").spec);
    app.press(Key::five, true);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy() && app.has("solutions/matrix O"); }));
    const auto sentence = [&] { return app.shell().layouts().result().links.sentence; };
    const auto cell = [&](const char* matrix, ImVec2 share) {
        const ItemRect rect = app.item(std::string("solutions/matrix ") + matrix);
        return ImVec2{rect.min.x + (rect.max.x - rect.min.x) * share.x,
                      rect.min.y + (rect.max.y - rect.min.y) * share.y};
    };
    EXPECT_EQ(sentence(), "");
    app.point_at(cell("O", {0.01F, 0.01F}));
    EXPECT_TRUE(sentence().starts_with("O[0,0] = ")) << sentence();
    EXPECT_TRUE(sentence().ends_with(": row 0 of L in partition P, times column 0 of K")) << sentence();
    app.point_at(cell("O", {0.01F, 0.99F}));
    EXPECT_TRUE(sentence().starts_with("O[4,0], not computed yet: ")) << sentence();
    app.click_at(cell("L", {0.01F, 0.01F}));
    app.point_at(ImVec2{4, 400});
    EXPECT_TRUE(sentence().ends_with(": multiplied with row 0 of K in P")) << sentence();
    app.press(Key::escape);
    EXPECT_EQ(sentence(), "");
}

TEST(Solutions, use_the_room_that_there_is) {
    Driver app(1280, 800);
    set_workload(app.session(), find_preset("examples/cho-fig1").spec);
    app.press(Key::five, true);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy() && app.has("solutions/matrix L"); }));
    app.frames(2);
    const ItemRect l = app.item("solutions/matrix L");
    EXPECT_GT((l.max.x - l.min.x) / 21, 22) << "its numbers are printed";
}

TEST(BalancePage, takes_the_block_row_apart_that_ecr_does) {
    Driver app(1280, 800);
    app.press(Key::escape);
    EXPECT_TRUE(app.shell().layouts().result().lead.before.starts_with("B1 "));
    app.press(Key::six, true);
    app.frames(2);
    app.type_into("balance/block", "3");
    app.press(Key::one, true);
    app.frames(2);
    EXPECT_TRUE(app.shell().layouts().result().lead.before.starts_with("B3 "))
        << app.shell().layouts().result().lead.text();
    // A layer with pooling has block rows of PECR, each of several rows of the convolution.
    set_workload(app.session(), find_preset("examples/xu-fig7").spec);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.press(Key::six, true);
    app.frames(2);
    app.type_into("balance/block", "2");
    app.press(Key::two, true);
    app.frames(2);
    app.press(Key::escape);  // what is pinned shows its own block row
    app.frames(2);
    EXPECT_TRUE(app.shell().layouts().result().lead.before.starts_with("B2 "))
        << app.shell().layouts().result().lead.text();
}

TEST(Opening, shows_a_map_and_a_block_row_that_are_not_empty) {
    Driver app(1280, 800);
    app.press(Key::k, true);
    app.type("shapes/conv3");
    app.press(Key::enter);
    const auto shown = [&] {
        const auto latest = app.shell().builder().latest();
        return latest && latest->workload->spec.name == "shapes/conv3" ? latest : nullptr;
    };
    ASSERT_TRUE(app.wait([&] { return shown() && !app.shell().builder().busy(); }));
    app.frames(2);
    const double all = shown()->workload->sparsity_measured;
    EXPECT_GT(std::ranges::count(map_of(shown()->workload->x, 0, 0), 0.0F), 700) << "channel 0 is dead";
    EXPECT_LE(shown()->map_sparsity, 1 - 0.75 * (1 - all));
    EXPECT_GT(app.session().choices.selection.channel, 0) << "which the field shows";
    EXPECT_EQ(app.session().choices.selection.channel, shown()->selection.channel);
    EXPECT_EQ(shown()->opening_row, fullest_row(shown()->map_shape, shown()->x));
    const std::string block = "B" + std::to_string(shown()->opening_row + 1) + " ";
    EXPECT_TRUE(app.shell().layouts().result().lead.before.starts_with(block))
        << app.shell().layouts().result().lead.text();
    // It is one step of undo, and what is chosen by hand stays while the share of zeros changes.
    EXPECT_EQ(app.shell().history().undo_words().find("channel"), std::string::npos);
    app.type_into("map/channel", "0");
    ASSERT_TRUE(app.wait([&] { return shown() && shown()->selection.channel == 0; }));
    EXPECT_EQ(app.session().choices.selection.channel, 0);
    app.press(Key::z, true);
    ASSERT_TRUE(app.wait([&] { return shown() && shown()->selection.channel > 0; }));
    const std::int64_t opened = shown()->selection.channel;
    app.press(Key::page_down, false, true);
    ASSERT_TRUE(app.wait([&] { return shown() && shown()->selection.channel == opened + 1; })) << "by a key";
    app.press(Key::z, true);
    app.press(Key::z, true);
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->spec.name == "examples/xu-fig4"; }));
}

TEST(BalancePage, shows_the_threads_of_any_block_row) {
    Driver app;
    app.press(Key::six, true);
    app.frames(3);
    ASSERT_EQ(app.session().tab, TabId("balance"));
    for (const char* plot : {"balance/products", "balance/idle", "balance/zeros"}) ASSERT_TRUE(app.has(plot)) << plot;
    app.type_into("balance/block", "3");
    app.frames(2);
    set_workload(app.session(), find_preset("alexnet/conv3").spec);
    ASSERT_TRUE(app.wait([&] { return app.has("balance/channels"); }));
    ASSERT_TRUE(app.wait([&] { return !app.shell().layouts().moves(); }));
    app.click("balance/channels");
    ASSERT_TRUE(app.wait([&] { return !app.shell().layouts().moves(); }));
}

}  // namespace
}  // namespace convscope::app
