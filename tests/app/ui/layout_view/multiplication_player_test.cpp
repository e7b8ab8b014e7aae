// The multiplications behind y, played by buttons and keys, paused, walked through, and ended by what changes the page.
#include <gtest/gtest.h>

#include "app/session/session.h"
#include "app/ui/dialogs/drawn_figures.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

class Playing : public ::testing::Test {
protected:
    Driver app{1280, 800};

    void SetUp() override {
        ASSERT_TRUE(app.wait([&] { return app.has("multiply/play"); }));
    }
    void open(const char* preset) {
        set_workload(app.session(), find_preset(preset).spec);
        ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy() && !app.shell().layout_moves(); }));
        app.frames(2);
    }
    const MultiplicationChoice& choice() { return app.session().multiplication; }
    const LayoutViewResult& result() { return app.shell().layouts().result(); }
    std::string lead() { return result().lead.text(); }
    void point_away() { app.point_at(ImVec2{4, 400}); }
    /// The middle of the last cell of a figure.
    ImVec2 last_cell_of(const std::string& title) {
        for (const DrawnFigure& figure : drawn_figures())
            if (figure.title == title)
                return {static_cast<float>(figure.box.right()) - 12, static_cast<float>(figure.box.bottom()) - 12};
        ADD_FAILURE() << title << " is not drawn";
        return {};
    }
};

TEST_F(Playing, goes_from_element_to_element_and_stops_at_the_last) {
    app.press(Key::m);
    EXPECT_EQ(choice().y, (Cell{0, 0}));
    EXPECT_TRUE(choice().plays);
    EXPECT_TRUE(app.shell().busy());
    app.frames(2);
    EXPECT_EQ(lead(), "T1 of B1: 3 of 9 products are left, 6 have a zero input; y[0,0] = 30");
    EXPECT_EQ(result().links.focus, (ElementRef{ArrayId::y, {0, 0}}));
    app.frames(50);
    EXPECT_EQ(choice().y, (Cell{0, 1})) << "0.8 s each";
    app.frames(2 * 50);
    EXPECT_EQ(choice().y, (Cell{1, 0}));
    app.frames(2);
    EXPECT_TRUE(lead().starts_with("T1 of B2: ")) << "its own block row is taken apart: " << lead();
    app.frames(6 * 50);
    EXPECT_EQ(choice().y, (Cell{2, 2}));
    EXPECT_FALSE(choice().plays);
    app.frames(2);
    EXPECT_FALSE(app.shell().layout_moves());
    app.press(Key::m);
    EXPECT_EQ(choice().y, (Cell{0, 0})) << "from the beginning";
}

TEST_F(Playing, is_paused_where_it_is_and_goes_on_from_there) {
    app.click("multiply/play");
    app.frames(10);
    app.click("multiply/play");
    ASSERT_TRUE(choice().held);
    const double held = *choice().held;
    EXPECT_GT(held, 0.1);
    EXPECT_LT(held, 0.48);
    EXPECT_FALSE(choice().plays);
    app.frames(60);
    EXPECT_EQ(choice().held, held);
    EXPECT_EQ(choice().y, (Cell{0, 0}));
    EXPECT_FALSE(app.shell().layout_moves()) << "nothing is drawn that does not change";
    EXPECT_DOUBLE_EQ(result().multiplication.value().seconds, held);
    app.press(Key::m);
    app.frames(2);
    EXPECT_NEAR(result().multiplication.value().seconds, held, 0.1) << "not from its beginning";
    EXPECT_TRUE(app.shell().layout_moves());
}

TEST_F(Playing, is_walked_through_by_buttons_and_arrows_and_left_by_escape) {
    const std::string page = lead();
    app.click("multiply/forward");
    point_away();
    EXPECT_EQ(choice().y, (Cell{0, 0}));
    app.press(Key::right);
    EXPECT_EQ(choice().y, (Cell{0, 1}));
    app.press(Key::down);
    EXPECT_EQ(choice().y, (Cell{1, 1}));
    app.click("multiply/back");
    point_away();
    EXPECT_EQ(choice().y, (Cell{1, 0}));
    app.press(Key::left);
    EXPECT_EQ(choice().y, (Cell{0, 2})) << "row by row";
    app.press(Key::end);
    EXPECT_EQ(choice().y, (Cell{2, 2}));
    app.press(Key::right);
    EXPECT_EQ(choice().y, (Cell{2, 2}));
    app.press(Key::m);
    app.press(Key::right);
    EXPECT_FALSE(choice().plays) << "who walks does not play";
    ASSERT_TRUE(app.wait([&] { return !app.shell().layout_moves(); }));
    app.press(Key::escape);
    app.frames(2);
    EXPECT_FALSE(choice().y);
    EXPECT_EQ(lead(), page);
    app.press(Key::right);
    EXPECT_FALSE(choice().y) << "the arrows move what is pinned again";
    EXPECT_TRUE(pinned(app.session()));
}

TEST_F(Playing, ends_with_another_page_view_or_layer) {
    const auto play = [&] {
        app.press(Key::one);
        app.press(Key::one, true);
        app.frames(2);
        app.press(Key::m);
        app.frames(2);
        ASSERT_TRUE(choice().plays);
    };
    for (const Key page : {Key::two, Key::three, Key::four, Key::five, Key::six, Key::seven}) {
        play();
        app.press(page, true);
        app.frames(3);
        EXPECT_EQ(choice(), MultiplicationChoice{}) << static_cast<int>(page);
    }
    for (const Key view : {Key::two, Key::three, Key::five}) {
        play();
        app.press(view);
        app.frames(3);
        EXPECT_EQ(choice(), MultiplicationChoice{}) << static_cast<int>(view);
    }
    play();
    app.press(Key::w);
    app.frames(3);
    EXPECT_EQ(choice(), MultiplicationChoice{}) << "the whole layer";
    app.press(Key::w);
    play();
    app.type_into("workload/h", "6");
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.frames(3);
    EXPECT_EQ(choice(), MultiplicationChoice{}) << "y has another size";
    play();
    open("examples/cho-fig1");
    EXPECT_EQ(choice(), MultiplicationChoice{}) << "another layer";
}

TEST_F(Playing, leaves_nothing_in_the_session) {
    const SessionState before = state_of(app.session());
    app.press(Key::m);
    app.frames(70);
    EXPECT_TRUE(state_of(app.session()) == before);
    app.press(Key::z, true);
    EXPECT_TRUE(state_of(app.session()) == before) << "there is nothing to undo";
}

TEST_F(Playing, ends_with_a_click_which_pins) {
    app.press(Key::m);
    app.frames(5);
    app.click_at(last_cell_of("Input x"));
    EXPECT_EQ(pinned(app.session()), (ElementRef{ArrayId::x, {4, 4}}));
    EXPECT_FALSE(choice().y);
}

TEST_F(Playing, with_reduced_motion_shows_still_frames) {
    app.session().desktop_state.preferences.motion = Motion::reduced;
    app.press(Key::m);
    for (int i = 0; i < 40; ++i) {
        app.frames();
        EXPECT_FALSE(app.shell().layout_moves());
        EXPECT_TRUE(app.shell().busy()) << "the next one comes";
    }
    EXPECT_EQ(choice().y, (Cell{0, 0}));
    app.frames(15);
    EXPECT_EQ(choice().y, (Cell{0, 1}));
}

TEST_F(Playing, is_not_needed_to_see_what_is_pointed_at) {
    app.point_at(last_cell_of("Output y"));
    ASSERT_TRUE(result().multiplication);
    EXPECT_EQ(result().multiplication->y, (Cell{2, 2}));
    EXPECT_TRUE(app.shell().layout_moves());
    EXPECT_TRUE(lead().starts_with("T3 of B3: ")) << lead();
    app.frames(60);
    EXPECT_FALSE(app.shell().layout_moves()) << "it stays where it has come to";
    EXPECT_TRUE(result().multiplication);
    point_away();
    EXPECT_FALSE(result().multiplication);
    EXPECT_FALSE(choice().y);
}

TEST_F(Playing, is_on_every_page_of_one_map_that_has_y) {
    open("examples/xu-fig7");
    struct Page {
        Key key;
        const char* lead;
        Cell last;
    };
    for (const auto& [key, begin, last] : {Page{Key::one, "T1 of B1: ", {2, 2}}, Page{Key::two, "T1 of B1: ", {1, 1}},
                                           Page{Key::three, "y[0,0]: ", {2, 2}}, Page{Key::four, "y[0,0]: ", {1, 1}}}) {
        app.press(key, true);
        app.frames(3);
        ASSERT_TRUE(app.has("multiply/play")) << begin;
        app.press(Key::m);
        app.frames(3);
        ASSERT_TRUE(result().multiplication) << static_cast<int>(key);
        EXPECT_TRUE(lead().starts_with(begin)) << lead();
        app.press(Key::end);
        app.frames(2);
        EXPECT_EQ(choice().y, last) << static_cast<int>(key);
    }
    // MEC multiplies zeros; the others do not.
    app.press(Key::three, true);
    app.press(Key::m);
    app.frames(3);
    EXPECT_NE(lead().find(" products, "), std::string::npos) << lead();
    app.press(Key::six, true);
    app.frames(2);
    EXPECT_FALSE(app.has("multiply/play"));
}

TEST_F(Playing, of_a_step_that_hides_arrays_is_not_there) {
    app.session().lesson.requested_lesson = "02-ecr-by-hand";
    app.frames(3);
    for (int i = 0; i < 12 && app.session().lesson.hidden.empty(); ++i) {
        app.session().lesson.requested = LessonMove::next;
        app.frames(3);
    }
    ASSERT_FALSE(app.session().lesson.hidden.empty());
    ASSERT_EQ(app.session().view, ViewId("layout"));
    EXPECT_FALSE(app.has("multiply/play"));
    app.press(Key::m);
    app.frames(2);
    EXPECT_FALSE(choice().y);
    EXPECT_FALSE(result().multiplication);
}

TEST_F(Playing, of_real_layers_moves_the_window_alone) {
    open("vgg19/conv3_2");  // 56 x 56: no cell has a number
    app.press(Key::m);
    app.frames(20);
    ASSERT_TRUE(result().multiplication);
    EXPECT_TRUE(choice().plays);
    EXPECT_NE(lead().find(" of 9 products"), std::string::npos) << lead();
}

TEST_F(Playing, m_plays_the_products_of_solutions) {
    open("examples/cho-fig1");
    app.press(Key::five, true);
    app.frames(2);
    app.press(Key::m);
    app.frames();
    EXPECT_TRUE(app.session().plays_solution);
    app.press(Key::m);
    app.frames();
    EXPECT_FALSE(app.session().plays_solution);
    EXPECT_FALSE(choice().plays);
}

}  // namespace
}  // namespace convscope::app
