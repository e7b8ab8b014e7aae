// Draws a lesson's prose: words of several faces that wrap together, lists, code, and live values.
#pragma once

#include <imgui.h>

#include <map>
#include <string>

#include "app/lessons/markup.h"

namespace convscope {
class Registry;
}

namespace convscope::app {

/// In the present region's width. 'facts' answers live values; null where there are none.
void lesson_text(const lessons::Text&, const lessons::FactSource* facts, ImU32 colour);

/// Markdown without live values, read once and kept: words that were written out when an answer was checked.
class WrittenWords {
public:
    const lessons::Text& read(const std::string& markdown, const Registry&);

private:
    std::map<std::string, lessons::Text> read_;
};

/// A card's left edge, from 'top' to the cursor, in a colour that says what it is.
void card_edge(float x, float top, ImU32 colour);

/// A tick or a cross as tall as the text, in a colour, where the cursor is.
void tick_mark(bool right, ImU32 colour);

}  // namespace convscope::app
