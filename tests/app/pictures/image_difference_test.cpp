// The comparison behind the picture tests: finds what a user would, and lets pass what nobody sees.
#include "tests/app/pictures/image_difference.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/core/error.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

/// A grey ramp with a white bar, as wide and as high as a short word in a reference.
Image ramp_with_bar(int bar_x, int shift = 0) {
    Image image{64, 40, std::vector<std::uint8_t>(64 * 40 * 4, 255)};
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 64; ++x) {
            const bool bar = x >= bar_x && x < bar_x + 12 && y >= 10 && y < 14;
            const auto value = static_cast<std::uint8_t>(bar ? 255 : 40 + x + shift);
            for (int channel = 0; channel < 3; ++channel)
                image.rgba[4 * static_cast<std::size_t>(64 * y + x) + channel] = value;
        }
    return image;
}

TEST(ImageDifference, lets_roundings_pass) {
    EXPECT_EQ(difference(ramp_with_bar(20), ramp_with_bar(20), 0).share, 0);
    EXPECT_EQ(difference(ramp_with_bar(20), ramp_with_bar(20, 3), 0.08).share, 0);
}

TEST(ImageDifference, finds_what_moved_and_says_where) {
    const ImageDifference found = difference(ramp_with_bar(20), ramp_with_bar(22), 0.08);
    EXPECT_DOUBLE_EQ(found.share, 2 * 2 * 4 / (64.0 * 40));
    EXPECT_EQ(found.left, 20);
    EXPECT_EQ(found.right, 34);
    EXPECT_EQ(found.top, 10);
    EXPECT_EQ(found.bottom, 14);
    EXPECT_EQ(found.marked.at(21, 11), (Image::Pixel{220, 0, 0, 255}));
}

TEST(ImageDifference, finds_a_hue_of_the_same_brightness) {
    Image red{1, 1, {200, 60, 60, 255}}, green{1, 1, {30, 147, 60, 255}};
    EXPECT_EQ(difference(red, green, 0.08).share, 1);
}

TEST(ImageDifference, of_another_size_is_all) {
    EXPECT_EQ(difference(ramp_with_bar(20), shrunk(ramp_with_bar(20), 2), 0.5).share, 1);
}

TEST(ImageDifference, shrinks_by_the_mean) {
    const Image four{2, 2, {0, 0, 0, 255, 100, 0, 0, 255, 0, 200, 0, 255, 0, 0, 40, 255}};
    EXPECT_EQ(shrunk(four, 2).at(0, 0), (Image::Pixel{25, 50, 10, 255}));
}

TEST(ImageDifference, files_keep_the_pixels) {
    const TempFolder folder;
    const std::filesystem::path path = folder / "ramp.png";
    const Image image = for_keeping(ramp_with_bar(20), 1);
    write_small_png(path, image);
    EXPECT_EQ(read_png(path).rgba, image.rgba);
    std::filesystem::remove(path);
    EXPECT_THROW(read_png(path), Error);
}

}  // namespace
}  // namespace convscope::app
