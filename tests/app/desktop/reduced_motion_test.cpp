#include "app/desktop/reduced_motion.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/ui/widgets/byte_units.h"
#include "app/ui/widgets/format.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

class DesktopMotionFiles : public ::testing::Test {
protected:
    void write(const std::string& file, const std::string& text) {
        std::filesystem::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file) << text;
    }
    const TempFolder own_;
    const std::filesystem::path folder_ = own_ / "config";
};

TEST_F(DesktopMotionFiles, say_nothing_where_there_are_none) {
    EXPECT_FALSE(files_ask_for_less_motion(folder_));
}

TEST_F(DesktopMotionFiles, of_kde_switch_motion_off_by_a_factor_of_0) {
    write("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n");
    EXPECT_FALSE(files_ask_for_less_motion(folder_));
    write("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n");
    EXPECT_TRUE(files_ask_for_less_motion(folder_));
}

TEST_F(DesktopMotionFiles, of_gtk_switch_motion_off_by_a_flag) {
    write("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n");
    EXPECT_FALSE(files_ask_for_less_motion(folder_));
    write("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n");
    EXPECT_TRUE(files_ask_for_less_motion(folder_));
}

TEST(ByteUnits, are_decimal_until_a_person_asks_for_binary) {
    EXPECT_EQ(bytes(2'000'000), "2.00 MB");
    use_binary_bytes(true);
    EXPECT_EQ(bytes(512), "512 B");
    EXPECT_EQ(bytes(2 * 1024 * 1024), "2.00 MiB");
    EXPECT_EQ(bytes(1020.0 * 1024), "0.996 MiB");
    use_binary_bytes(false);
    EXPECT_EQ(bytes(512 * 1000), "512 kB");
}

}  // namespace
}  // namespace convscope::app
