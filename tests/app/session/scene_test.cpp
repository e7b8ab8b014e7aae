// Scenes: kept, gone through, renamed, moved and deleted.
#include "app/session/scene.h"

#include <gtest/gtest.h>

#include "app/session/file/history.h"
#include "app/session/file/undo_label.h"
#include "app/session/session.h"
#include "kernels/layers/preset.h"
#include "kernels/method/registry.h"

namespace convscope::app {
namespace {

class Scenes : public ::testing::Test {
protected:
    /// Keeps three: the layout, the tenth step, the roofline.
    Scenes() : registry_(make_registry()), session_(make_session(*registry_)) {
        keep_scene(session_, "the arrays");
        session_.view = "step";
        session_.step.sides[0].done = 10;
        keep_scene(session_, "the steps");
        session_.view = "compare";
        session_.compare.page = "roofline";
        keep_scene(session_, "");
    }
    std::vector<std::string> labels() const {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < session_.scenes.size(); ++i) all.push_back(scene_label(session_, i));
        return all;
    }
    std::string change(void (*act)(Session&)) {
        const SessionState before = state_of(session_);
        act(session_);
        return undo_label(before, state_of(session_));
    }

    std::unique_ptr<Registry> registry_;
    Session session_;
};

TEST_F(Scenes, are_named_by_their_title_or_by_their_view) {
    EXPECT_EQ(labels(), (std::vector<std::string>{"1 the arrays", "2 the steps", "3 Compare"}));
}

TEST_F(Scenes, are_gone_through_to_either_end) {
    step_scene(session_, 1);
    EXPECT_EQ(session_.scene, 2U) << "the last stays";
    step_scene(session_, -1);
    EXPECT_EQ(session_.view, ViewId("step"));
    EXPECT_EQ(session_.step.sides[0].done, 10U);
    step_scene(session_, -1);
    step_scene(session_, -1);
    EXPECT_EQ(session_.scene, 0U);
    EXPECT_EQ(session_.view, ViewId("layout"));
    session_.scene.reset();
    step_scene(session_, -1);
    EXPECT_EQ(session_.scene, 2U);
    EXPECT_EQ(session_.compare.page, ComparePage("roofline"));
    session_.scene.reset();
    step_scene(session_, 1);
    EXPECT_EQ(session_.scene, 0U);
}

TEST_F(Scenes, bring_back_the_layer_and_keep_the_list) {
    set_workload(session_, find_preset("examples/xu-fig7").spec);
    show_scene(session_, 0);
    EXPECT_EQ(session_.good.name, "examples/xu-fig4");
    EXPECT_EQ(session_.scenes.size(), 3U);
    EXPECT_TRUE(is_as_kept(session_));
    session_.tab = "pecr";
    EXPECT_FALSE(is_as_kept(session_));
}

TEST_F(Scenes, stand_behind_the_one_that_is_shown) {
    show_scene(session_, 0);
    keep_scene(session_, "again");
    EXPECT_EQ(labels()[1], "2 again");
    EXPECT_EQ(session_.scene, 1U);
}

TEST_F(Scenes, are_changed_and_the_change_is_named) {
    show_scene(session_, 1);
    EXPECT_EQ(change([](Session& s) { rename_scene(s, "ten"); }), "scene the steps -> ten");
    EXPECT_EQ(change([](Session& s) { move_scene(s, -1); }), "the order of the scenes");
    EXPECT_EQ(session_.scene, 0U);
    EXPECT_EQ(change([](Session& s) { move_scene(s, -1); }), "") << "it is the first";
    session_.step.sides[0].done = 20;
    EXPECT_EQ(change(keep_scene_again), "keep scene ten again");
    EXPECT_EQ(session_.scenes.all()[0].state.step.sides[0].done, 20U);
    EXPECT_EQ(change(delete_scene), "delete scene ten");
    EXPECT_EQ(labels(), (std::vector<std::string>{"1 the arrays", "2 Compare"}));
    EXPECT_EQ(change([](Session& s) { keep_scene(s, "new"); }), "keep scene new");
}

TEST_F(Scenes, go_on_behind_one_that_was_deleted) {
    show_scene(session_, 1);
    delete_scene(session_);
    step_scene(session_, 1);
    EXPECT_EQ(session_.view, ViewId("compare"));
    show_scene(session_, 0);
    delete_scene(session_);
    step_scene(session_, 1);
    EXPECT_EQ(session_.view, ViewId("compare"));
    delete_scene(session_);
    EXPECT_TRUE(session_.scenes.empty());
    EXPECT_FALSE(why_no_scene(session_).empty());
    step_scene(session_, 1);
    delete_scene(session_);
    EXPECT_EQ(session_.view, ViewId("compare")) << "and nothing changes where there is none";
}

TEST_F(Scenes, that_undo_brings_back_are_the_shown_ones_where_they_are_on_screen) {
    History history;
    history.observe(session_, false);
    const auto act = [&](auto step) {
        history.note_input();
        step(session_);
        history.observe(session_, false);
    };
    act([](Session& session) { show_scene(session, 1); });
    act(delete_scene);
    EXPECT_EQ(session_.scene, 0U);
    ASSERT_TRUE(history.undo(session_));
    EXPECT_EQ(labels(), (std::vector<std::string>{"1 the arrays", "2 the steps", "3 Compare"}));
    EXPECT_EQ(session_.scene, 1U) << "its steps are on screen";
    act([](Session& session) { move_scene(session, 1); });
    EXPECT_EQ(session_.scene, 2U);
    ASSERT_TRUE(history.undo(session_));
    EXPECT_EQ(session_.scene, 1U);
}

TEST_F(Scenes, are_as_many_as_a_file_takes_and_none_of_a_lesson) {
    session_.lesson.open = "any";
    EXPECT_FALSE(why_no_new_scene(session_).empty());
    keep_scene(session_, "of a lesson");
    EXPECT_EQ(session_.scenes.size(), 3U);
    session_.lesson.open.clear();
    while (why_no_new_scene(session_).empty()) keep_scene(session_, "more");
    EXPECT_EQ(session_.scenes.size(), max_scenes);
    // 199 letters of one byte and one of two: it would be cut in its middle.
    rename_scene(session_, std::string(max_title_bytes - 1, 'x') + "\xC3\xB6");
    EXPECT_EQ(session_.scenes.all()[*session_.scene].title, std::string(max_title_bytes - 1, 'x'));
}

}  // namespace
}  // namespace convscope::app
