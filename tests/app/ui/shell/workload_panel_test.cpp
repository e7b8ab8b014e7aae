// The panel that says which layer: what is typed, dragged and chosen there.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "tests/app/driver.h"

namespace convscope::app {
namespace {

TEST(WorkloadPanel, a_typed_size_is_built_and_shown) {
    Driver app;
    app.type_into("workload/h", "9");
    EXPECT_EQ(app.session().good.shape.h, 9);
    EXPECT_EQ(app.session().good.name, "custom");
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->map_shape.h == 9; }));
}

TEST(WorkloadPanel, what_is_typed_takes_effect_once_it_is_done) {
    Driver app;
    const auto before = app.shell().builder().latest();
    app.click("workload/n");
    app.press(Key::a, true);
    for (const char digit : std::string("99999999999")) {
        app.type({digit});
        EXPECT_EQ(app.session().choices.workload.shape.n, 1) << "on the way to a number";
        EXPECT_TRUE(app.session().rejection.empty()) << app.session().rejection;
        EXPECT_FALSE(app.shell().builder().busy());
    }
    app.press(Key::enter);
    EXPECT_EQ(app.session().choices.workload.shape.n, 99'999'999'999);
    EXPECT_TRUE(is_rejected(app.session(), &ConvShape::n)) << app.session().rejection;
    EXPECT_EQ(app.shell().builder().latest(), before);
    app.type_into("workload/n", "1");
    EXPECT_TRUE(app.session().rejection.empty()) << app.session().rejection;
}

TEST(WorkloadPanel, what_is_typed_is_taken_by_tab_and_by_the_next_click_and_left_by_escape) {
    Driver app;
    const auto type_into = [&app](const char* field, const char* text) {
        app.click(field);
        app.press(Key::a, true);
        app.type(text);
    };
    type_into("workload/h", "9");
    app.press(Key::tab);
    EXPECT_EQ(app.session().good.shape.h, 9);
    type_into("workload/w", "8");
    app.click("workload/k");
    EXPECT_EQ(app.session().good.shape.w, 8) << "by a field that is drawn later";
    app.press(Key::escape);
    type_into("workload/w", "7");
    app.click("workload/c");
    EXPECT_EQ(app.session().good.shape.w, 7) << "by a field that is drawn earlier";
    app.press(Key::escape);
    type_into("workload/w", "6");
    app.press(Key::escape);
    EXPECT_EQ(app.session().choices.workload.shape.w, 7);
}

TEST(WorkloadPanel, a_number_beyond_its_limits_says_them_beside_the_field_and_becomes_the_nearest) {
    Driver app;
    app.type_into("workload/c", "4");
    ASSERT_TRUE(app.wait([&] { return app.has("map/channel"); }));
    app.click("map/channel");
    app.press(Key::a, true);
    app.type("12");
    EXPECT_TRUE(app.has("map/channel/limits"));
    EXPECT_EQ(app.session().choices.selection.channel, 0);
    app.press(Key::enter);
    app.frames(2);
    EXPECT_EQ(app.session().choices.selection.channel, 3);
    EXPECT_FALSE(app.has("map/channel/limits"));
}

TEST(WorkloadPanel, dilation_and_groups_wait_behind_a_button_until_they_are_used) {
    Driver app;
    EXPECT_FALSE(app.has("workload/dilation_h"));
    app.click("workload/more");
    app.frames(2);
    app.type_into("workload/dilation_h", "2");
    EXPECT_EQ(app.session().good.shape.dilation_h, 2);
    EXPECT_EQ(app.session().good.shape.p(), 1);
    EXPECT_FALSE(app.has("workload/more")) << "a field in use is not hidden";
    app.type_into("workload/groups", "2");
    EXPECT_EQ(app.session().rejection, "groups is 2; it must divide the 1 channels and the 1 filters");
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->map_shape.dilation_h == 2; }));
}

TEST(WorkloadPanel, padding_may_differ_by_side) {
    Driver app;
    EXPECT_FALSE(app.has("workload/pad_bottom"));
    app.click("workload/more");
    app.frames(2);
    app.type_into("workload/pad_bottom", "2");
    EXPECT_EQ(to_string(app.session().good.shape), "1x1x5x5 * 1x1x3x3, stride 1, pad 0,2,0,0");
    app.type_into("workload/pad_h", "1");
    EXPECT_EQ(to_string(app.session().good.shape), "1x1x5x5 * 1x1x3x3, stride 1, pad 1,3,0,0") << "below as many more";
    app.type_into("workload/pad_right", "1");
    app.type_into("workload/pad_bottom", "0");
    EXPECT_EQ(to_string(app.session().good.shape), "1x1x5x5 * 1x1x3x3, stride 1, pad 1,0,0,1");
    EXPECT_FALSE(app.has("workload/more")) << "a field in use is not hidden";
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->map_shape.pad_extra_w == 1; }));
    app.click("workload/pad_same");
    app.frames(2);
    EXPECT_EQ(to_string(app.session().good.shape), "1x1x5x5 * 1x1x3x3, stride 1, pad 1");
    app.type_into("workload/r", "2");
    app.click("workload/pad_same");
    app.frames(2);
    EXPECT_EQ(to_string(app.session().good.shape), "1x1x5x5 * 1x1x2x3, stride 1, pad 0,1,1,1");
    EXPECT_TRUE(app.session().rejection.empty()) << app.session().rejection;
}

TEST(WorkloadPanel, a_grouped_layer_shows_a_channel_with_the_filters_of_its_group) {
    Driver app;
    WorkloadSpec spec;
    spec.name = "custom";
    spec.shape = {.c = 4, .h = 6, .w = 6, .k = 8, .r = 3, .s = 3, .groups = 2};
    set_workload(app.session(), spec);
    app.session().choices.selection = {0, 3, 0};
    ASSERT_TRUE(app.wait([&] {
        const auto latest = app.shell().builder().latest();
        return latest->workload->spec.shape.groups == 2 && latest->selection.channel == 3;
    }));
    const auto latest = app.shell().builder().latest();
    EXPECT_EQ(latest->selection.filter, 4) << "filters 0 to 3 see channels 0 and 1 only";
    EXPECT_EQ(latest->group_index, 1);
    EXPECT_EQ(latest->group->spec.shape, one_group(spec.shape));
    EXPECT_EQ(latest->w, std::vector<float>(latest->workload->w.data.begin() + (4 * 2 + 1) * 9,
                                            latest->workload->w.data.begin() + (4 * 2 + 2) * 9));
    app.session().layer.whole = true;
    app.frames(2);
    ASSERT_TRUE(app.wait([&] {
        const LayerScene* scene = app.shell().layouts().layer().scene();
        return scene && scene->complete();
    }));
    EXPECT_EQ(app.shell().layouts().layer().scene()->spec().cols, 2 * 9) << "of the group's two channels";
}

TEST(WorkloadPanel, a_layer_that_waits_to_be_built_dims_the_view_of_the_one_before) {
    Driver app;
    app.type_into("workload/h", "20000");
    app.type_into("workload/w", "20000");
    ASSERT_TRUE(app.session().needs_consent) << app.session().rejection;
    app.frames(2);
    EXPECT_TRUE(app.has("layer/shade"));
    EXPECT_TRUE(app.has("builder/agree"));
    app.keep_image("waits");
    app.session().pinned = {};
    app.point_at(ImVec2{(app.item("layer/shade").min.x + 400), app.item("layer/shade").min.y + 250});
    EXPECT_FALSE(app.shell().layouts().result().pointed) << "it is another layer's";
    app.type_into("workload/w", "5");
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.frames(2);
    EXPECT_FALSE(app.has("layer/shade"));
}

TEST(WorkloadPanel, an_impossible_size_says_why_and_leaves_the_last_picture) {
    Driver app;
    const auto before = app.shell().builder().latest();
    app.type_into("workload/r", "9");
    EXPECT_EQ(app.session().choices.workload.shape.r, 9);
    EXPECT_NE(app.session().rejection.find("9x3 filter"), std::string::npos) << app.session().rejection;
    EXPECT_TRUE(is_rejected(app.session(), &ConvShape::r));
    EXPECT_FALSE(is_rejected(app.session(), &ConvShape::s));
    EXPECT_EQ(app.shell().builder().latest(), before);
    app.type_into("workload/r", "2");
    EXPECT_TRUE(app.session().rejection.empty());
    EXPECT_EQ(app.session().good.shape.r, 2);
}

TEST(WorkloadPanel, a_layer_of_gigabytes_is_built_once_it_is_agreed_to) {
    Driver app;
    set_workload(app.session(), find_preset("vgg19/conv5_1").spec);
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->spec.shape.c == 512; }));
    const auto before = app.shell().builder().latest();
    app.type_into("workload/h", "99999");
    app.frames(3);
    EXPECT_TRUE(app.has("workload/agree")) << app.session().rejection;
    EXPECT_FALSE(app.shell().builder().busy());
    EXPECT_EQ(app.shell().builder().latest(), before);
    app.press(Key::z, true);
    EXPECT_TRUE(app.session().rejection.empty());
    EXPECT_EQ(app.session().choices.workload.shape, before->workload->spec.shape);
    app.frames(2);
    EXPECT_FALSE(app.has("workload/agree"));
}

TEST(WorkloadPanel, the_note_that_a_layer_is_being_built_covers_nothing) {
    Driver app;
    settle_factor = 1;  // it is drawn while the layer is being built
    WorkloadSpec spec;
    spec.name = "custom";
    spec.shape = {.c = 64, .h = 1000, .w = 1000, .k = 1, .r = 3, .s = 3};
    set_workload(app.session(), spec);
    ASSERT_TRUE(app.wait([&] { return app.has("builder/cancel"); }));
    const ImGuiWindow& layouts = *ImGui::FindWindowByName("layout");
    const ItemRect cancel = app.item("builder/cancel");
    EXPECT_GE(cancel.min.y, layouts.Pos.y + layouts.Size.y);
    EXPECT_LE(cancel.max.y, app.item("live/methods").min.y);
    app.click("builder/cancel");
    ASSERT_TRUE(app.wait([&] { return !app.session().rejection.empty(); }));
    EXPECT_NE(app.session().rejection.find("cancelled"), std::string::npos) << app.session().rejection;
}

TEST(WorkloadPanel, the_note_that_a_layer_is_being_built_takes_no_keys_from_a_field) {
    Driver app;
    app.press(Key::k, true);
    app.type("vgg");
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    settle_factor = 1;
    WorkloadSpec spec;
    spec.name = "custom";
    spec.shape = {.c = 64, .h = 1000, .w = 1000, .k = 1, .r = 3, .s = 3};
    set_workload(app.session(), spec);
    ASSERT_TRUE(app.wait([&] { return app.has("builder/cancel"); }));
    app.frames(2);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
}

TEST(WorkloadPanel, what_only_building_finds_out_is_rejected_like_the_rest) {
    Driver app;
    const auto before = app.shell().builder().latest();
    app.press(Key::escape);  // what follows is the user's doing
    app.session().choices.workload.source = Source::file;
    app.session().choices.workload.input_path = "/nonexistent/x.npy";
    edit_workload(app.session());
    ASSERT_TRUE(app.wait([&] { return !app.session().rejection.empty(); }));
    EXPECT_NE(app.session().rejection.find("/nonexistent/x.npy"), std::string::npos) << app.session().rejection;
    EXPECT_EQ(app.shell().builder().latest(), before);
    EXPECT_EQ(app.session().good.name, "examples/xu-fig4");
    app.press(Key::z, true);
    EXPECT_TRUE(app.session().rejection.empty());
    EXPECT_EQ(app.session().choices.workload.name, "examples/xu-fig4");
}

TEST(WorkloadPanel, the_wheel_and_the_arrow_keys_step_a_field_within_its_limits) {
    Driver app;
    app.wheel("workload/stride_h", 1);
    EXPECT_EQ(app.session().good.shape.stride_h, 2);
    app.wheel("workload/stride_h", -1);
    app.wheel("workload/stride_h", -1);
    EXPECT_EQ(app.session().good.shape.stride_h, 1);
    app.press(Key::up);
    EXPECT_EQ(app.session().good.shape.stride_h, 2);
}

TEST(WorkloadPanel, dragging_the_sparsity_draws_new_data) {
    Driver app;
    set_workload(app.session(), find_preset("vgg19/conv5_1").spec);
    app.frames(3);
    const ItemRect slider = app.item("workload/sparsity");
    const float y = slider.centre().y;
    app.drag({slider.min.x + 20, y}, {slider.max.x - 2, y});
    EXPECT_NEAR(app.session().good.sparsity, 1.0, 0.03);
    EXPECT_EQ(app.session().good.source, Source::uniform);
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->map_sparsity > 0.9; }));
}

/// Types into a slider that the keyboard has come to.
void type_share(Driver& app, const char* slider, const char* text) {
    app.session().desktop_state.focus_requested = slider;
    app.frames(2);
    app.press(Key::enter);
    app.type(text);
    app.press(Key::enter);
}

TEST(WorkloadPanel, zeros_are_typed_in_percent_or_as_files_have_them) {
    Driver app;
    app.type_into("workload/h", "9");
    for (const char* typed : {"85", "0.85"}) {
        app.session().choices.workload.sparsity = 0;
        type_share(app, "workload/sparsity", typed);
        EXPECT_NEAR(app.session().good.sparsity, 0.85, 1e-6) << typed;
    }
}

TEST(WorkloadPanel, zeros_in_the_weights_wait_behind_a_button_until_they_are_requested) {
    Driver app;
    EXPECT_FALSE(app.has("workload/weight_sparsity"));
    app.click("workload/more");
    app.frames(2);
    type_share(app, "workload/weight_sparsity", "100");
    EXPECT_EQ(app.session().good.weight_sparsity, 1);
    EXPECT_EQ(app.session().good.source, Source::example) << "x stays as it is";
    EXPECT_FALSE(app.has("workload/more")) << "a field in use is not hidden";
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->weight_sparsity_measured == 1; }));
    EXPECT_EQ(app.shell().builder().latest()->w, std::vector<float>(9, 0.0F)) << "the filter is drawn with its zeros";
    app.keep_image("weight-zeros");
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.weight_sparsity, 0);
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->weight_sparsity_measured < 1; }));
    EXPECT_EQ(app.session().good.name, "examples/xu-fig4");
}

TEST(WorkloadPanel, the_pattern_2_4_has_a_share_of_its_own) {
    Driver app;
    app.type_into("workload/c", "8");
    app.click("workload/more");
    app.frames(2);
    app.choose("workload/weight_pattern", "workload/weight_pattern/2:4");
    app.frames(2);
    EXPECT_EQ(app.session().good.weight_pattern, WeightPattern::two_of_four);
    EXPECT_EQ(app.session().good.weight_sparsity, 0.5);
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->weight_sparsity_measured == 0.5; }));
    const ItemRect slider = app.item("workload/weight_sparsity");
    app.drag({slider.min.x + 20, slider.centre().y}, {slider.max.x - 2, slider.centre().y});
    EXPECT_EQ(app.session().good.weight_sparsity, 0.5);
    app.choose("workload/weight_pattern", "workload/weight_pattern/rows");
    app.frames(2);
    type_share(app, "workload/weight_sparsity", "25");
    EXPECT_NEAR(app.session().good.weight_sparsity, 0.25, 1e-6);
    EXPECT_TRUE(app.session().rejection.empty()) << app.session().rejection;
}

TEST(WorkloadPanel, a_preset_is_found_by_typing) {
    Driver app;
    app.click("toolbar/preset");
    app.frames(2);
    app.type_into("toolbar/preset search", "fig7");
    EXPECT_EQ(app.session().choices.workload.name, "examples/xu-fig7");
}

}  // namespace
}  // namespace convscope::app
