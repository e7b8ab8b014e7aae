#include "app/ui/lessons_view/lesson_text.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/explain/notation.h"
#include "visualizers/style/math_view.h"
#include "visualizers/style/tooltip.h"

namespace convscope::app {
namespace {

using lessons::Paragraph;
using lessons::Run;

/// A piece of text in one face that must not be broken.
struct Word {
    std::string text;
    const Run* run = nullptr;
    bool space = false;                    ///< before it
    bool breaks = false;                   ///< a line begins with it
    std::string why;                       ///< of a live value that is not known
    std::shared_ptr<const MathBox> box{};  ///< of mathematics, drawn instead of the text
    bool display = false;                  ///< that has lines of its own
};

MathFonts fonts_of_lessons() {
    return {look().fonts->text, look().fonts->script};
}

/// The values in place of the letters that stand for them.
void put_values(Math& math, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string mark = lessons::math_mark(i);
        for (std::size_t at = math.text.find(mark); at != std::string::npos; at = math.text.find(mark, at))
            math.text.replace(at, mark.size(), values[i]);
    }
    for (Math& part : math.parts) put_values(part, values);
}

/// Mathematics as a word: in one line within a sentence; with lines of its own between two dollars, where numbers stand
/// under its symbols, and where it is too wide for a line.
Word formula_word(const Run& run, const lessons::FactSource* facts, bool space) {
    Math math = run.math->math;
    std::vector<std::string> values;
    for (const lessons::LiveValue& live : run.math->live) {
        const lessons::Answer answer = facts ? live.expression.evaluate(*facts) : lessons::Answer{};
        values.push_back(answer.value ? lessons::in_format(*answer.value, live.format) : "\u2026");
    }
    put_values(math, values);
    math = in_notation(math, look().notation);
    Word word{"", &run, space, false, {}};
    const MathFonts fonts = fonts_of_lessons();
    const float room = ImGui::GetContentRegionAvail().x - px(16);
    word.box = formula_box(in_one_line(math), 1e9F, fonts, look().scale);
    word.display = run.math->display || has_terms(math) || word.box->width > room;
    if (word.display) word.box = formula_box(math, room, fonts, look().scale);
    word.text = plain_text(math, true);
    return word;
}

void draw_formula(const Word& word, ImVec2 at, ImU32 colour) {
    draw_math(*ImGui::GetWindowDrawList(), at, *word.box, fonts_of_lessons(), look().scale,
              [colour](const MathPiece&) { return colour; });
}

constexpr std::size_t short_code = 24;  ///< "w[0, 2]" stays in one piece

ImFont* face(const Run& run) {
    const Fonts& fonts = *look().fonts;
    return run.code ? fonts.mono_small : run.strong ? fonts.strong : fonts.text;
}

void split(const Run& run, const std::string& text, const std::string& why, std::vector<Word>& words, bool& space) {
    std::string word;
    bool breaks = false;
    const auto flush = [&] {
        if (word.empty()) return;
        words.push_back(
            {std::exchange(word, {}), &run, std::exchange(space, false), std::exchange(breaks, false), why});
    };
    const bool whole = run.code && text.size() <= short_code;
    for (const char letter : text) {
        if (whole || (letter != ' ' && letter != '\n')) {
            word += letter;
            continue;
        }
        flush();
        space = true;
        breaks = breaks || letter == '\n';
    }
    flush();
}

std::vector<Word> words_of(const Paragraph& paragraph, const lessons::FactSource* facts) {
    std::vector<Word> words;
    bool space = false;
    for (const Run& run : paragraph.runs) {
        if (run.math) {
            words.push_back(formula_word(run, facts, std::exchange(space, false)));
            continue;
        }
        if (!run.live) {
            split(run, run.text, {}, words, space);
            continue;
        }
        const lessons::Answer answer = facts ? run.live->expression.evaluate(*facts) : lessons::Answer{};
        // A value stays in one piece: "1 000 us".
        words.push_back({answer.value ? lessons::in_format(*answer.value, run.live->format) : "…", &run,
                         std::exchange(space, false), false, answer.value ? "" : answer.why + "."});
    }
    return words;
}

/// 'joined': the gap to the word before, where both are of one run of code.
void draw_word(const Word& word, ImVec2 at, float width, float joined, ImU32 colour) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const Theme& theme = *look().theme;
    ImFont* font = face(*word.run);
    const float line = look().fonts->text->FontSize, bottom = std::round(at.y + line);
    if (word.run->code)
        draw.AddRectFilled({at.x - px(2) - joined, at.y}, {at.x + width + px(2), at.y + line}, theme.raised.u32(),
                           px(3));
    if (!word.run->address.empty()) colour = theme.accent.u32();
    if (word.run->live && !word.why.empty()) colour = theme.text_dim.u32();
    const int from = draw.VtxBuffer.Size;
    draw.AddText(font, font->FontSize, {std::round(at.x), std::round(at.y + (line - font->FontSize) / 2)}, colour,
                 word.text.c_str());
    if (word.run->emphasis) slant(draw, from, at.y + line * 0.75F);
    if (word.run->live || !word.run->address.empty())
        draw.AddLine({at.x, bottom}, {at.x + width, bottom},
                     (word.run->live ? theme.accent.with_alpha(0.6F) : theme.accent).u32());
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + line});
    if (!hovered || (!word.run->live && word.run->address.empty())) return;
    const std::string& text = !word.run->address.empty() ? word.run->address
                              : !word.why.empty()        ? word.why
                                                         : word.run->live->expression.text();
    tooltip(at, {at.x + width, at.y + line}, text, look().fonts->text, look().scale);
}

/// Words in lines of at most 'width'; the cursor is behind them afterwards.
void flow(const std::vector<Word>& words, float indent, ImU32 colour) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float right = start.x + ImGui::GetContentRegionAvail().x, left = start.x + indent;
    const float line = look().fonts->text->FontSize + px(4);
    const float gap = look().fonts->text->CalcTextSizeA(look().fonts->text->FontSize, 1e6F, 0, " ").x;
    ImVec2 at{left, start.y};
    const Run* last = nullptr;  // that was drawn in this line
    bool begun = true;          // whether anything is to stand in this line
    for (std::size_t i = 0; i < words.size();) {
        if (words[i].display) {
            if (at.x > left) at.y += line;
            draw_formula(words[i], {left + px(8), at.y + px(2)}, colour);
            at = {left, at.y + words[i].box->height + px(8)};
            last = nullptr;
            begun = false;
            ++i;
            continue;
        }
        begun = true;
        // Pieces without a space between them stay together: a value and its full stop.
        std::size_t end = i + 1;
        while (end < words.size() && !words[end].space && !words[end].breaks && !words[end].display) ++end;
        float width = 0;
        std::vector<float> widths;
        for (std::size_t j = i; j < end; ++j) {
            ImFont* font = face(*words[j].run);
            widths.push_back(words[j].box ? words[j].box->width
                                          : font->CalcTextSizeA(font->FontSize, 1e6F, 0, words[j].text.c_str()).x +
                                                (words[j].run->code ? px(4) : 0));
            width += widths.back();
        }
        const float before = words[i].space && at.x > left ? gap : 0;
        if (words[i].breaks || (at.x > left && at.x + before + width > right)) {
            at = {left, at.y + line};
            last = nullptr;
        } else {
            at.x += before;
        }
        for (std::size_t j = i; j < end; ++j) {
            const float shift = words[j].run->code ? px(2) : 0;
            const bool joins = words[j].run->code && last == words[j].run && j == i;
            if (words[j].box)
                draw_formula(words[j], {at.x, at.y + look().fonts->text->Ascent - words[j].box->baseline}, colour);
            else
                draw_word(words[j], {at.x + shift, at.y}, widths[j - i] - 2 * shift, joins ? before + shift : 0,
                          colour);
            at.x += widths[j - i];
            last = words[j].run;
        }
        i = end;
    }
    ImGui::Dummy({right - start.x, at.y + (begun ? line : 0) - start.y});
}

std::string line_of(const std::vector<Word>& words) {
    std::string line;
    for (const Word& word : words) line += (word.space && !line.empty() ? " " : "") + word.text;
    return line;
}

void code_block(const Paragraph& paragraph, ImU32 colour) {
    std::string text;
    for (const Run& run : paragraph.runs) text += run.text;
    while (text.ends_with('\n')) text.pop_back();
    capture_text(text);
    WithFont font(look().fonts->mono_small);
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(text.c_str());
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + size.y + px(12)}, look().theme->raised.u32(), px(4));
    draw.PushClipRect(at, {at.x + width, at.y + size.y + px(12)}, true);
    draw.AddText({at.x + px(8), at.y + px(6)}, colour, text.c_str());
    draw.PopClipRect();
    ImGui::Dummy({width, size.y + px(12)});
    if (size.x + px(16) > width) tip(text);
}

}  // namespace

void lesson_text(const lessons::Text& text, const lessons::FactSource* facts, ImU32 colour) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(6)});
    for (const Paragraph& paragraph : text) {
        if (paragraph.kind == Paragraph::Kind::code) {
            code_block(paragraph, colour);
            continue;
        }
        const float indent = px(20) * static_cast<float>(paragraph.depth);
        if (paragraph.depth > 0 && paragraph.first) {
            const std::string mark =
                paragraph.kind == Paragraph::Kind::numbered ? std::to_string(paragraph.number) + "." : "•";
            const ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::GetWindowDrawList()->AddText(look().fonts->text, look().fonts->text->FontSize,
                                                {at.x + indent - px(16), at.y}, look().theme->text_dim.u32(),
                                                mark.c_str());
        }
        std::vector<Word> words = words_of(paragraph, facts);
        capture_text(line_of(words));
        Run strong;
        strong.strong = true;
        if (paragraph.kind == Paragraph::Kind::heading)
            for (Word& word : words)
                if (!word.run->live) word.run = &strong;
        flow(words, indent, colour);
    }
    ImGui::PopStyleVar();
}

const lessons::Text& WrittenWords::read(const std::string& markdown, const Registry& registry) {
    auto found = read_.find(markdown);
    if (found == read_.end()) {
        lessons::Problems ignored;
        found = read_.emplace(markdown, lessons::TextReader{&registry, &ignored}.read_value(markdown, 1)).first;
    }
    return found->second;
}

void card_edge(float x, float top, ImU32 colour) {
    const float bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
    ImGui::GetWindowDrawList()->AddRectFilled({x, top}, {x + px(3), bottom}, colour, px(1.5F));
}

void tick_mark(bool right, ImU32 colour) {
    const float size = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const auto point = [&](float x, float y) { return ImVec2{at.x + x * size, at.y + y * size}; };
    if (right) {
        const ImVec2 tick[] = {point(0.12F, 0.52F), point(0.38F, 0.8F), point(0.88F, 0.2F)};
        draw.AddPolyline(tick, 3, colour, 0, px(2));
    } else {
        draw.AddLine(point(0.2F, 0.2F), point(0.8F, 0.8F), colour, px(2));
        draw.AddLine(point(0.8F, 0.2F), point(0.2F, 0.8F), colour, px(2));
    }
    ImGui::Dummy({size, size});
}

}  // namespace convscope::app
