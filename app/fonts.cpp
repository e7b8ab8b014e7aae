#include "app/fonts.h"

#include <fmt/format.h>
#include <imgui_freetype.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

namespace convscope::app {
namespace {

namespace fs = std::filesystem;

// Latin-1, Greek (sigma, theta), dashes and quotes, sub- and superscripts, arrows, mathematical operators, the brackets
// of what is rounded.
constexpr ImWchar glyphs[] = {0x0020, 0x00FF, 0x0391, 0x03C9, 0x2010, 0x205E, 0x2070, 0x209F,
                              0x2190, 0x21FF, 0x2200, 0x22FF, 0x2308, 0x230B, 0};
// At very large sizes, where every glyph costs a large piece of the texture, only what the interface itself prints.
constexpr ImWchar few_glyphs[] = {0x0020, 0x00FF, 0x03C3, 0x03C3, 0x2010, 0x203A, 0x2190, 0x2193,
                                  0x2212, 0x2212, 0x2264, 0x2265, 0x230A, 0x230B, 0};
constexpr float many_glyphs_up_to = 3;  ///< scale

// What a face without these glyphs prints instead: ImGui's own has Latin-1 alone.
struct StandIn {
    ImWchar wanted;
    char instead;
};
constexpr StandIn stand_ins[] = {{0x2010, '-'},  {0x2011, '-'},  {0x2012, '-'}, {0x2013, '-'}, {0x2014, '-'},
                                 {0x2018, '\''}, {0x2019, '\''}, {0x201C, '"'}, {0x201D, '"'}, {0x2039, '<'},
                                 {0x203A, '>'},  {0x2190, '<'},  {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'},
                                 {0x2212, '-'},  {0x230A, '['},  {0x230B, ']'}, {0x2308, '['}, {0x2309, ']'}};

// The first of each list is what the interface is made for; the others are what distributions have besides.
constexpr const char* regular_names[] = {"Inter-Regular.otf", "Inter-Regular.ttf",    "InterVariable.ttf",
                                         "DejaVuSans.ttf",    "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf"};
constexpr const char* semibold_names[] = {"Inter-SemiBold.otf", "Inter-SemiBold.ttf"};
constexpr const char* monospace_names[] = {"JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.otf",
                                           "DejaVuSansMono.ttf", "NotoSansMono-Regular.ttf",
                                           "LiberationMono-Regular.ttf"};

std::vector<fs::path> font_folders() {
    if (const char* only = std::getenv("CONVSCOPE_FONTS")) return {only};
    std::vector<fs::path> folders{"/usr/share/fonts", "/usr/local/share/fonts"};
    if (const char* home = std::getenv("HOME")) folders.push_back(fs::path(home) / ".local/share/fonts");
    return folders;
}

/// Every font file below the folders by its name; the first of a name counts.
std::map<std::string, std::string> installed_fonts() {
    std::map<std::string, std::string> fonts;
    for (const fs::path& folder : font_folders()) {
        std::error_code problem;
        for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, problem), end;
             !problem && at != end; at.increment(problem)) {
            const fs::path& file = at->path();
            if ((file.extension() == ".ttf" || file.extension() == ".otf") && at->is_regular_file(problem))
                fonts.emplace(file.filename().string(), file.string());
        }
    }
    return fonts;
}

std::string first_of(const std::map<std::string, std::string>& installed, std::span<const char* const> names) {
    for (const char* name : names)
        if (const auto found = installed.find(name); found != installed.end()) return found->second;
    return {};
}

/// "The fonts Inter and JetBrains Mono are missing (packages fonts-inter, fonts-jetbrains-mono): DejaVu... stands in."
std::string missing_note(const FontFiles& files) {
    std::string names, packages, instead;
    const auto look_at = [&](const std::string& file, const char* own, const char* name, const char* package) {
        const std::string found = fs::path(file).filename().string();
        if (found.starts_with(own)) return;
        names += (names.empty() ? "" : " and ") + std::string(name);
        packages += (packages.empty() ? "" : ", ") + std::string(package);
        const std::string here = found.empty() ? "a built-in font" : found;
        if (instead.find(here) == std::string::npos) instead += (instead.empty() ? "" : ", ") + here;
    };
    look_at(files.regular, "Inter", "Inter", "fonts-inter");
    look_at(files.monospace, "JetBrainsMono", "JetBrains Mono", "fonts-jetbrains-mono");
    if (names.empty()) return {};
    return fmt::format("Missing fonts: {} (install {}). In use instead: {}.", names, packages, instead);
}

ImFont* add(const std::string& file, float pixels, float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    const ImWchar* ranges = scale <= many_glyphs_up_to ? glyphs : few_glyphs;
    ImFont* font = file.empty() ? nullptr : atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, ranges);
    if (font) return font;
    config.SizePixels = pixels;
    return atlas.AddFontDefault(&config);
}

}  // namespace

FontFiles find_fonts() {
    const std::map<std::string, std::string> installed = installed_fonts();
    FontFiles files;
    files.regular = first_of(installed, regular_names);
    files.semibold = first_of(installed, semibold_names);
    if (files.semibold.empty()) files.semibold = files.regular;
    files.monospace = first_of(installed, monospace_names);
    files.note = missing_note(files);
    return files;
}

Fonts load_fonts(float scale) {
    const FontFiles files = find_fonts();
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;

    Fonts fonts;
    // ImGui asks for the height from ascender to descender: 1.21 em of Inter, 1.32 em of JetBrains Mono.
    constexpr float line = 18, small_line = 16;
    fonts.text = add(files.regular, line * scale, scale);
    fonts.strong = add(files.semibold, line * scale, scale);
    fonts.small = add(files.regular, small_line * scale, scale);
    fonts.mono = add(files.monospace, line * scale, scale);
    fonts.mono_small = add(files.monospace, small_line * scale, scale);
    fonts.note = files.note;
    // Only a font that is built can be asked what it has.
    atlas.Build();
    for (ImFont* font : atlas.Fonts)
        for (const StandIn& one : stand_ins)
            if (!font->FindGlyphNoFallback(one.wanted)) font->AddRemapChar(one.wanted, one.instead);
    return fonts;
}

}  // namespace convscope::app
