#include "visualizers/explain/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "visualizers/explain/math_text.h"
#include "visualizers/explain/notation.h"

namespace convscope {
namespace {

std::string read(std::string_view text) {
    std::string problem;
    const std::optional<Math> math = parse_math(text, problem);
    EXPECT_EQ(math.has_value(), problem.empty());
    return math ? plain_text(*math) : "not read: " + problem;
}

Math math_of(std::string_view text) {
    std::string problem;
    return parse_math(text, problem).value();
}

/// A typeface whose letters are 6 px wide, 3 px in scripts, whatever they are.
MathFace plain_face() {
    MathFace face;
    face.width = [](std::string_view letters, int level) {
        return static_cast<float>(letters.size()) * (level == 0 ? 6.0F : 3.0F);
    };
    face.ascent[0] = 9;
    face.descent[0] = 3;
    face.ascent[1] = 5;
    face.descent[1] = 2;
    return face;
}

TEST(Math, reads_symbols_scripts_fractions_and_signs) {
    EXPECT_EQ(read("i_w"), "i_w");
    EXPECT_EQ(read("k'_w"), "k\u2032_w");
    EXPECT_EQ(read("k_h k_w"), "k_h k_w");
    EXPECT_EQ(read("a - b \\cdot 12"), "a \u2212 b \u00b7 12");
    EXPECT_EQ(read("\\frac{i_w - k_w}{c_s} + 1"), "(i_w \u2212 k_w)/c_s + 1");
    EXPECT_EQ(read("\\lfloor \\frac{a}{b} \\rfloor"), "\u230aa/b\u230b");
    EXPECT_EQ(read("(o_w + 1)^2"), "(o_w + 1)^2");
    EXPECT_EQ(read("p_{stride}"), "p_stride");
    EXPECT_EQ(read("\\text{F_data} \\le 0.5"), "F_data \u2264 0.5");
    EXPECT_EQ(read("\\underset{7}{i_h}"), "i_h");
}

TEST(Math, has_numbers_under_symbols_and_their_result_among_the_numbers) {
    const Math formula = math_of("\\underset{3}{k_w} \\cdot \\underset{5}{k_h} = 15");
    EXPECT_EQ(plain_text(formula), "k_w \u00b7 k_h");
    EXPECT_EQ(plain_text(formula, true), "3 \u00b7 5 = 15");
    // Text before the symbols is not a result, and without numbers under them = is a sign.
    EXPECT_EQ(plain_text(math_of("R = \\underset{3}{k_w} + 1")), "R = k_w + 1");
    EXPECT_EQ(read("k_w = 3"), "k_w = 3");
}

TEST(Math, says_why_it_does_not_read) {
    const std::pair<const char*, const char*> all[] = {{"\\frac{1", "a { has no }"},
                                                       {"\\frac12", "a { is missing"},
                                                       {"(a", "a bracket is not closed"},
                                                       {"a)", "closes nothing"},
                                                       {"}", "closes nothing"},
                                                       {"\\sqrt{2}", "\\sqrt is not known; accepted are \\frac,"},
                                                       {"_a", "stands behind nothing"},
                                                       {"a_", "a script is missing"},
                                                       {"\\lfloor a_\\rfloor", "a script is missing"},
                                                       {" ", "there is nothing in it"},
                                                       {"a_b_c", "two scripts"},
                                                       {"a & b", "'&' is not part of the notation"},
                                                       {"\\text{a", "\\text has no { and }"}};
    for (const auto& [text, why] : all) {
        std::string problem;
        EXPECT_FALSE(parse_math(text, problem)) << text;
        EXPECT_NE(problem.find(why), std::string::npos) << text << ": " << problem;
    }
    EXPECT_NE(read(std::string(max_math_letters + 1, 'a')).find("longer than"), std::string::npos);
    for (const std::string open : {"{", "(", "a_{", "a^", "\\frac{", "\\frac{1}{", "\\underset{", "\\lfloor"}) {
        std::string deep;
        while (deep.size() + open.size() <= max_math_letters) deep += open;
        EXPECT_EQ(read(deep), open == "a^" ? "not read: two scripts of one kind stand behind each other"
                                           : "not read: it is nested too deeply");
    }
}

TEST(Math, any_text_is_read_or_not_and_laid_out_either_way) {
    const std::string letters =
        "ab_^{}()[]\\ \\frac{}{}\\lfloor\\rfloor\\text{}\\underset12.+-'\xc3\xa9\xee\x80\x80$%\x01";
    std::mt19937 random(11);
    int read = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (std::size_t n = random() % 24; n > 0; --n) text += letters[random() % letters.size()];
        std::string problem;
        const std::optional<Math> math = parse_math(text, problem);
        if (!math) continue;
        ++read;
        plain_text(*math, true);
        for (const float width : {0.0F, 40.0F}) {
            const MathBox box = lay_out(*math, width, plain_face());
            EXPECT_GE(box.height, 12) << text;
        }
    }
    EXPECT_GT(read, 500);
}

TEST(MathLayout, a_fraction_stands_about_the_middle_of_its_line) {
    const MathBox box = lay_out(math_of("1 + \\frac{a}{bb}"), 1000, plain_face());
    const auto at = [&](const std::string& text) {
        for (const MathPiece& piece : box.pieces)
            if (piece.text == text) return piece;
        throw std::runtime_error("no " + text);
    };
    EXPECT_LT(at("a").y, at("1").y);
    EXPECT_GT(at("b").y, at("1").y);
    float bar = -1;
    for (const MathPiece& piece : box.pieces)
        if (piece.kind == MathPiece::Kind::bar) bar = piece.y;
    EXPECT_GT(bar, at("a").y + at("a").height - 1);
    EXPECT_LT(bar, at("b").y);
    EXPECT_NEAR(bar, box.baseline - 0.3F * 12, 0.01F);
}

TEST(MathLayout, each_number_stands_under_its_symbol) {
    const Math formula = math_row({math_term(math_symbol("k", "w"), math_text("3"), 0), math_sign("\u00b7"),
                                   math_term(math_symbol("i", "w"), math_text("12345"), 1),
                                   math_term(Math{}, math_row({math_sign("="), math_text("37035")}), -1)});
    const MathBox box = lay_out(formula, 1000, plain_face());
    ASSERT_EQ(box.spots.size(), 4U) << "of both terms, in both lines";
    for (int term = 0; term < 2; ++term) {
        const MathSpot &symbol = box.spots[static_cast<std::size_t>(term)],
                       &number = box.spots[static_cast<std::size_t>(term + 2)];
        EXPECT_EQ(symbol.term, term);
        EXPECT_EQ(number.term, term);
        EXPECT_FLOAT_EQ(symbol.x, number.x);
        EXPECT_FLOAT_EQ(symbol.width, number.width);
        EXPECT_GE(number.y, symbol.y + symbol.height - 0.01F);
    }
    // The result ends the line of numbers, and has nothing above it.
    const MathPiece& last = box.pieces.back();
    EXPECT_EQ(last.text, "37035");
    EXPECT_TRUE(last.number);
    EXPECT_EQ(plain_text(formula, true), "3 \u00b7 12345 = 37035");
    EXPECT_NEAR(last.x + last.width, box.width, 0.01F);
}

TEST(MathLayout, breaks_where_it_may_and_is_never_wider_than_its_widest_part) {
    std::vector<Math> parts;
    for (int i = 0; i < 6; ++i) {
        parts.push_back(math_symbol("a", "b"));
        if (i < 5) parts.push_back(math_sign("+"));
    }
    for (std::size_t i = 1; i < parts.size(); i += 2) parts[i].may_break = true;
    const Math sum = math_row(parts);
    const MathBox one = lay_out(sum, 1000, plain_face()), several = lay_out(sum, 45, plain_face());
    EXPECT_LE(several.width, 45);
    EXPECT_GT(several.height, 2 * one.height);
    EXPECT_EQ(several.pieces.size(), one.pieces.size());
    // A fraction that is wider than the line is written in it, and broken at its signs, in the end within products.
    for (const char* text :
         {"\\frac{a + b + c + d + e}{f + g}", "\\frac{a \\cdot b \\cdot c \\cdot d \\cdot e}{f \\cdot g}"}) {
        const Math wide = math_of(text);
        EXPECT_GT(lay_out(wide, 1000, plain_face()).width, 50);
        EXPECT_LE(lay_out(wide, 50, plain_face()).width, 50);
    }
}

std::string written(const MathBox& box) {
    std::string text;
    for (const MathPiece& piece : box.pieces) text += piece.text + ' ';
    return text;
}

TEST(MathText, sets_words_and_mathematics_on_one_base_line) {
    const MathBox set = set_text("so $k_w = 3$ (Eq. 1)", 1000, plain_face());
    EXPECT_EQ(written(set), "so k w = 3 (Eq. 1) ");
    EXPECT_EQ(set.height, 12);  // that of words
    const auto top_of = [&](const char* text) { return std::ranges::find(set.pieces, text, &MathPiece::text)->y; };
    EXPECT_EQ(top_of("so"), top_of("k"));
    EXPECT_LT(top_of("so"), top_of("w"));
    for (std::size_t i = 1; i < set.pieces.size(); ++i) EXPECT_GT(set.pieces[i].x, set.pieces[i - 1].x);
    const MathPiece& last = set.pieces.back();
    EXPECT_EQ(set.width, last.x + last.width);
}

TEST(MathText, breaks_lines_between_words_and_never_within_a_formula_that_fits) {
    for (const float width : {80.0F, 60.0F, 50.0F}) {
        const MathBox set = set_text("some words before $o_h \\cdot o_w$, then more", width, plain_face());
        EXPECT_LE(set.width, width);
        EXPECT_GT(set.height, 12);
        const auto o = std::ranges::find(set.pieces, "o", &MathPiece::text);
        const auto other =
            std::find_if(o + 1, set.pieces.end(), [](const MathPiece& piece) { return piece.text == "o"; });
        EXPECT_EQ(o->y, other->y);
    }
}

TEST(MathText, leaves_what_is_no_mathematics_as_it_stands) {
    EXPECT_EQ(plain_words("$o_w \\le T$ and |O|"), "o_w \u2264 T and |O|");
    EXPECT_EQ(written(set_text("a $\\nonsense$ b", 1000, plain_face())), "a \\nonsense b ");
    EXPECT_TRUE(set_text("", 1000, plain_face()).pieces.empty());
}

TEST(Notation, has_the_papers_symbols_and_cudnns) {
    EXPECT_EQ(tex_symbols(Notation::paper, " \\times ", LayerSize::map_h, LayerSize::map_w), "i_h \\times i_w");
    EXPECT_EQ(tex_symbols(Notation::cudnn, " \\times ", LayerSize::map_h, LayerSize::map_w), "h \\times w");
    EXPECT_EQ(plain_text(math_of(tex_symbol(LayerSize::pool_h, Notation::cudnn))), "pool_h");
    EXPECT_EQ(tex_product("padded_h s slots", Notation::paper), "i_h \\cdot k_w \\cdot \\text{slots}");
    EXPECT_EQ(plain_text(math_of(tex_product("padded_h s", Notation::cudnn))), "padded_h \u00b7 s");
    const Math written = math_of("\\frac{i_h - k_h}{c_s} + k_c x_y + o_w^2");
    EXPECT_EQ(plain_text(in_notation(written, Notation::paper)), plain_text(written));
    // The papers' maps are padded already; what is no symbol of theirs stays.
    EXPECT_EQ(plain_text(in_notation(written, Notation::cudnn)), "(h + 2 \u00b7 pad_h \u2212 r)/stride + k x_y + q^2");
    for (const char* product : {"i_h \\cdot k_w", "k_w \\times i_h", "p - i_h", "i_h^2"})
        EXPECT_NE(plain_text(in_notation(math_of(product), Notation::cudnn)).find("(h + 2 \u00b7 pad_h)"),
                  std::string::npos)
            << product;
    EXPECT_EQ(plain_text(in_notation(math_of("\\underset{7}{o_h}"), Notation::cudnn)), "p");
}

}  // namespace
}  // namespace convscope
