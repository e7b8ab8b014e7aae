#include "app/ui/widgets/fonts.h"

#include <fmt/format.h>
#include <imgui_freetype.h>

#include <filesystem>

#include "visualizers/theme/font_files.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;

// Latin-1, Greek (sigma, theta), dashes and quotes, sub- and superscripts, arrows, mathematical operators, the brackets
// of what is rounded.
constexpr ImWchar glyphs[] = {0x0020, 0x00FF, 0x0391, 0x03C9, 0x2010, 0x205E, 0x2070, 0x209F,
                              0x2190, 0x21FF, 0x2200, 0x22FF, 0x2308, 0x230B, 0};
// At very large sizes, where every glyph costs a large piece of the texture, only what the interface itself prints.
constexpr ImWchar few_glyphs[] = {0x0020, 0x00FF, 0x03C3, 0x03C3, 0x2010, 0x203A, 0x2190, 0x2193, 0x2212,
                                  0x2212, 0x2248, 0x2248, 0x2260, 0x2265, 0x2308, 0x230B, 0};
constexpr float many_glyphs_up_to = 3;  ///< scale
// The glyphs of numbers in large cells: digits and what stands with them, NaN, inf and "almost zero".
constexpr ImWchar number_glyphs[] = {'-', '.', '0', '9', 'N', 'N', 'a', 'a', 'f', 'f', 'i', 'i', 'n', 'n', '~', '~', 0};

// Substitutes for letters that ImGui's own font, which has Latin-1 alone, lacks.
struct StandIn {
    ImWchar wanted;
    char instead;
};
constexpr StandIn stand_ins[] = {{0x2010, '-'},  {0x2011, '-'},  {0x2012, '-'}, {0x2013, '-'}, {0x2014, '-'},
                                 {0x2018, '\''}, {0x2019, '\''}, {0x201C, '"'}, {0x201D, '"'}, {0x2039, '<'},
                                 {0x203A, '>'},  {0x2190, '<'},  {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'},
                                 {0x2212, '-'},  {0x230A, '['},  {0x230B, ']'}, {0x2308, '['}, {0x2309, ']'}};

ImFont* add(const std::string& file, float pixels, const ImWchar* ranges) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    ImFont* font = file.empty() ? nullptr : atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, ranges);
    if (font) return font;
    config.SizePixels = pixels;
    return atlas.AddFontDefault(&config);
}

}  // namespace

FontFiles find_fonts() {
    const fs::path folder = font_folder();
    FontFiles files{
        (folder / text_font).string(), (folder / strong_font).string(), (folder / monospace_font).string(), {}};
    for (std::string* file : {&files.regular, &files.semibold, &files.monospace}) {
        std::error_code problem;
        if (fs::is_regular_file(*file, problem)) continue;
        files.note += fmt::format("{}{}", files.note.empty() ? "The program's own fonts are missing: " : ", ", *file);
        file->clear();
    }
    if (!files.note.empty()) files.note += ". A built-in font stands in.";
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
    constexpr float lead_line = 24, line = 18, small_line = 16, script_line = 13, large_line = 28;
    const ImWchar* const all = scale <= many_glyphs_up_to ? glyphs : few_glyphs;
    fonts.text = add(files.regular, line * scale, all);
    fonts.strong = add(files.semibold, line * scale, all);
    fonts.lead = add(files.regular, lead_line * scale, few_glyphs);
    fonts.small = add(files.regular, small_line * scale, all);
    fonts.script = add(files.regular, script_line * scale, few_glyphs);
    fonts.mono = add(files.monospace, line * scale, all);
    fonts.mono_small = add(files.monospace, small_line * scale, all);
    fonts.mono_large = add(files.monospace, large_line * scale, number_glyphs);
    fonts.note = files.note;
    // Only a font that is built can be asked what it has.
    atlas.Build();
    for (ImFont* font : atlas.Fonts)
        for (const StandIn& one : stand_ins)
            if (!font->FindGlyphNoFallback(one.wanted)) font->AddRemapChar(one.wanted, one.instead);
    return fonts;
}

}  // namespace convscope::app
