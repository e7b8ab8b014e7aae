// The Step view as a user uses it: events go in, the session, the replay and the picture are looked at.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "kernels/layers/preset.h"
#include "tests/app/ui/step_view/step_gui.h"

namespace convscope::app {
namespace {

TEST_F(StepGui, opens_on_the_first_step_of_the_worked_example) {
    ASSERT_TRUE(kernel());
    EXPECT_EQ(kernel()->plan.method.id, "ecr1");
    EXPECT_EQ(side().done, 1U);
    EXPECT_EQ(problem(), "");
}

TEST_F(StepGui, leads_with_the_latest_step_and_how_far_it_is) {
    open("examples/xu-fig4", "ecr1");
    const ItemRect lanes = app_.item("step/lane 0");
    const auto all = static_cast<float>(kernel()->trace.size());
    for (const unsigned step : {2U, 3U, 4U}) {
        app_.press(Key::right);
        app_.frames(2);
        ASSERT_EQ(side().done, step);
        const std::string sentence = app_.shell().step().column(0).sentence(side());
        EXPECT_NE(app_.words_on_screen().find(fmt::format("|Step|{}|of {}: {}", step, all, sentence)),
                  std::string::npos)
            << app_.words_on_screen();
        const auto width_of = [&](const char* part) { return app_.item(part).max.x - app_.item(part).min.x; };
        const float share = width_of("lead/share");
        EXPECT_NEAR(share / (share + width_of("lead/rest")), static_cast<float>(step) / all, 0.01F);
        EXPECT_EQ(app_.item("step/lane 0").min.y, lanes.min.y) << "the stage stays where it is";
    }
    pick("step/beside", "ecr2");
    EXPECT_FALSE(app_.has("lead")) << "each of two kernels has a sentence of its own";
}

TEST_F(StepGui, lanes_of_the_last_warp_that_have_no_thread_say_so) {
    open("examples/xu-fig4", "ecr1");
    EXPECT_NE(app_.words_on_screen().find("|no thread|"), std::string::npos);
    app_.point_at("step/lane 31");
    app_.frames(40);
    const std::vector<std::string> said = app_.tooltip();
    ASSERT_FALSE(said.empty());
    EXPECT_EQ(said[0], "no thread: the block has 3");
    const StepSide before = side();
    app_.click("step/lane 31");
    EXPECT_EQ(side(), before) << "there is none to follow";
}

TEST_F(StepGui, a_trace_of_gigabytes_is_made_once_it_is_agreed_to) {
    open("examples/xu-fig4", "ecr1");
    WorkloadSpec spec = find_preset("vgg19/conv1_2").spec;
    spec.shape.n = 8;
    set_workload(app_.session(), spec);
    choose_method(app_.session(), "ecr3");
    app_.frames(2);
    settle();
    EXPECT_TRUE(app_.has("step/agree")) << problem();
    EXPECT_FALSE(kernel()) << "what was traced before is another method's";
    open("examples/xu-fig4", "ecr2");
    EXPECT_FALSE(app_.has("step/agree"));
}

TEST_F(StepGui, what_cannot_be_traced_dims_the_stage_and_leads_to_a_slice) {
    set_workload(app_.session(), find_preset("vgg19/conv5_1").spec);
    choose_method(app_.session(), "ecr3");
    app_.frames(2);
    settle();
    EXPECT_NE(problem().find("too many to trace"), std::string::npos) << problem();
    EXPECT_FALSE(kernel()) << "what is on the stage is another layer's";
    ASSERT_TRUE(app_.has("step/shade"));
    const StepSide before = side();
    app_.press(Key::right);
    app_.click_at(app_.item("step/lane 0").centre());
    EXPECT_EQ(side(), before) << "nothing on it is stepped or picked";
    app_.keep_image("step-dimmed");

    app_.click("step/trace slice");
    settle();
    ASSERT_TRUE(kernel()) << problem();
    EXPECT_FALSE(app_.has("step/shade"));
    EXPECT_EQ(kernel()->plan.launch().kernel, "ecr3_multiply");
    EXPECT_EQ(kernel()->workload.name, "slice of vgg19/conv5_1");
    EXPECT_EQ(kernel()->workload.shape.c, 4);
    EXPECT_EQ(kernel()->workload.shape.k, 1);
    EXPECT_TRUE(app_.has("step/slice"));
    EXPECT_EQ(app_.session().good.name, "vgg19/conv5_1") << "the layer stays";
    app_.keep_image("step-slice");
    app_.press(Key::right);
    EXPECT_EQ(side().done, 2U);
    pick("step/kernel", "ecr3_convert");
    ASSERT_TRUE(kernel()) << problem();
    EXPECT_EQ(kernel()->plan.launch().kernel, "ecr3_convert") << "of the slice, too";
    EXPECT_EQ(kernel()->workload.shape.c, 4);
    app_.click("step/whole layer");
    settle();
    ASSERT_TRUE(kernel()) << problem();
    EXPECT_EQ(kernel()->workload.shape.c, 512) << "this kernel's block can be traced whole";
    EXPECT_FALSE(app_.has("step/slice"));
}

TEST_F(StepGui, the_same_method_on_a_layer_that_it_does_not_take_is_not_shown_with_the_layer_before) {
    open("examples/xu-fig4", "ecr1");
    set_workload(app_.session(), find_preset("vgg19/conv5_1").spec);
    app_.frames(2);
    settle();
    EXPECT_NE(problem().find("ecr1 takes one channel"), std::string::npos) << problem();
    EXPECT_FALSE(kernel());
    app_.click("step/trace slice");
    settle();
    ASSERT_TRUE(kernel()) << problem();
    EXPECT_EQ(kernel()->workload.shape.c, 1) << "of four channels it takes none";
}

TEST_F(StepGui, a_slice_of_a_layer_of_vgg_is_stepped_through_by_every_method) {
    WorkloadSpec pooled = find_preset("vgg19/conv5_1").spec;
    pooled.name = "custom";
    pooled.shape.pool_h = pooled.shape.pool_w = pooled.shape.pool_stride = 2;
    for (const Method* method : app_.shell().step().traceable().methods(DeviceKind::sim)) {
        const std::string& id = method->info().id;
        SCOPED_TRACE(id);
        // Algorithms as printed take what their paper says, which is no layer of VGG.
        if (method->info().as_printed) continue;
        // No more do those of fully connected layers.
        if (!method->supports(find_preset("vgg19/conv5_1").spec.shape) && !method->supports(pooled.shape)) continue;
        set_workload(app_.session(), find_preset("vgg19/conv5_1").spec);
        choose_method(app_.session(), id);
        step_through_slice(app_.session(), true);
        app_.frames(2);
        settle();
        if (!kernel() && problem().find("pooling") != std::string::npos) {
            set_workload(app_.session(), pooled);
            step_through_slice(app_.session(), true);
            app_.frames(2);
            settle();
        }
        ASSERT_TRUE(kernel()) << problem();
        EXPECT_EQ(kernel()->plan.method.id, id);
        EXPECT_EQ(kernel()->workload.shape.k, 1);
    }
}

TEST_F(StepGui, a_trace_that_waits_for_its_layer_is_under_way) {
    ASSERT_FALSE(app_.shell().step().tracing());
    set_workload(app_.session(), find_preset("vgg19/conv1_2").spec);
    app_.frames(1);
    EXPECT_TRUE(app_.shell().step().tracing());
    app_.press(Key::one);  // who does not look at it waits for nothing
    EXPECT_FALSE(app_.shell().step().tracing());
}

TEST_F(StepGui, arrows_are_an_open_lists) {
    const std::size_t done = side().done;
    app_.click("step/beside");
    app_.frames(2);
    app_.press(Key::down);
    app_.press(Key::right);
    EXPECT_FALSE(app_.session().line.at);
    EXPECT_EQ(side().done, done);
}

TEST_F(StepGui, a_block_and_a_thread_are_picked_by_a_click) {
    app_.click("step/block 1");
    settle();
    EXPECT_EQ(side().block, (Dim3{1, 0, 0}));
    EXPECT_EQ(kernel()->trace.trace().block, (Dim3{1, 0, 0}));
    app_.click("step/thread 2");
    EXPECT_EQ(side().thread, 2U);
    app_.click("step/lane 0");
    EXPECT_EQ(side().thread, 0U);
}

TEST_F(StepGui, twenty_steps_on_and_twenty_back_land_on_the_same_state_and_picture) {
    app_.press(Key::home);
    for (int i = 0; i < 8; ++i) app_.press(Key::right);
    const simt::ReplayState before = state();
    const gl::Image picture = app_.picture();
    for (int i = 0; i < 20; ++i) app_.press(Key::right);
    EXPECT_EQ(side().done, 28U);
    EXPECT_FALSE(state() == before);
    EXPECT_NE(app_.picture().rgba, picture.rgba);
    for (int i = 0; i < 20; ++i) app_.press(Key::left);
    EXPECT_EQ(side().done, 8U);
    EXPECT_TRUE(state() == before);
    EXPECT_EQ(app_.picture().rgba, picture.rgba);
}

TEST_F(StepGui, space_plays_and_pauses_and_measures_nothing) {
    app_.session().step.speed = 60;
    app_.press(Key::space);
    EXPECT_TRUE(app_.session().plays_steps);
    EXPECT_TRUE(app_.shell().busy());
    app_.frames(10);
    EXPECT_GT(side().done, 5U);
    app_.click("step/play");
    EXPECT_FALSE(app_.session().plays_steps);
    const std::size_t paused = side().done;
    app_.frames(10);
    EXPECT_EQ(side().done, paused);
    EXPECT_FALSE(app_.shell().live().wanted());
}

TEST_F(StepGui, the_bar_is_scrubbed_by_the_mouse) {
    const ItemRect scale = app_.item("step/scrub");
    app_.drag({scale.min.x + 5, scale.centre().y}, {scale.max.x - 1, scale.centre().y});
    EXPECT_EQ(side().done, kernel()->trace.size());
    app_.drag({scale.max.x - 5, scale.centre().y}, {scale.min.x - 30, scale.centre().y});
    EXPECT_EQ(side().done, 0U);
}

TEST_F(StepGui, barriers_are_reached_by_keys_and_buttons) {
    open("examples/xu-fig7", "pecr2");
    const simt::Replay& replay = kernel()->trace.replay();
    const std::size_t first = replay.next_barrier(1), second = replay.next_barrier(first);
    ASSERT_LT(second, replay.size());
    app_.press(Key::right, true);
    EXPECT_EQ(side().done, first);
    app_.press(Key::right, false, true);
    EXPECT_EQ(side().done, second);
    app_.press(Key::left, true);
    EXPECT_EQ(side().done, first);
    app_.click("step/next barrier");
    EXPECT_EQ(side().done, second);
    app_.press(Key::end);
    EXPECT_EQ(side().done, replay.size());
    app_.click("step/first");
    EXPECT_EQ(side().done, 0U);
}

TEST_F(StepGui, a_method_is_chosen_above_and_its_kernel_beside_it) {
    open("xu2022/lenet-conv2", "ecr3");
    ASSERT_TRUE(app_.has("step/kernel"));
    pick("step/kernel", "ecr3_convert");
    EXPECT_EQ(kernel()->plan.launch().kernel, "ecr3_convert");
    pick("step/method", "im2col");
    EXPECT_EQ(kernel()->plan.launch().kernel, "im2col_lower");
    EXPECT_EQ(problem(), "");
}

TEST_F(StepGui, two_kernels_stand_side_by_side_and_step_together) {
    pick("step/beside", "ecr2");
    ASSERT_TRUE(kernel(1));
    EXPECT_EQ(kernel(1)->plan.method.id, "ecr2");
    app_.press(Key::home);
    for (int i = 0; i < 5; ++i) app_.press(Key::right);
    EXPECT_EQ(side(0).done, 5U);
    EXPECT_EQ(side(1).done, 5U);
    app_.click("beside/thread 4");
    EXPECT_EQ(side(1).thread, 4U);
    EXPECT_EQ(side(0).thread, 0U);
    pick("step/beside", "none");
    EXPECT_FALSE(app_.has("beside/threads"));
}

TEST_F(StepGui, the_launch_panel_sets_the_block_of_threads) {
    app_.type_into("launch/block_x", "2");
    settle();
    EXPECT_EQ(kernel()->plan.launch().block.x, 2);
    EXPECT_TRUE(app_.has("step/block 5"));  // three rows of two tiles
}

TEST_F(StepGui, a_block_outside_the_grid_is_rejected_and_dims_the_picture) {
    app_.click("step/block 2");
    settle();
    const ItemRect lane = app_.item("step/lane 0");
    app_.type_into("workload/h", "4");  // two block rows are left
    settle();
    EXPECT_NE(problem().find("block 2,0,0 is outside the grid of ecr1, which is 2x1x1"), std::string::npos)
        << problem();
    EXPECT_FALSE(kernel());
    EXPECT_TRUE(app_.has("step/shade"));
    EXPECT_EQ(app_.item("step/lane 0").min.x, lane.min.x);
    app_.click("step/block 1");
    settle();
    EXPECT_EQ(problem(), "");
    EXPECT_EQ(kernel()->workload.shape.h, 4);
}

TEST_F(StepGui, a_method_without_a_kernel_of_ours_is_rejected) {
    choose_method(app_.session(), "onednn");
    app_.frames(3);
    EXPECT_NE(problem().find("onednn"), std::string::npos) << problem();
    EXPECT_FALSE(kernel()) << "of another method";
    pick("step/method", "ecr1");
    EXPECT_EQ(problem(), "");
}

TEST_F(StepGui, a_race_is_shown_with_its_sentence_and_the_run_ends_there) {
    open("examples/xu-fig7", "pecr0");
    ASSERT_TRUE(kernel()->trace.finding());
    app_.press(Key::end);
    EXPECT_TRUE(kernel()->trace.stopped_at(side().done));
}

class StepGuiInSmall : public StepGui {
protected:
    StepGuiInSmall() : StepGui(800, 480) {}
};

class StepGuiOnLaptop : public StepGui {
protected:
    StepGuiOnLaptop() : StepGui(1280, 720) {}
};

TEST_F(StepGuiOnLaptop, two_kernels_have_the_room_and_the_arrays_whose_numbers_are_legible) {
    open("examples/xu-fig4", "ecr1");
    ASSERT_TRUE(app_.has("workload/h"));
    pick("step/beside", "ecr2");
    EXPECT_FALSE(app_.has("workload/h")) << "the panels on the left fold";
    const std::string left_out = "|Not shown: ";
    for (int i = 0; i < 30; ++i) {
        app_.press(Key::right);
        app_.frames(2);
        const std::string words = app_.words_on_screen();
        const std::size_t from = words.find(left_out);
        ASSERT_NE(from, std::string::npos) << words;
        const std::string names =
            words.substr(from + left_out.size(), words.find('|', from + 1) - from - left_out.size());
        const int array = kernel(1)->trace.replay().at(side(1).done - 1).array;
        if (array < 0) continue;
        const std::string name = kernel(1)->trace.arrays()[static_cast<std::size_t>(array)].facts.name;
        EXPECT_EQ((", " + names + ",").find(", " + name + ","), std::string::npos) << "the step is about it";
        EXPECT_NE(words.find("|" + name + "|"), std::string::npos) << words;
        if (name != "rows") continue;
        EXPECT_EQ((", " + names + ",").find(", kernel,"), std::string::npos) << "it has room, if larger ones have none";
        EXPECT_EQ((", " + names + ",").find(", F_data,"), std::string::npos) << names;
    }
    pick("step/beside", "none");
    EXPECT_TRUE(app_.has("workload/h"));
    EXPECT_EQ(app_.words_on_screen().find(left_out), std::string::npos) << "one kernel has all of its arrays";
}

TEST_F(StepGuiInSmall, arrays_that_do_not_fit_are_scrolled) {
    open("examples/xu-fig4", "ecr2");
    float hidden = 0;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && std::string(window->Name).find("/arrays_") != std::string::npos)
            hidden = window->ScrollMax.y;
    EXPECT_GT(hidden, 0);
}

TEST_F(StepGui, what_a_cell_holds_is_said_clear_of_its_array) {
    open("examples/xu-fig4", "ecr1");
    const ItemRect edge = app_.item("step/splitter");
    const ImGuiWindow* words = nullptr;
    ImVec2 at{edge.max.x + 80, edge.min.y};
    for (; at.y < edge.max.y && !(words && words->Active); at.y += 4) {
        app_.point_at(at);
        words = ImGui::FindWindowByName("##Tooltip_00");
    }
    ASSERT_TRUE(words && words->Active) << "of a cell in the first row of x";
    app_.frames(2);
    constexpr float other_rows = 4 * 14;  // at least
    EXPECT_GT(words->Pos.y, at.y + other_rows);
}

TEST_F(StepGui, the_palette_finds_the_steps_and_shows_the_view) {
    app_.press(Key::one);
    app_.press(Key::k, true);
    app_.frames(2);
    app_.type_into("palette/search", "last step");
    app_.frames(2);
    EXPECT_EQ(app_.session().view, ViewId("step"));
    EXPECT_EQ(side().done, kernel()->trace.size());
}

TEST_F(StepGui, a_large_layer_is_stepped_through) {
    set_workload(app_.session(), find_preset("vgg19/conv5_1").spec);
    choose_method(app_.session(), "ecr3");
    side().kernel = "ecr3_convert";
    app_.frames(2);
    settle();
    ASSERT_TRUE(kernel());
    EXPECT_EQ(kernel()->plan.launch().kernel, "ecr3_convert") << problem();
    app_.press(Key::right);
    EXPECT_EQ(side().done, 2U);
}

TEST(StepWindow, survives_200_by_200) {
    Driver small(200, 200);
    small.press(Key::two);
    small.frames(3);
    EXPECT_EQ(small.session().view, ViewId("step"));
}

TEST_F(StepGui, a_speed_that_was_picked_stays_whatever_the_motion) {
    for (const auto& [motion, name, speed] :
         {std::tuple{Motion::full, "1 steps/s", 1.0}, {Motion::reduced, "4 steps/s", 4.0}}) {
        app_.session().desktop_state.preferences.motion = motion;
        app_.choose("step/speed", std::string("step/speed/") + name);
        app_.frames(3);
        EXPECT_EQ(app_.session().step.speed, speed);
        EXPECT_NE(app_.words_on_screen().find(name), std::string::npos);
    }
    app_.session().step.speed = 0;
    app_.frames(2);
    EXPECT_NE(app_.words_on_screen().find("1 steps/s"), std::string::npos);
}

}  // namespace
}  // namespace convscope::app
