// Source text with a line lit: numbers, counts in the gutter, long lines broken to fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "visualizers/explain/code_text.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// What is marked in a source text. Lines count from 1; 0 is none.
struct SourceMarks {
    unsigned current = 0;                     ///< lit, and kept in sight
    unsigned caller = 0;                      ///< lit weaker: the line that called what runs now
    std::map<unsigned, std::int64_t> counts;  ///< in the gutter: how often a line was executed
    std::map<unsigned, Rgba> bars;            ///< a bar beside a line: the sides of a conflict
    std::map<unsigned, float> heat;           ///< how strongly the count is underlaid, 0 to 1
    std::map<unsigned, std::string> notes;    ///< what is wrong with a line, behind its text
};

/// One text on screen. Remembers how it was broken and what it scrolled to.
class SourceView {
public:
    /// Shows this text; the same text again is free. It must outlive the view.
    void show(std::string_view text);
    /// Draws into a rectangle of the present window, which scrolls by itself.
    /// Returns the line that was clicked, or 0.
    unsigned draw(const char* id, ImVec2 size, const SourceMarks&, const ViewStyle&);
    /// Brings a line into sight at the next draw.
    void scroll_to(unsigned line) { wanted_ = line; }

private:
    void lay_out(std::size_t columns);
    void draw_row(std::size_t row, ImVec2 at, float width, const SourceMarks&, const ViewStyle&) const;
    void draw_note(const CodeRow&, ImVec2 at, float width, const std::string& note, const ViewStyle&) const;
    float row_of(unsigned line) const;

    std::string_view text_;
    std::vector<std::string_view> lines_;
    std::vector<std::vector<CodeSpan>> spans_;  ///< of each line
    std::vector<CodeRow> rows_;
    std::size_t columns_ = 0;
    unsigned in_sight_ = 0, wanted_ = 0;
};

}  // namespace convscope
