#include "visualizers/explain/math_layout.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace convscope {
namespace {

/// Pieces about a base line at y = 0.
struct Box {
    float width = 0, ascent = 0, descent = 0;
    std::vector<MathPiece> pieces;
    std::vector<MathSpot> spots;

    float height() const { return ascent + descent; }
    void take(Box other, float x, float y) {
        for (MathPiece& piece : other.pieces) {
            piece.x += x;
            piece.y += y;
            pieces.push_back(std::move(piece));
        }
        for (MathSpot& spot : other.spots) {
            spot.x += x;
            spot.y += y;
            spots.push_back(spot);
        }
        ascent = std::max(ascent, other.ascent - y);
        descent = std::max(descent, other.descent + y);
    }
};

/// Not a sign, a bracket or what else stands close to its neighbours.
bool is_operand(const Math& math) {
    if (math.kind != Math::Kind::text) return true;
    constexpr std::string_view close[] = {"(", ")", "[", "]",      "/",      ",",      ".",     ":",
                                          "!", "|", "%", "\u230a", "\u230b", "\u2308", "\u2309"};
    return !math.spaced && std::ranges::find(close, math.text) == std::end(close);
}

class Setter {
public:
    Setter(const MathFace& face, bool numbers) : face_(face), numbers_(numbers) {}

    Box box(const Math& math, int level) const {
        switch (math.kind) {
            case Math::Kind::row:
                return row(math.parts, level);
            case Math::Kind::text:
                return text(math, level);
            case Math::Kind::fraction:
                return fraction(math, level);
            case Math::Kind::script:
                return script(math, level);
            case Math::Kind::fence:
                return fence(math, level);
            case Math::Kind::term:
                return term(math, level);
        }
        return {};
    }

    Box row(const std::vector<Math>& parts, int level) const {
        Box all;
        all.ascent = face_.ascent[level];
        all.descent = face_.descent[level];
        for (std::size_t i = 0; i < parts.size(); ++i) {
            Box next = box(parts[i], level);
            // Operands side by side are factors.
            const bool factors = i > 0 && is_operand(parts[i]) && is_operand(parts[i - 1]) && next.width > 0;
            if (factors) all.width += 0.1F * em(level);
            const float x = all.width, width = next.width;
            all.take(std::move(next), x, 0);
            all.width += width;
        }
        return all;
    }

private:
    float em(int level) const { return face_.ascent[level] + face_.descent[level]; }
    /// The height of a minus above the base line.
    float axis(int level) const { return 0.3F * em(level); }

    Box text(const Math& math, int level) const {
        Box all;
        const float apart = math.text == "\u00b7" ? 0.14F : level == 0 ? 0.2F : 0.12F;
        const float gap = math.spaced ? apart * em(level) : 0;
        MathPiece piece;
        piece.text = math.text;
        piece.width = face_.width(math.text, level);
        piece.height = em(level);
        piece.x = gap;
        piece.y = -face_.ascent[level];
        piece.level = level;
        piece.slanted = math.slanted;
        piece.number = numbers_;
        all.width = piece.width + 2 * gap;
        all.ascent = face_.ascent[level];
        all.descent = face_.descent[level];
        if (!math.text.empty()) all.pieces.push_back(std::move(piece));
        return all;
    }

    Box fraction(const Math& math, int level) const {
        const int inner = face_.small_fractions ? 1 : level;
        Box above = box(math.parts[0], inner), below = box(math.parts[1], inner);
        const float pad = 0.1F * em(level), gap = 0.06F * em(level);
        Box all;
        all.width = std::max(above.width, below.width) + 2 * pad;
        const float bar = -axis(level), above_x = (all.width - above.width) / 2,
                    below_x = (all.width - below.width) / 2;
        const float above_y = bar - gap - above.descent, below_y = bar + face_.line + gap + below.ascent;
        all.take(std::move(above), above_x, above_y);
        all.take(std::move(below), below_x, below_y);
        MathPiece line;
        line.kind = MathPiece::Kind::bar;
        line.x = pad / 2;
        line.y = bar;
        line.width = all.width - pad;
        line.height = face_.line;
        line.number = numbers_;
        all.pieces.push_back(std::move(line));
        return all;
    }

    Box script(const Math& math, int level) const {
        Box all = box(math.parts[0], level);
        const float from = all.width + 0.04F * em(level);
        const float lower = 0.28F * face_.ascent[level], upper = std::max(all.ascent, face_.ascent[level]);
        for (std::size_t i = 1; i < 3; ++i) {
            if (math.parts[i].empty()) continue;
            Box small = box(math.parts[i], 1);
            const float width = small.width;
            // A superscript's middle is where what carries it ends.
            const float y = i == 1 ? lower : -(upper - 0.55F * small.ascent);
            all.take(std::move(small), from, y);
            all.width = std::max(all.width, from + width);
        }
        return all;
    }

    Box fence(const Math& math, int level) const {
        Box inside = box(math.parts[0], level), all;
        // Brackets of one line are letters; of more they are drawn as tall as it is.
        const bool tall = inside.height() > 1.35F * em(level);
        Box left = bracket(math.text, tall, inside, level), right = bracket(math.close, tall, inside, level);
        for (Box* each : {&left, &inside, &right}) {
            const float x = all.width, width = each->width;
            all.take(std::move(*each), x, 0);
            all.width += width;
        }
        return all;
    }

    Box bracket(const std::string& which, bool tall, const Box& inside, int level) const {
        if (!tall) return text(math_text(which), level);
        MathPiece piece;
        piece.kind = MathPiece::Kind::bracket;
        piece.text = which;
        piece.y = -inside.ascent;
        piece.width = 0.25F * em(level);
        piece.height = inside.height();
        piece.number = numbers_;
        Box all{piece.width, inside.ascent, inside.descent, {}, {}};
        all.pieces.push_back(std::move(piece));
        return all;
    }

    /// As wide as the wider of symbol and number, so that the two lines stand under each other.
    Box term(const Math& math, int level) const {
        const Box symbol = Setter(face_, false).box(math.parts[0], level);
        const Box number = Setter(face_, true).box(math.parts[1], level);
        Box all;
        all.width = std::max(symbol.width, number.width);
        Box shown = numbers_ ? number : symbol;
        const float x = (all.width - shown.width) / 2;
        for (MathPiece& piece : shown.pieces) piece.term = math.term;
        all.take(std::move(shown), x, 0);
        all.ascent = std::max(all.ascent, face_.ascent[level]);
        all.descent = std::max(all.descent, face_.descent[level]);
        if (math.term >= 0) all.spots.push_back({math.term, 0, -all.ascent, all.width, all.height()});
        return all;
    }

    const MathFace& face_;
    const bool numbers_;
};

/// The parts of the outermost row, cut where a line may begin.
std::vector<std::vector<Math>> runs_of(const Math& math) {
    std::vector<std::vector<Math>> runs(1);
    if (math.kind != Math::Kind::row) return {{math}};
    for (const Math& part : math.parts) {
        if (part.may_break && !runs.back().empty()) runs.emplace_back();
        runs.back().push_back(part);
    }
    return runs;
}

}  // namespace

MathBox lay_out(const Math& math, float width, const MathFace& face) {
    const bool two = has_terms(math);
    const Setter symbols(face, false), numbers(face, true);
    std::vector<std::vector<Math>> runs = runs_of(math);
    const auto fits = [&](const auto& run) { return symbols.row(run, 0).width <= width; };
    for (const MathBreaks breaks : {MathBreaks::as_before, MathBreaks::at_sums, MathBreaks::at_products})
        if (!std::ranges::all_of(runs, fits)) runs = runs_of(in_one_line(math, breaks));
    MathBox box;
    const float em = face.ascent[0] + face.descent[0], between_lines = 0.3F * em, between_rows = 0.1F * em;
    for (std::size_t i = 0; i < runs.size();) {
        // As many runs as fit; the first in any case.
        std::vector<Math> line = runs[i];
        Box upper = symbols.row(line, 0);
        std::size_t end = i + 1;
        for (; end < runs.size(); ++end) {
            std::vector<Math> longer = line;
            longer.insert(longer.end(), runs[end].begin(), runs[end].end());
            Box row = symbols.row(longer, 0);
            if (row.width > width) break;
            line = std::move(longer);
            upper = std::move(row);
        }
        const float top = box.height == 0 ? 0 : box.height + between_lines;
        if (i == 0) box.baseline = upper.ascent;
        Box all;
        float y = top + upper.ascent;
        const float upper_descent = upper.descent, upper_width = upper.width;
        all.take(std::move(upper), 0, y);
        box.height = y + upper_descent;
        if (two) {
            Box lower = numbers.row(line, 0);
            y = box.height + between_rows + lower.ascent;
            box.height = y + lower.descent;
            all.take(std::move(lower), 0, y);
        }
        box.width = std::max(box.width, upper_width);
        for (MathPiece& piece : all.pieces) box.pieces.push_back(std::move(piece));
        box.spots.insert(box.spots.end(), all.spots.begin(), all.spots.end());
        i = end;
    }
    return box;
}

}  // namespace convscope
