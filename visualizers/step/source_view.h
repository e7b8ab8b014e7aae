// Source text with a line lit: not wrapped but for the lit line of a slide, a gutter with breakpoints and how often
// each line ran. The one pane for code of the Step and the Kernel view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "visualizers/explain/code_text.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// The marks in a source text. Lines count from 1; 0 is none.
struct SourceMarks {
    unsigned current = 0;                     ///< lit; the text scrolls so that it stays at a third of the height
    unsigned caller = 0;                      ///< lit weaker: the line that called what runs now
    std::set<unsigned> linked;                ///< lit as weakly: of what is pointed at elsewhere
    unsigned chosen = 0;                      ///< outlined: what a key is about
    std::map<unsigned, std::int64_t> counts;  ///< of each line: a bar in the gutter, the more the warmer
    std::string unit;                         ///< of the counts, their heading: "lanes"
    std::string meaning;                      ///< of the counts, where they are pointed at
    std::string title;                        ///< behind the heading: the file
    std::map<unsigned, Rgba> bars;            ///< a bar next to a line: the sides of a conflict
    std::map<unsigned, std::string> notes;    ///< errors of a line, behind its text
    const std::set<unsigned>* breakpoints = nullptr;  ///< null: this text has none, and the gutter is not clicked
    bool outdated = false;                            ///< dims the numbers next to the lines
    std::set<unsigned> stops;                         ///< where breakpoints can be: lines with a step
};

/// The mouse events of a text in this frame. Lines count from 1; 0 is none.
struct SourceEvents {
    unsigned pointed = 0;         ///< the line under the mouse
    unsigned clicked = 0;         ///< a line's text
    unsigned toggled = 0;         ///< a line's gutter, where there are breakpoints
    unsigned menu = 0;            ///< by the right button
    unsigned named = 0;           ///< the line of 'name'
    std::string_view name;        ///< that is pointed at, of the text
    ImVec2 name_min, name_max{};  ///< where it stands on screen
};

/// One text on screen. Remembers what it scrolled to.
class SourceView {
public:
    /// Shows this text; the same text again is free. It must outlive the view.
    void show(std::string_view text);
    /// Draws into a rectangle of the present window, heading included; the text scrolls by itself.
    SourceEvents draw(const char* id, ImVec2 size, const SourceMarks&, const ViewStyle&);
    /// Brings a line into sight at the next draw.
    void scroll_to(unsigned line) { wanted_ = line; }
    /// How many lines the text has.
    unsigned lines() const { return static_cast<unsigned>(lines_.size()); }

    static float gutter(const ViewStyle& style) { return style.px(48); }  ///< px: number, breakpoint, bar
    /// The width of its longest line, with the counts next to it.
    float width(const ViewStyle&) const;
    /// The place on screen of a line's text in the last draw, in sight or not.
    ImVec2 place_of(unsigned line) const;
    float row_height() const { return row_; }

private:
    /// Positions within the window that scrolls.
    struct Columns {
        float letter, row, gutter, code;  ///< px; 'code' is where the text begins
        bool numbers;                     ///< there is room for the counts as numbers
    };
    Columns columns(float width, const ViewStyle&) const;
    void draw_heading(ImVec2 at, float width, const Columns&, const SourceMarks&, const ViewStyle&) const;
    void wrap(unsigned line, std::size_t columns);
    const std::vector<std::size_t>& rows_of(std::size_t line) const;
    float top_of(std::size_t line) const;
    void follow(unsigned line, float height, float row);
    void draw_behind(std::size_t line, ImVec2 at, float width, const SourceMarks&, const ViewStyle&) const;
    void draw_code(std::size_t line, ImVec2 at, const Columns&, const Rgba& behind, const ViewStyle&) const;
    void draw_gutter(std::size_t line, ImVec2 at, const Columns&, const SourceMarks&, const ViewStyle&) const;
    void draw_note(std::size_t line, ImVec2 at, float width, const std::string& note, const ViewStyle&) const;
    SourceEvents events(ImVec2 corner, const Columns&, const SourceMarks&, const ViewStyle&);

    std::string_view text_;
    std::vector<std::string_view> lines_;
    std::vector<std::vector<CodeSpan>> spans_;  ///< of each line
    std::vector<CodeIndent> indents_;           ///< of each line
    std::size_t widest_ = 0;                    ///< columns of the longest line as it is shown
    std::int64_t max_ = 1;                      ///< the greatest of the present counts
    unsigned in_sight_ = 0, wanted_ = 0;
    unsigned wrapped_ = 0;                ///< the line that stands there whole
    std::vector<std::size_t> rows_{0};    ///< of it: the character of what is shown that each row begins at
    std::optional<float> scroll_wanted_;  ///< px, until it is reached
    float scroll_ = 0, height_ = 0;       ///< px, of the last draw
    ImVec2 origin_{};                     ///< of the text, scrolling included
    float row_ = 0;
};

}  // namespace convscope
