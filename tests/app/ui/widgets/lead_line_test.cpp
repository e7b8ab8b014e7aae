// The sentence that a page leads with, as a user sees it.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

const Lead& lead_on(Driver& app) {
    return app.shell().layouts().result().lead;
}

float width_of(const ItemRect& item) {
    return item.max.x - item.min.x;
}

TEST(LeadLine, stands_under_the_tabs_above_all_else_of_every_page_of_the_layouts) {
    for (const auto& [width, height, scale] : {std::tuple{1280, 720, 1.0F}, {1920, 1080, 1.0F}, {2560, 1440, 2.0F}}) {
        Driver app(width, height);
        app.session().appearance.scale = scale;
        set_workload(app.session(), find_preset("examples/xu-fig7").spec);
        ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
        float top = 0;
        for (const Key tab : {Key::one, Key::two, Key::three, Key::four, Key::five, Key::six, Key::seven}) {
            app.press(tab, true);
            app.frames(2);
            ASSERT_TRUE(app.has("lead")) << app.session().tab->name;
            const ItemRect lead = app.item("lead"), name = app.item("tab/ECR");
            EXPECT_GE(lead.min.y, name.max.y) << app.session().tab->name;
            EXPECT_LT(lead.min.y, name.max.y + 12 * app.scale()) << app.session().tab->name;
            if (top > 0) {
                EXPECT_EQ(lead.min.y, top) << "it does not move from page to page";
            }
            top = lead.min.y;
            EXPECT_NE(app.words_on_screen().find("|" + lead_on(app).number + "|"), std::string::npos)
                << lead_on(app).text() << app.words_on_screen();
        }
    }
}

TEST(LeadLine, follows_the_share_of_zeros_as_it_is_dragged_and_its_bar_does) {
    Driver app(1280, 720);
    app.press(Key::escape);
    app.frames(2);
    EXPECT_EQ(lead_on(app).text(), "B1 skips 63 % of its multiplications: 10 of 27 are needed");
    const auto share_of_bar = [&] {
        const float share = width_of(app.item("lead/share"));
        return share / (share + width_of(app.item("lead/rest")));
    };
    EXPECT_NEAR(share_of_bar(), 17.0F / 27, 0.01F);
    const ItemRect slider = app.item("workload/sparsity");
    const float y = slider.centre().y;
    app.point_at(ImVec2{slider.min.x + 20, y});
    app.hold(true);
    std::set<std::string> said;
    for (const float at : {0.3F, 0.6F, 0.9F}) {
        app.point_at(ImVec2{slider.min.x + at * width_of(slider), y});
        ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
        app.frames(2);
        const Lead lead = lead_on(app);
        ASSERT_TRUE(lead.share) << lead.text();
        EXPECT_NEAR(share_of_bar(), *lead.share, 0.01) << lead.text();
        EXPECT_NE(app.words_on_screen().find("|" + lead.number + "|"), std::string::npos) << lead.text();
        said.insert(lead.text());
    }
    app.hold(false);
    EXPECT_EQ(said.size(), 3U) << "in the midst of the drag";
}

TEST(LeadLine, takes_two_small_lines_in_the_height_of_its_one_large_line) {
    std::vector<float> heights;
    for (const int width : {1280, 800}) {
        Driver app(width, 600);
        set_workload(app.session(), find_preset("examples/cho-fig1").spec);
        ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
        app.press(Key::five, true);
        app.frames(3);
        const std::string end = "row 0 of O";
        ASSERT_TRUE(lead_on(app).after.ends_with(end)) << lead_on(app).text();
        EXPECT_NE(app.words_on_screen().find(end + "|"), std::string::npos) << app.words_on_screen();
        EXPECT_EQ(app.words_on_screen().find(lead_on(app).after) == std::string::npos, width == 800) << "two lines";
        heights.push_back(app.item("lead").max.y - app.item("lead").min.y);
    }
    EXPECT_EQ(heights.front(), heights.back()) << "what is below it does not move";
}

TEST(LeadLine, says_the_whole_of_what_it_has_no_room_for_where_it_is_pointed_at) {
    Driver app(320, 600);
    set_workload(app.session(), find_preset("examples/cho-fig1").spec);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.press(Key::five, true);
    app.frames(3);
    const std::string whole = lead_on(app).text();
    EXPECT_EQ(app.words_on_screen().find(lead_on(app).after), std::string::npos) << "it is cut here";
    app.point_at("lead");
    app.frames(60);
    std::string tooltip;
    for (const std::string& line : app.tooltip()) tooltip += (tooltip.empty() ? "" : " ") + line;
    EXPECT_EQ(tooltip, whole);
}

TEST(LeadLine, splits_a_sentence_at_the_number) {
    EXPECT_EQ(convscope::lead_of("ecr3 at 75 % zeros", "75 %").before, "ecr3 at ");
    EXPECT_EQ(convscope::lead_of("ecr3 at 75 % zeros", "75 %").after, " zeros");
    EXPECT_EQ(convscope::lead_of("no number", "").text(), "no number");
    EXPECT_TRUE(Lead{}.empty());
}

}  // namespace
}  // namespace convscope::app
