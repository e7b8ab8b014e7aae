// Every view as a picture, at two scales and in both themes, against references in expected/. A reference is kept at
// 320 x 200, where a letter is some six pixels: a label that moved, went or changed shows, a rounding does not.
// scripts/update pictures makes them again; a failure leaves expected, actual and difference in the build folder.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "app/tour/scene_renderer.h"
#include "app/ui/widgets/fonts.h"
#include "kernels/core/error.h"
#include "tests/app/pictures/image_difference.h"
#include "tests/app/pictures/still_scenes.h"
#include "tests/app/pictures/what_draws.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;

constexpr int width = 1280, height = 800, kept_width = 320;

/// How much may differ. Where another FreeType, Mesa or Dear ImGui draws than drew the references, letters have other
/// widths and edges: only the large shapes are compared, at 80 x 50.
struct Tolerance {
    int shrink;
    double threshold, share;
};
constexpr Tolerance same_versions{1, 0.08, 0.0003}, other_versions{4, 0.12, 0.06};

struct Kind {
    int scale;
    bool dark;
    std::string name() const { return fmt::format("scale{}_{}", scale, dark ? "dark" : "light"); }
};

std::string read_text(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Paints over what prints the machine's name: its text may be of any length, so up to the middle of the picture.
void paint_over(Image& picture, const ItemRegistry& items) {
    for (const std::string& name : machine_dependent_items()) {
        const auto found = items.items().find(name);
        if (found == items.items().end()) continue;
        const ItemRect& item = found->second;
        const int right = std::max(static_cast<int>(item.max.x), picture.width * 5 / 8);
        for (int y = static_cast<int>(item.min.y); y < std::min(static_cast<int>(item.max.y) + 1, picture.height); ++y)
            for (int x = static_cast<int>(item.min.x); x < std::min(right, picture.width); ++x)
                for (int channel = 0; channel < 3; ++channel)
                    picture.rgba[4 * (static_cast<std::size_t>(y) * picture.width + x) + channel] = 128;
    }
}

class Pictures : public ::testing::TestWithParam<Kind> {
protected:
    void SetUp() override {
        if (const std::string note = find_fonts().note; !note.empty()) GTEST_SKIP() << note;
        // A machine without a GPU, and a home with nothing in it: the file dialog prints where it is.
        const fs::path home = "/tmp/convscope-pictures";
        fs::create_directories(home);
        setenv("HOME", home.c_str(), 1);
        setenv("CUDA_VISIBLE_DEVICES", "", 1);
        fs::create_directories(updating() ? references() : failures());
    }

    static bool updating() { return std::getenv("CONVSCOPE_UPDATE_PICTURES") != nullptr; }
    fs::path references() const { return fs::path(EXPECTED_PICTURES) / GetParam().name(); }
    fs::path failures() const { return fs::path(FAILED_PICTURES) / GetParam().name(); }

    void compare(const std::string& name, const Image& actual, const Tolerance& tolerance) {
        const fs::path reference = references() / (name + ".png");
        if (!fs::exists(reference)) {
            ADD_FAILURE() << "'" << name << "' has no reference picture: look at it (convscope tour), then run "
                          << "scripts/update pictures " << name;
            return;
        }
        const Image expected = read_png(reference);
        const ImageDifference found =
            difference(shrunk(expected, tolerance.shrink), shrunk(actual, tolerance.shrink), tolerance.threshold);
        if (found.share <= tolerance.share) return;
        write_small_png(failures() / (name + "-expected.png"), expected);
        write_small_png(failures() / (name + "-actual.png"), actual);
        write_small_png(failures() / (name + "-difference.png"), found.marked);
        const int unit = tolerance.shrink * width / kept_width;
        ADD_FAILURE() << fmt::format(
            "'{}' looks different: {:.2f} % of its pixels ({:.2f} % may), from ({}, {}) to ({}, {}) of {} x {}. See "
            "{}/{}-{{expected,actual,difference}}.png; if it is meant, run scripts/update pictures {}",
            name, 100 * found.share, 100 * tolerance.share, found.left * unit, found.top * unit, found.right * unit,
            found.bottom * unit, width, height, failures().string(), name, name);
    }
};

TEST_P(Pictures, look_like_their_references) {
    const auto [scale, dark] = GetParam();
    const auto registry = make_registry();
    const Paper paper{width * scale, height * scale, static_cast<float>(scale), dark, 12.0};
    if (!updating() && !fs::exists(references())) GTEST_SKIP() << "no references yet: run scripts/update pictures";
    const fs::path versions = fs::path(EXPECTED_PICTURES) / "drawn-with.txt";
    const std::string drawn_with = what_draws(*gl::EglContext::create());
    const bool same = read_text(versions) == drawn_with;
    if (!same && !updating())
        fmt::print("The references were drawn with other versions; only large shapes are compared.\nHere:\n{}",
                   drawn_with);
    if (updating()) std::ofstream(versions) << drawn_with;

    const std::string only = updating() ? std::getenv("CONVSCOPE_UPDATE_PICTURES") : "";
    for (const Scene& scene : still_scenes(*registry)) {
        // Nothing of the scene before may be left: no scrolled table, no width of a column.
        SceneRenderer renderer(*registry, paper);
        Image picture = renderer.render(scene);
        paint_over(picture, renderer.items());
        const std::string name = scene.name_without_number();
        const Image kept = for_keeping(picture, width * scale / kept_width);
        if (!updating())
            compare(name, kept, same ? same_versions : other_versions);
        else if (only == "all" || (" " + only + " ").find(" " + name + " ") != std::string::npos)
            write_small_png(references() / (name + ".png"), kept);
    }
}

INSTANTIATE_TEST_SUITE_P(AllViews, Pictures,
                         ::testing::Values(Kind{1, true}, Kind{1, false}, Kind{2, true}, Kind{2, false}),
                         [](const auto& kind) { return kind.param.name(); });

}  // namespace
}  // namespace convscope::app
