// The formulas on the cards: the numbers under their symbols give what the layer really has.
#include "app/ui/layout_view/formulas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kernels/layers/preset.h"
#include "tests/support/random_shapes.h"

namespace convscope::app {
namespace {

using Numbers = std::map<std::string, std::int64_t>;

/// By symbol, from the first term that has it and the last: strides differ along the two axes.
Numbers numbers(const Formula& formula, bool last = false) {
    Numbers all;
    for (const FormulaTerm& term : formula.terms)
        if (last || !all.contains(term.symbol)) all[term.symbol] = std::stoll(term.number);
    return all;
}

/// One symbol for both where they are equal.
std::int64_t stride(const Numbers& of, const std::string& symbol) {
    return of.contains("c_s") ? of.at("c_s") : of.at(symbol);
}

std::string as_printed(const Formula& formula) {
    return plain_text(formula.math);
}

std::string with_numbers(const Formula& formula) {
    return plain_text(formula.math, true);
}

constexpr FormulaStyle papers{};
constexpr FormulaStyle cudnns{false, Notation::cudnn};

TEST(Formulas, their_numbers_give_the_layer_on_random_shapes) {
    for (const ConvShape& s : testing::random_shapes(200)) {
        const Formula products = xu_multiplications(s, papers);
        Numbers a = numbers(products), b = numbers(products, true);
        const std::int64_t out =
            ((a["i_w"] - a["k_w"]) / stride(a, "s_w") + 1) * ((a["i_h"] - a["k_h"]) / stride(b, "s_h") + 1);
        EXPECT_EQ(out * a["k_w"] * a["k_h"], s.multiplications_per_map()) << to_string(s);
        EXPECT_EQ(products.value, static_cast<double>(s.multiplications_per_map()));
        a = numbers(xu_additions(s, papers));
        EXPECT_EQ(a["o_w"] * a["o_h"] * (a["k_w"] * a["k_h"] - 1), s.additions_per_map()) << to_string(s);
        a = numbers(cho_im2col(s, papers));
        EXPECT_EQ(a["i_n"] * a["o_h"] * a["o_w"] * a["k_h"] * a["k_w"] * a["i_c"], s.im2col_elements());
        a = numbers(cho_l(s, papers));
        EXPECT_EQ(a["i_n"] * a["o_w"] * a["i_h"] * a["k_w"] * a["i_c"], s.mec_elements());
        if (!s.pooled()) continue;
        const Formula threads = xu_threads(s, Notation::paper);
        a = numbers(threads);
        b = numbers(threads, true);
        const auto side = [&](std::int64_t size, std::int64_t filter, std::int64_t stride, std::int64_t pool) {
            // Rounded down twice: the filter takes whole steps, and then so does the pooling window.
            const std::int64_t whole = (size - filter) / stride * stride;
            return (whole + stride - stride * pool + a["p_s"] * stride) / (a["p_s"] * stride);
        };
        const std::int64_t across = side(a["i_w"], a["k_w"], stride(a, "s_w"), a["p_w"]);
        // A square map has one factor, squared.
        const bool squared = as_printed(threads).ends_with("^2");
        const std::int64_t down = squared ? across : side(a["i_h"], a["k_h"], stride(b, "s_h"), a["p_h"]);
        EXPECT_EQ(across * down, s.out_h() * s.out_w()) << to_string(s);
    }
}

TEST(Formulas, equation_4_says_where_it_does_not_round) {
    ConvShape s;
    s.h = s.w = 7;
    s.r = s.s = 3;
    EXPECT_EQ(cho_saving(s, papers).value, 120);  // 225 - 105, as in Fig. 2
    EXPECT_TRUE(cho_saving(s, papers).note.empty());
    s.h = 8;
    s.stride_h = 2;
    const Formula exact = cho_saving(s, papers);
    EXPECT_EQ(exact.value, static_cast<double>(s.mec_saving_elements()));
    EXPECT_EQ(as_printed(exact), "i_n \u00b7 i_c \u00b7 o_w \u00b7 k_w \u00b7 (o_h \u00b7 k_h \u2212 i_h)");
    EXPECT_NE(exact.note.find("Eq. 4 gives 38"), std::string::npos) << exact.note;
}

TEST(Formulas, give_their_number_where_the_stride_leaves_a_remainder) {
    ConvShape s;
    s.h = 9;
    s.w = 11;
    s.r = 4;
    s.s = 2;
    s.stride_h = 3;
    s.stride_w = 2;
    EXPECT_EQ(
        as_printed(xu_multiplications(s, papers)),
        "(\u230a(i_w \u2212 k_w)/s_w\u230b + 1) \u00b7 (\u230a(i_h \u2212 k_h)/s_h\u230b + 1) \u00b7 k_w \u00b7 k_h");
    EXPECT_EQ(xu_multiplications(s, papers).value, 80);
    // L is the larger: what it costs more is positive in the formula too.
    ASSERT_LT(s.mec_saving_elements(), 0);
    EXPECT_EQ(cho_saving(s, papers).value, static_cast<double>(-s.mec_saving_elements()));
    EXPECT_EQ(as_printed(cho_saving(s, papers)),
              "i_n \u00b7 i_c \u00b7 o_w \u00b7 k_w \u00b7 (i_h \u2212 o_h \u00b7 k_h)");
}

TEST(Formulas, are_the_papers) {
    const ConvShape s = find_preset("examples/xu-fig4").spec.shape;
    EXPECT_EQ(as_printed(xu_multiplications(s, papers)),
              "((i_w \u2212 k_w)/c_s + 1) \u00b7 ((i_h \u2212 k_h)/c_s + 1) \u00b7 k_w \u00b7 k_h");
    EXPECT_EQ(xu_multiplications(s, papers).value, 81);
    EXPECT_EQ(xu_additions(s, papers).value, 72);
    EXPECT_EQ(as_printed(cho_saving(s, papers)),
              "i_n \u00b7 i_c \u00b7 o_w \u00b7 k_w \u00b7 (i_h \u2212 k_h) \u00b7 (k_h/s_h \u2212 1)");
}

TEST(Formulas, square_all_of_equation_3) {
    const ConvShape s = find_preset("examples/xu-fig7").spec.shape;
    const Formula threads = xu_threads(s, Notation::paper);
    EXPECT_EQ(as_printed(threads),
              "((i_w \u2212 k_w + c_s \u2212 c_s \u00b7 p_w + p_s \u00b7 c_s)/(p_s \u00b7 c_s))^2");
    EXPECT_EQ(with_numbers(threads), "((5 \u2212 3 + 1 \u2212 1 \u00b7 2 + 1 \u00b7 1)/(1 \u00b7 1))^2 = 4");
    EXPECT_EQ(threads.value, static_cast<double>(s.out_h() * s.out_w()));
}

TEST(Formulas, end_with_their_value_among_the_numbers) {
    const ConvShape s = find_preset("examples/xu-fig4").spec.shape;
    EXPECT_EQ(with_numbers(xu_multiplications(s, papers)),
              "((5 \u2212 3)/1 + 1) \u00b7 ((5 \u2212 3)/1 + 1) \u00b7 3 \u00b7 3 = 81");
    for (const Formula& formula : {xu_additions(s, papers), cho_im2col(s, papers), cho_l(s, papers)})
        EXPECT_TRUE(with_numbers(formula).ends_with(" = " + std::to_string(static_cast<int>(formula.value))))
            << with_numbers(formula);
}

TEST(Formulas, are_cudnns_where_that_is_chosen) {
    ConvShape s = find_preset("examples/xu-fig4").spec.shape;
    EXPECT_EQ(with_numbers(xu_multiplications(s, cudnns)), "3 \u00b7 3 \u00b7 3 \u00b7 3 = 81");
    EXPECT_EQ(as_printed(xu_multiplications(s, cudnns)), "q \u00b7 p \u00b7 s \u00b7 r");
    // The papers' maps are padded already, and their filters have no holes.
    s.pool_h = s.pool_w = s.pool_stride = 1;
    s.pad_w = 1;
    s.dilation_h = 2;
    const Formula padded = xu_threads(s, Notation::cudnn);
    EXPECT_EQ(as_printed(padded), "((q \u2212 pool_w)/pool_stride + 1) \u00b7 ((p \u2212 pool_h)/pool_stride + 1)");
    EXPECT_TRUE(with_numbers(padded).starts_with("((5 \u2212 1)/1 + 1)")) << with_numbers(padded);
    EXPECT_EQ(padded.value, static_cast<double>(s.out_h() * s.out_w()));
    for (const ConvShape& each : testing::random_shapes(200)) {
        if (!each.pooled()) continue;
        const Formula threads = xu_threads(each, Notation::cudnn);
        Numbers a = numbers(threads);
        const std::int64_t across = (a["q"] - a["pool_w"]) / a["pool_stride"] + 1;
        const bool squared = as_printed(threads).ends_with("^2");
        const std::int64_t down = squared ? across : (a["p"] - a["pool_h"]) / a["pool_stride"] + 1;
        EXPECT_EQ(across * down, each.out_h() * each.out_w()) << with_numbers(threads);
    }
    for (const FormulaTerm& term : padded.terms) EXPECT_NE(term.symbol, "c_s");
}

TEST(Formulas, name_each_side_of_padding_that_differs) {
    ConvShape s = find_preset("examples/xu-fig4").spec.shape;
    s.pad_h = 1, s.pad_extra_h = 2;
    const Formula cudnn = cho_l(s, cudnns);
    EXPECT_NE(as_printed(cudnn).find("(h + pad_top + pad_bottom)"), std::string::npos) << as_printed(cudnn);
    EXPECT_NE(with_numbers(cudnn).find("(5 + 1 + 3)"), std::string::npos) << with_numbers(cudnn);
    EXPECT_EQ(cudnn.value, static_cast<double>(s.mec_elements()));
    EXPECT_NE(with_numbers(cho_l(s, papers)).find("9"), std::string::npos) << "i_h, padded: 5 + 1 + 3";
}

TEST(Formulas, begin_no_line_with_a_dot) {
    const ConvShape s = find_preset("vgg19/conv3_2").spec.shape;
    for (const FormulaStyle& style : {papers, cudnns})
        for (const Formula& formula : {xu_multiplications(s, style), xu_additions(s, style), cho_im2col(s, style),
                                       cho_l(s, style), cho_saving(s, style)}) {
            ASSERT_EQ(formula.math.kind, Math::Kind::row);
            EXPECT_TRUE(std::ranges::any_of(formula.math.parts, &Math::may_break)) << as_printed(formula);
            for (const Math& part : formula.math.parts)
                EXPECT_FALSE(part.may_break && part.text == "\u00b7") << as_printed(formula);
        }
}

TEST(Formulas, light_what_is_on_screen) {
    const ConvShape s = find_preset("examples/xu-fig7").spec.shape;
    const auto part = [&](const Formula& formula, const std::string& symbol) {
        const auto at = std::ranges::find(formula.terms, symbol, &FormulaTerm::symbol);
        return at->parts.front();
    };
    EXPECT_EQ(part(xu_multiplications(s, papers), "i_w"), (LitPart{ArrayId::x, LitPart::Along::cols}));
    EXPECT_EQ(part(xu_multiplications(s, papers), "k_h"), (LitPart{ArrayId::w, LitPart::Along::rows}));
    EXPECT_EQ(part(xu_additions(s, papers), "o_w").array, ArrayId::y);
    EXPECT_EQ(part(xu_additions(s, {true, Notation::paper}), "o_w").array, ArrayId::conv);  // y is pooled there
}

}  // namespace
}  // namespace convscope::app
