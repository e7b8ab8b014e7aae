// The report to a screen reader in each view, and its user's actions, without a bus: the report of the drawn frames.
#include "app/ui/input/reader_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "app/session/method_choice.h"
#include "app/ui/input/keys.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

class ReaderReports : public ::testing::Test {
protected:
    ReaderReports() { ReaderReport::active = &report_; }
    ~ReaderReports() override { ReaderReport::active = nullptr; }

    const std::vector<ReaderNode>& frame() {
        report_.begin_frame();
        app_.frames();
        return report_.finish();
    }
    void settle() {
        for (int i = 0; i < 8 || report_.busy(); ++i) frame();
    }
    const ReaderNode* find(ControlRole role, const std::string& name) {
        const std::vector<ReaderNode>& nodes = frame();
        const auto found =
            std::ranges::find_if(nodes, [&](const ReaderNode& node) { return node.role == role && node.name == name; });
        return found == nodes.end() ? nullptr : &*found;
    }
    void request(ReaderRequest::Kind kind, ControlRole role, const std::string& name, const std::string& text = {}) {
        const ReaderNode* node = find(role, name);
        ASSERT_TRUE(node) << name;
        report_.request({kind, node->id, text});
        settle();
    }
    void press(ControlRole role, const std::string& name) { request(ReaderRequest::Kind::press, role, name); }

    Driver app_;
    ReaderReport report_;
};

TEST_F(ReaderReports, name_every_control_of_every_view_within_a_panel) {
    for (std::size_t i = 0; i < ViewId::count; ++i) {
        app_.session().view = ViewId::at(i);
        settle();
        std::set<std::uint32_t> ids;
        std::size_t controls = 0;
        for (const ReaderNode& node : frame()) {
            EXPECT_TRUE(ids.insert(node.id).second) << node.name;
            EXPECT_NE(node.role, ControlRole::unknown) << node.name;
            EXPECT_FALSE(node.name.empty()) << ViewId::at(i)->name << ": " << node.meaning;
            EXPECT_TRUE(holds_others(node.role) ? node.parent == 0 : ids.contains(node.parent)) << node.name;
            controls += !holds_others(node.role) && node.role != ControlRole::text;
        }
        EXPECT_GT(controls, 15U) << ViewId::at(i)->name;
    }
}

TEST_F(ReaderReports, know_every_control_that_the_keyboard_reaches) {
    settle();
    std::size_t reached = 0;
    for (const ReaderNode& node : frame())
        reached += node.enabled && !holds_others(node.role) && node.role != ControlRole::text &&
                   node.role != ControlRole::array;
    EXPECT_EQ(reached, focus_order().names().size());
}

TEST_F(ReaderReports, a_press_is_carried_out_and_leaves_the_ring_there) {
    press(ControlRole::tab, "PECR");
    EXPECT_TRUE(app_.session().tab == "pecr");
    EXPECT_EQ(focus_order().name(), "tab/PECR");
    const ReaderNode* tab = find(ControlRole::tab, "PECR");
    ASSERT_TRUE(tab);
    EXPECT_TRUE(tab->on);
    EXPECT_TRUE(tab->focused);
}

TEST_F(ReaderReports, a_number_is_typed_and_entered) {
    request(ReaderRequest::Kind::set_value, ControlRole::number, "k", "12");
    EXPECT_EQ(app_.session().good.shape.k, 12);
    EXPECT_EQ(find(ControlRole::number, "k")->value, "12");
    request(ReaderRequest::Kind::set_value, ControlRole::number, "zeros", "0.25");
    EXPECT_FLOAT_EQ(static_cast<float>(app_.session().choices.workload.sparsity), 0.25F);
}

TEST_F(ReaderReports, a_number_is_entered_whatever_comes_between_two_frames) {
    int rows = 6;
    for (int at = 0; at < 6; ++at) {
        for (const bool key_is_lost : {false, true}) {
            SCOPED_TRACE(::testing::Message() << "frame " << at << ", " << (key_is_lost ? "a key" : "the field"));
            const ReaderNode* field = find(ControlRole::number, "h");
            ASSERT_TRUE(field);
            report_.request({ReaderRequest::Kind::set_value, field->id, std::to_string(++rows)});
            for (int i = 0; i < 60 && report_.busy(); ++i) {
                if (i == at && !key_is_lost) ImGui::ClearActiveID();
                report_.begin_frame();
                if (i == at && key_is_lost) feed_key(Key::enter, false);
                app_.frames();
                report_.finish();
            }
            settle();
            EXPECT_EQ(app_.session().good.shape.h, rows);
        }
    }
}

TEST_F(ReaderReports, a_text_is_typed_in_place_of_what_was_there) {
    app_.session().view = "compare";
    settle();
    request(ReaderRequest::Kind::set_value, ControlRole::field, "Filter", "ecr3");
    EXPECT_EQ(app_.session().compare.query, "ecr3");
    request(ReaderRequest::Kind::set_value, ControlRole::field, "Filter", "");
    EXPECT_EQ(app_.session().compare.query, "");
}

TEST_F(ReaderReports, a_list_stays_known_while_it_is_open_and_one_of_it_is_picked) {
    const ReaderNode* list = find(ControlRole::list, "Preset");
    ASSERT_TRUE(list);
    const std::uint32_t id = list->id;
    press(ControlRole::list, "Preset");
    list = find(ControlRole::list, "Preset");
    ASSERT_TRUE(list);
    EXPECT_EQ(list->id, id);
    EXPECT_TRUE(list->on);
    press(ControlRole::list_item, "vgg19/conv5_1");
    EXPECT_EQ(app_.session().choices.workload.name, "vgg19/conv5_1");
    EXPECT_FALSE(find(ControlRole::list, "Preset")->on);
}

TEST_F(ReaderReports, what_is_behind_an_overlay_or_disabled_is_not_pressed) {
    const ReaderNode* tab = find(ControlRole::tab, "PECR");
    ASSERT_TRUE(tab);
    const std::uint32_t id = tab->id;
    app_.session().desktop_state.overlay = Overlay::settings;
    settle();
    report_.request({ReaderRequest::Kind::press, id});
    settle();
    EXPECT_TRUE(app_.session().tab == "ecr");
    EXPECT_FALSE(report_.busy());
}

TEST_F(ReaderReports, read_arrays_out_cell_by_cell) {
    const ReaderNode* filter = find(ControlRole::array, "Filter w");
    ASSERT_TRUE(filter);
    EXPECT_EQ(filter->value, "0 1 0\n1 0 1\n0 1 0");
}

TEST_F(ReaderReports, say_by_themselves_what_the_pinned_element_is) {
    pinned(app_.session()) = ElementRef{ArrayId::x, {0, 0}};
    settle();
    const std::vector<ReaderNode>& nodes = frame();
    EXPECT_EQ(std::ranges::count_if(nodes, [](const ReaderNode& node) { return node.live; }), 1);
    EXPECT_TRUE(std::ranges::any_of(
        nodes, [](const ReaderNode& node) { return node.live && node.name.starts_with("x[0,0] = 0"); }));
}

TEST_F(ReaderReports, no_key_stays_down_when_the_reader_goes_half_way) {
    const ReaderNode* field = find(ControlRole::number, "k");
    ASSERT_TRUE(field);
    for (const char* text : {"12", ""}) {
        report_.request({ReaderRequest::Kind::set_value, field->id, text});
        for (int i = 0; i < 9 && !held(Key::enter) && !held(Key::del); ++i) frame();
        EXPECT_TRUE(held(Key::enter) || held(Key::del)) << text;
        report_.cancel();
        EXPECT_FALSE(report_.busy());
        app_.frames();
        EXPECT_FALSE(held(Key::enter) || held(Key::del)) << text;
        app_.press(Key::escape);
        settle();
    }
}

/// Ids of the texts that are read out.
std::set<std::uint32_t> announced(const std::vector<ReaderNode>& nodes, const std::string& name) {
    std::set<std::uint32_t> ids;
    for (const ReaderNode& node : nodes)
        if (node.live && node.name == name) ids.insert(node.id);
    return ids;
}

TEST_F(ReaderReports, a_notice_stays_the_same_line_when_those_before_it_go) {
    notify(app_.session(), "first");
    notify(app_.session(), "second");
    frame();
    const std::set<std::uint32_t> before = announced(frame(), "second");
    EXPECT_EQ(before.size(), 1U);
    app_.session().notices.erase(app_.session().notices.begin());
    frame();
    EXPECT_EQ(announced(frame(), "second"), before);
    notify(app_.session(), "second");
    frame();
    EXPECT_EQ(announced(frame(), "second").size(), 2U);
}

TEST_F(ReaderReports, the_same_sentence_on_the_other_side_is_another_line) {
    choose_method(app_.session(), "ecr1");
    compare_steps_with(app_.session(), "ecr1");
    app_.session().view = "step";
    app_.session().step.sides[0].done = 3;
    app_.session().step.sides[1].done = 5;
    settle();
    std::vector<ReaderNode> said;
    std::ranges::copy_if(frame(), std::back_inserter(said), &ReaderNode::live);
    ASSERT_EQ(said.size(), 2U);
    app_.session().step.sides[0].done = 5;
    settle();
    // The first side has the words now that the second had, and has, too.
    const std::set<std::uint32_t> ids = announced(frame(), said[1].name);
    EXPECT_EQ(ids, (std::set<std::uint32_t>{said[0].id, said[1].id}));
}

TEST_F(ReaderReports, keep_what_a_lesson_hides) {
    app_.session().lesson.requested_lesson = "02-ecr-by-hand";
    settle();
    ASSERT_TRUE(find(ControlRole::array, "Filter w"));
    EXPECT_FALSE(std::ranges::any_of(frame(), [](const ReaderNode& node) {
        return node.role == ControlRole::array && node.name.starts_with("Output");
    }));
}

}  // namespace
}  // namespace convscope::app
