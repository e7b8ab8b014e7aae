#include "app/fonts.h"

#include <imgui_freetype.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <vector>

namespace convscope::app {
namespace {

namespace fs = std::filesystem;

// Latin-1, Greek (sigma, theta), dashes and quotes, sub- and superscripts, arrows, mathematical operators.
constexpr ImWchar glyphs[] = {0x0020, 0x00FF, 0x0391, 0x03C9, 0x2010, 0x205E, 0x2070,
                              0x209F, 0x2190, 0x21FF, 0x2200, 0x22FF, 0};

std::vector<fs::path> font_folders() {
    std::vector<fs::path> folders{"/usr/share/fonts", "/usr/local/share/fonts"};
    if (const char* home = std::getenv("HOME")) folders.push_back(fs::path(home) / ".local/share/fonts");
    return folders;
}

/// The first file of one of these names below the font folders; empty when there is none.
std::string find_font(std::initializer_list<const char*> names) {
    for (const char* name : names)
        for (const fs::path& folder : font_folders()) {
            std::error_code problem;
            for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, problem),
                 end;
                 !problem && at != end; at.increment(problem))
                if (at->path().filename() == name) return at->path().string();
        }
    return {};
}

ImFont* add(const std::string& file, float pixels) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    if (file.empty()) {
        config.SizePixels = pixels;
        return atlas.AddFontDefault(&config);
    }
    return atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, glyphs);
}

}  // namespace

Fonts load_fonts(float scale) {
    static const std::string regular = find_font({"Inter-Regular.otf", "Inter-Regular.ttf", "InterVariable.ttf"});
    static const std::string semibold = find_font({"Inter-SemiBold.otf", "Inter-SemiBold.ttf"});
    static const std::string monospace = find_font({"JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.otf"});

    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;

    Fonts fonts;
    // ImGui asks for the height from ascender to descender: 1.21 em of Inter, 1.32 em of JetBrains Mono.
    constexpr float line = 18, small_line = 16;
    fonts.text = add(regular, line * scale);
    fonts.strong = add(semibold.empty() ? regular : semibold, line * scale);
    fonts.small = add(regular, small_line * scale);
    fonts.mono = add(monospace, line * scale);
    fonts.mono_small = add(monospace, small_line * scale);
    if (regular.empty() || monospace.empty())
        fonts.note = "The fonts Inter and JetBrains Mono are missing (packages fonts-inter, fonts-jetbrains-mono).";
    return fonts;
}

}  // namespace convscope::app
