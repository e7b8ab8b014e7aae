#include "visualizers/explain/math_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace convscope {
namespace {

/// Calls words(text) and formula(math, what comes after it) in the order in which they stand.
template <class Words, class Formula>
void read(std::string_view text, Words words, Formula formula) {
    for (bool inside = false;; inside = !inside) {
        const std::size_t end = std::min(text.find('$'), text.size());
        const std::string_view part = text.substr(0, end);
        std::string problem;
        const std::optional<Math> math = inside ? parse_math(part, problem) : std::nullopt;
        if (math)
            formula(*math, text.substr(std::min(end + 1, text.size())));
        else
            words(part);
        if (end == text.size()) return;
        text.remove_prefix(end + 1);
    }
}

class TextSetter {
public:
    TextSetter(float width, const MathFace& face)
        : face_(face), width_(width), em_(face.ascent[0] + face.descent[0]), space_(face.width(" ", 0)) {
        box_.baseline = face.ascent[0];
    }

    void words(std::string_view text) {
        while (!text.empty()) {
            if (text.front() == ' ') {
                apart_ = true;
                text.remove_prefix(1);
                continue;
            }
            const std::string_view word = text.substr(0, text.find(' '));
            MathPiece piece;
            piece.text = word;
            piece.width = face_.width(word, 0);
            piece.height = em_;
            room_for(piece.width);
            const float after = x_ + piece.width;
            add(std::move(piece), x_, top_);
            advance(after);
            text.remove_prefix(word.size());
        }
    }

    /// Broken within itself where it is wider than a line.
    void formula(const Math& math, std::string_view after) {
        MathBox set = lay_out(math, width_, face_);
        // A comma behind it stays in its line.
        room_for(set.width + face_.width(after.substr(0, after.find(' ')), 0));
        // Scripts may hang into the space between two lines; what is higher than that takes more of them.
        const float above = std::max(0.0F, set.baseline - face_.ascent[0]);
        const float top = top_ + above + face_.ascent[0] - set.baseline;
        for (MathPiece& piece : set.pieces) {
            const float x = x_ + piece.x, y = top + piece.y;
            add(std::move(piece), x, y);
        }
        advance(x_ + set.width);
        lower_ = std::max(lower_, above + set.height - 1.4F * em_);
    }

    MathBox finish() {
        box_.height = top_ + em_ + lower_;
        return std::move(box_);
    }

private:
    /// Begins a line where this one has no room for the width.
    void room_for(float width) {
        const float gap = apart_ && x_ > 0 ? space_ : 0;
        if (apart_ && x_ > 0 && x_ + gap + width > width_) {
            x_ = 0;
            top_ += em_ + lower_;
            lower_ = 0;
        } else {
            x_ += gap;
        }
        apart_ = false;
    }
    void add(MathPiece piece, float x, float y) {
        piece.x = x;
        piece.y = y;
        box_.pieces.push_back(std::move(piece));
    }
    void advance(float x) {
        x_ = x;
        box_.width = std::max(box_.width, x);
    }

    const MathFace& face_;
    float width_, em_, space_;
    MathBox box_;
    float x_ = 0, top_ = 0, lower_ = 0;  ///< of the present line, and how much higher than words it is
    bool apart_ = false;                 ///< a space stands before what comes
};

}  // namespace

MathBox set_text(std::string_view text, float width, const MathFace& face) {
    TextSetter setter(width, face);
    read(
        text, [&](std::string_view words) { setter.words(words); },
        [&](const Math& math, std::string_view after) { setter.formula(math, after); });
    return setter.finish();
}

std::string plain_words(std::string_view text) {
    std::string plain;
    read(
        text, [&](std::string_view words) { plain += words; },
        [&](const Math& math, std::string_view) { plain += plain_text(math); });
    return plain;
}

}  // namespace convscope
