// A lesson's prose: the part of Markdown that the lesson column draws.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/let.h"
#include "app/lessons/live_value.h"
#include "app/lessons/problem.h"
#include "visualizers/explain/math.h"

namespace convscope {
class Registry;
}

namespace convscope::lessons {

/// Mathematics between dollars. The letter U+E000 + i of it stands for live value i.
struct MathRun {
    Math math;
    std::string source;    ///< as it was written, with those letters
    bool display = false;  ///< between two dollars: on a line of its own
    std::vector<LiveValue> live;
};

/// Letters of one look. A run that is a live value or mathematics has no letters of its own.
struct Run {
    std::string text;
    bool strong = false, emphasis = false, code = false;
    std::optional<LiveValue> live;
    std::optional<MathRun> math;
    std::string address;  ///< of a link; empty otherwise
};

struct Paragraph {
    enum class Kind { plain, bullet, numbered, heading, code } kind = Kind::plain;
    int depth = 0;      ///< of the list that it stands in, from 1; 0 outside
    int number = 0;     ///< of a numbered item
    bool first = true;  ///< of its list item: the mark stands before it
    std::vector<Run> runs;
};
using Text = std::vector<Paragraph>;

/// The placeholder of a MathRun's live value.
std::string math_mark(std::size_t index);

/// The inputs for reading a text.
struct TextReader {
    const Registry* registry = nullptr;
    Problems* problems = nullptr;
    const Lets* lets = nullptr;  ///< may be null

    /// Whole lines of the file; 'line' is that of the first. Complaints and doubts go to 'problems'.
    Text read(const std::string& markdown, int line) const;
    /// A value that begins there; its columns are not known, and "32. Words" is no list, which has two items or more.
    Text read_value(const std::string& markdown, Place) const;
    /// Complains in the same way about one expression.
    std::optional<Expression> expression(const std::string& text, Place) const;

private:
    std::string device_name(const std::string& session, Place) const;
    Text read(const std::string& markdown, const std::function<Place(std::size_t)>& place) const;
};

}  // namespace convscope::lessons
