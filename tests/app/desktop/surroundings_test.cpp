// Bad surroundings: windows that are too small, scales at both ends, fonts that are missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/tour/scene_renderer.h"
#include "tests/app/pictures/still_scenes.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

/// Pixels that are not as the one in the corner: something is drawn.
std::size_t drawn(const gl::Image& picture) {
    std::size_t count = 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) count += !(picture.at(x, y) == picture.at(0, 0));
    return count;
}

struct Room {
    int width, height;
    float scale;
};

class Surroundings : public ::testing::TestWithParam<Room> {};

TEST_P(Surroundings, every_view_is_drawn) {
    const auto [width, height, scale] = GetParam();
    const auto registry = make_registry();
    for (Scene& scene : still_scenes(*registry)) {
        scene.click.clear();  // the list that is clicked on may be out of sight
        SceneRenderer renderer(*registry, {width, height, scale, true, 12.0});
        EXPECT_GT(drawn(renderer.render(scene)), 300U) << scene.name;
        for (const auto& [name, item] : renderer.items().items())
            EXPECT_TRUE(std::isfinite(item.min.x + item.min.y + item.max.x + item.max.y)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Rooms, Surroundings,
                         ::testing::Values(Room{200, 200, 1}, Room{200, 200, 4}, Room{1280, 800, 0.5F},
                                           Room{1280, 800, 4}, Room{640, 2000, 1}, Room{2000, 240, 1}),
                         [](const auto& room) {
                             return std::to_string(room.param.width) + "x" + std::to_string(room.param.height) + "at" +
                                    std::to_string(std::lround(room.param.scale * 100));
                         });

TEST(SurroundingScenes, at_large_letters_a_scene_does_without_the_click_that_is_out_of_sight) {
    const auto registry = make_registry();
    for (const Scene& scene : still_scenes(*registry)) {
        if (scene.name_without_number() != "formats") continue;
        SceneRenderer renderer(*registry, {1600, 1000, 2, true, 12.0});
        EXPECT_GT(drawn(renderer.render(scene)), 300U);
        return;
    }
    FAIL();
}

TEST(SurroundingScenes, the_ptx_is_drawn_when_it_is_the_only_view) {
    const auto registry = make_registry();
    std::vector<Scene> scenes = tour_scenes(*registry);
    const auto ptx = std::ranges::find(scenes, "kernel-ptx", &Scene::name_without_number);
    ASSERT_NE(ptx, scenes.end());
    SceneRenderer renderer(*registry, {1280, 720, 1, false, 12.0});
    renderer.render(*ptx);
    EXPECT_TRUE(std::filesystem::exists(renderer.shell().session().kernel.file)) << "what it is of is there";
}

/// Sets a variable of the environment for a scope.
class WithFonts {
public:
    explicit WithFonts(const std::string& folder) { setenv("CONVSCOPE_FONTS", folder.c_str(), 1); }
    ~WithFonts() { unsetenv("CONVSCOPE_FONTS"); }
    WithFonts(const WithFonts&) = delete;
    WithFonts& operator=(const WithFonts&) = delete;
};

TEST(Fonts, that_are_missing_leave_the_built_in_one_and_a_sentence) {
    const WithFonts none("/nonexistent");
    EXPECT_EQ(find_fonts().note,
              "The program's own fonts are missing: /nonexistent/Inter-Regular.otf, /nonexistent/Inter-SemiBold.otf, "
              "/nonexistent/JetBrainsMono-Regular.ttf. A built-in font stands in.");
    const auto registry = make_registry();
    SceneRenderer renderer(*registry, {1280, 800, 1, true, 12.0});
    EXPECT_GT(drawn(renderer.render(tour_scenes(*registry).front())), 300U);
    // The minus sign, the arrows that fold and step, the brackets of what is rounded.
    const ImFont& font = *ImGui::GetIO().Fonts->Fonts.front();
    for (const ImWchar sign : {0x2212, 0x2039, 0x203A, 0x230A, 0x230B, 0x2192, 0x00D7})
        EXPECT_NE(font.FindGlyphNoFallback(sign), nullptr) << sign;
}

TEST(Fonts, come_with_the_program) {
    const FontFiles files = find_fonts();
    EXPECT_EQ(files.note, "");
    for (const std::string& file : {files.regular, files.semibold, files.monospace})
        EXPECT_EQ(std::filesystem::path(file).parent_path(), SHIPPED_FONTS);
    const auto registry = make_registry();
    SceneRenderer renderer(*registry, {1280, 800, 1, true, 12.0});
    const auto loaded = [](const std::string& file) {
        return std::ranges::any_of(ImGui::GetIO().Fonts->ConfigData,
                                   [&](const ImFontConfig& face) { return std::string(face.Name).starts_with(file); });
    };
    for (const std::string& file : {files.regular, files.semibold, files.monospace}) {
        const std::string name = std::filesystem::path(file).filename().string();
        EXPECT_TRUE(loaded(name)) << name;
    }
}

TEST(Fonts, that_cannot_be_read_are_as_if_they_were_not_there) {
    const TempFolder folder;
    std::filesystem::create_directory(folder / "Inter-Regular.otf");
    const WithFonts only((folder / "").string());
    EXPECT_TRUE(find_fonts().regular.empty());
}

}  // namespace
}  // namespace convscope::app
