// The list of methods: pictures that are of one map, words to search by, ticks that leave it open.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "app/session/method_choice.h"
#include "app/ui/widgets/method_picture.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

std::vector<std::string> picture(const std::string& id, const std::string& family) {
    MethodInfo info;
    info.id = id;
    info.family = family;
    return method_picture(info);
}

std::ptrdiff_t cells(const std::vector<std::string>& rows, char of) {
    return std::accumulate(rows.begin(), rows.end(), std::ptrdiff_t{0},
                           [of](std::ptrdiff_t sum, const auto& row) { return sum + std::ranges::count(row, of); });
}

TEST(MethodPicture, shows_one_map_in_each_form) {
    const auto windows = picture("im2col", "im2col"), strips = picture("mec2", "mec"), ecr = picture("ecr3", "ecr");
    ASSERT_EQ(windows.size(), 6U);
    EXPECT_EQ(windows[0].size(), 9U);
    ASSERT_EQ(strips.size(), 3U) << "as MEC's L: a strip for each column of windows";
    EXPECT_EQ(strips[0].size(), 12U);
    EXPECT_EQ(strips[0].substr(0, 9), windows[0]) << "the first window of a strip";
    EXPECT_EQ(strips[0].substr(3, 9), windows[3]) << "the one below it";
    ASSERT_EQ(ecr.size(), 6U);
    const std::ptrdiff_t values = cells(windows, '#');
    EXPECT_EQ(cells(ecr, '#'), values);
    EXPECT_EQ(cells(ecr, '.'), 0) << "zeros are not stored";
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(std::ranges::count(ecr[i], '#'), std::ranges::count(windows[i], '#')) << i;
    const auto csr = picture("csr1", "csr"), coo = picture("coo1", "spmm"), ell = picture("ell1", "spmm");
    EXPECT_EQ(cells(csr, '#'), values);
    EXPECT_EQ(cells(csr, 'o'), values + 7) << "columns, and where the six rows begin and end";
    EXPECT_EQ(cells(coo, 'o'), 2 * values);
    EXPECT_EQ(cells(ell, '#'), values);
    EXPECT_LT(ell[0].size(), 9U);
    const auto pecr = picture("pecr2", "pecr");
    ASSERT_EQ(pecr.size(), 2U) << "a result of the pooling each";
    EXPECT_EQ(pecr[0].size(), 36U);
    EXPECT_TRUE(picture("fft1", "fft").empty());
}

TEST(MethodList, is_searched_by_words_and_stays_open_for_more_ticks) {
    Driver app(1280, 800);
    const std::vector<std::string> before = live_methods(app.session(), app.registry());
    ASSERT_EQ(std::ranges::count(before, "pecr3"), 0);
    app.click("live/methods");
    app.frames(3);
    EXPECT_TRUE(app.has("live/im2col"));
    app.type("xu 2022 channels");
    app.frames(3);
    EXPECT_TRUE(app.has("live/ecr3"));
    EXPECT_FALSE(app.has("live/im2col")) << "Cho and Brand's";
    app.click("live/pecr3");
    app.frames(2);
    EXPECT_TRUE(app.has("live/ecr3")) << "the list is still open";
    const std::vector<std::string> after = live_methods(app.session(), app.registry());
    EXPECT_EQ(std::ranges::count(after, "pecr3"), 1);
    app.click("live/pecr3");
    app.press(Key::escape);
    EXPECT_EQ(live_methods(app.session(), app.registry()), before);
}

TEST(NetworkList, is_searched_by_words_and_chosen_by_enter) {
    Driver app(1280, 800);
    app.press(Key::five);
    app.frames(2);
    app.click("network/choose");
    app.frames(3);
    app.type("vgg");
    app.frames(3);
    EXPECT_FALSE(app.has("network/choose/lenet"));
    ASSERT_TRUE(app.has("network/choose/vgg19"));
    app.press(Key::enter);
    app.frames(2);
    EXPECT_EQ(app.session().network.name, "vgg19");
    EXPECT_FALSE(app.has("network/choose/vgg19")) << "the list is closed";
}

}  // namespace
}  // namespace convscope::app
