// The way back through views and pages, apart from undo, by real events.
#include "app/session/navigation.h"

#include <gtest/gtest.h>

#include "tests/app/driver.h"

namespace convscope::app {
namespace {

void back(Driver& app) {
    app.press(Key::left, false, false, true);
}
void forward(Driver& app) {
    app.press(Key::right, false, false, true);
}

TEST(Navigation, goes_back_through_views_and_pages_and_forward_again) {
    Driver app;
    app.press(Key::two, true);
    app.press(Key::five);
    app.press(Key::six);
    EXPECT_EQ(app.session().view, ViewId("lessons"));
    back(app);
    EXPECT_EQ(app.session().view, ViewId("network"));
    back(app);
    EXPECT_EQ(app.session().view, ViewId("layout"));
    EXPECT_EQ(app.session().tab, TabId("pecr"));
    back(app);
    EXPECT_EQ(app.session().tab, TabId("ecr"));
    back(app);
    EXPECT_EQ(app.session().tab, TabId("ecr")) << "there is nothing before the beginning";
    forward(app);
    forward(app);
    EXPECT_EQ(app.session().view, ViewId("network"));
    app.press(Key::four);
    forward(app);
    EXPECT_EQ(app.session().view, ViewId("sweep")) << "another way was taken";
    back(app);
    EXPECT_EQ(app.session().view, ViewId("network"));
}

TEST(Navigation, leaves_the_data_alone_and_undo_leaves_the_view_alone) {
    Driver app;
    app.type_into("workload/w", "7");
    app.press(Key::five);
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.shape.w, 5);
    EXPECT_EQ(app.session().view, ViewId("network")) << "what is undone was done elsewhere";
    app.press(Key::z, true, true);
    EXPECT_EQ(app.session().good.shape.w, 7);
    back(app);
    EXPECT_EQ(app.session().view, ViewId("layout"));
    EXPECT_EQ(app.session().good.shape.w, 7);
    EXPECT_EQ(app.shell().history().undo_words(), "w 5 -> 7");
}

TEST(Navigation, with_alt_moves_nothing_that_an_arrow_alone_moves) {
    Driver app;
    app.click_at({700, 400});
    pinned(app.session()) = ElementRef{ArrayId::x, {1, 3}};
    back(app);
    forward(app);
    EXPECT_EQ(pinned(app.session())->cell.col, 3);
}

TEST(Navigation, names_where_it_leads) {
    Session session;
    Navigation navigation;
    navigation.observe(session);
    EXPECT_EQ(navigation.back_words(), "");
    session.view = "compare";
    session.compare.page = "roofline";
    navigation.observe(session);
    session.view = "sweep";
    navigation.observe(session);
    EXPECT_EQ(navigation.back_words(), "Compare, Roofline");
    ASSERT_TRUE(navigation.back(session));
    EXPECT_EQ(navigation.back_words(), "Layout, ECR");
    EXPECT_EQ(navigation.forward_words(), "Sweep");
}

}  // namespace
}  // namespace convscope::app
