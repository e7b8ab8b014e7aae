#include "app/ui/layout_view/formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/format.h"

namespace convscope::app {
namespace {

using Along = LitPart::Along;

FormulaTerm sign(const char* text, bool may_break = false) {
    return {text, text, {}, {}, may_break};
}

FormulaTerm term(const char* symbol, std::int64_t number, std::string meaning, std::vector<LitPart> parts = {},
                 bool may_break = false) {
    return {symbol, std::to_string(number), std::move(meaning), std::move(parts), may_break};
}

/// The symbols that several formulas share. The papers' inputs are padded already, so i_w and i_h are with padding.
class Symbols {
public:
    Symbols(const ConvShape& s, bool pooled_page) : s_(s), result_(pooled_page ? ArrayId::conv : ArrayId::y) {}

    FormulaTerm i_w() const {
        return term("i_w", s_.padded_w(), "width of the map" + padding(s_.w, s_.pad_w), {{ArrayId::x, Along::cols}});
    }
    FormulaTerm i_h() const {
        return term("i_h", s_.padded_h(), "height of the map" + padding(s_.h, s_.pad_h),
                    {{ArrayId::x, Along::rows}, {ArrayId::L, Along::cols}});
    }
    FormulaTerm k_w() const { return term("k_w", s_.s, "width of the filter (s)", {{ArrayId::w, Along::cols}}); }
    FormulaTerm k_h() const { return term("k_h", s_.r, "height of the filter (r)", {{ArrayId::w, Along::rows}}); }
    /// What stands for k_w and k_h where a filter is dilated, which the papers' are not.
    FormulaTerm span_w() const {
        if (s_.dilation_w == 1) return k_w();
        return term("k'_w", s_.span_w(),
                    fmt::format("columns under a dilated filter: ({} \u2212 1) \u00b7 {} + 1", s_.s, s_.dilation_w));
    }
    FormulaTerm span_h() const {
        if (s_.dilation_h == 1) return k_h();
        return term("k'_h", s_.span_h(),
                    fmt::format("rows under a dilated filter: ({} \u2212 1) \u00b7 {} + 1", s_.r, s_.dilation_h));
    }
    /// The papers' maps have one stride: one symbol for two numbers would mean both.
    FormulaTerm c_s(bool across) const {
        const bool one = s_.stride_w == s_.stride_h;
        return term(one      ? "c_s"
                    : across ? "s_w"
                             : "s_h",
                    across ? s_.stride_w : s_.stride_h,
                    fmt::format("stride: how far the filter moves {}{}", across ? "to the right" : "down",
                                one ? "" : "; the paper has one for both directions, c_s"));
    }
    /// "((i_w - k_w)/c_s+1)", with the brackets of rounding down where that makes a difference.
    std::vector<FormulaTerm> outputs(bool across) const {
        const std::int64_t moves = across ? s_.padded_w() - s_.span_w() : s_.padded_h() - s_.span_h();
        const bool exact = moves % (across ? s_.stride_w : s_.stride_h) == 0;
        return {sign(exact ? "((" : "(\u230a(", !across),
                across ? i_w() : i_h(),
                sign("\u2212"),
                across ? span_w() : span_h(),
                sign(")/"),
                c_s(across),
                sign(exact ? "+1)" : "\u230b+1)")};
    }
    FormulaTerm o_w(bool may_break = false) const {
        return term("o_w", s_.q(),
                    fmt::format("width of the convolution's output (q): ({} \u2212 {}) / {} + 1{}", s_.padded_w(),
                                s_.span_w(), s_.stride_w, rounded(s_.padded_w() - s_.span_w(), s_.stride_w)),
                    {{result_, Along::cols}, {ArrayId::L, Along::rows}}, may_break);
    }
    FormulaTerm o_h(bool may_break = false) const {
        return term("o_h", s_.p(),
                    fmt::format("height of the convolution's output (p): ({} \u2212 {}) / {} + 1{}", s_.padded_h(),
                                s_.span_h(), s_.stride_h, rounded(s_.padded_h() - s_.span_h(), s_.stride_h)),
                    {{result_, Along::rows}}, may_break);
    }
    FormulaTerm i_n() const { return term("i_n", s_.n, "images in the batch (n)"); }
    FormulaTerm i_c() const {
        return term("i_c", s_.c,
                    "input channels (c); the paper prints k_c, output channels, but L and the matrix have the input's");
    }
    const char* rounded(std::int64_t number, std::int64_t by) const {
        return number % by == 0 ? "" : ", the division rounded down";
    }

private:
    static std::string padding(std::int64_t size, std::int64_t pad) {
        return pad == 0 ? std::string() : fmt::format(", padding included: {} + 2 \u00b7 {}", size, pad);
    }
    const ConvShape& s_;
    ArrayId result_;
};

}  // namespace

Formula xu_multiplications(const ConvShape& s, bool pooled_page) {
    const Symbols of(s, pooled_page);
    Formula formula{"xu-1", "Xu 2019, Eq. 1", {}, static_cast<double>(s.multiplications_per_map()), {}};
    formula.terms = of.outputs(true);
    for (const std::vector<FormulaTerm>& more :
         {of.outputs(false), std::vector<FormulaTerm>{sign("(", true), of.k_w(), of.k_h(), sign(")")}})
        formula.terms.insert(formula.terms.end(), more.begin(), more.end());
    const bool rounded = std::ranges::any_of(
        formula.terms, [](const FormulaTerm& one) { return one.symbol.find("\u230a") != std::string::npos; });
    if (rounded) formula.note = "The paper prints no brackets: its divisions leave no remainder.";
    return formula;
}

Formula xu_additions(const ConvShape& s, bool pooled_page) {
    const Symbols of(s, pooled_page);
    return {"xu-2",
            "Xu 2019, Eq. 2",
            {of.o_w(), of.o_h(), sign("(", true), of.k_w(), of.k_h(), sign("\u2212"), sign("1)")},
            static_cast<double>(s.additions_per_map()),
            {}};
}

Formula xu_threads(const ConvShape& s) {
    const Symbols of(s, true);
    const auto p = [&](const char* symbol, std::int64_t size, const char* meaning, Along along) {
        return term(symbol, size, meaning, {{ArrayId::y, along}});
    };
    const auto side = [&](bool across, const char* end) {
        const FormulaTerm size = across ? of.i_w() : of.i_h(), filter = across ? of.span_w() : of.span_h();
        const Along along = across ? Along::cols : Along::rows;
        const FormulaTerm pool = across ? p("p_w", s.pool_w, "width of the pooling window", along)
                                        : p("p_h", s.pool_h, "height of the pooling window", along);
        const FormulaTerm step = term("p_s", s.pool_stride, "stride of the pooling window");
        FormulaTerm stride = of.c_s(across);
        return std::vector<FormulaTerm>{sign("((", !across), size,   sign("\u2212"), filter,          sign("+"), stride,
                                        sign("\u2212"),      stride, pool,           sign("+", true), step,      stride,
                                        sign(")/("),         step,   stride,         sign(end)};
    };
    const bool square =
        s.padded_h() == s.padded_w() && s.span_h() == s.span_w() && s.stride_h == s.stride_w && s.pool_h == s.pool_w;
    // The whole quotient is squared: n_o is the threads of one side.
    Formula formula{"xu-3", "Xu 2019, Eq. 3", side(true, square ? "))\u00b2" : "))"),
                    static_cast<double>(s.out_h() * s.out_w()), "Divisions are rounded down."};
    if (square) return formula;
    const std::vector<FormulaTerm> down = side(false, "))");
    formula.terms.insert(formula.terms.end(), down.begin(), down.end());
    formula.note += " The paper prints the square of the first factor: its maps are square.";
    return formula;
}

Formula cho_im2col(const ConvShape& s, bool pooled_page) {
    const Symbols of(s, pooled_page);
    return {"cho-2",
            "Cho & Brand 2017, Eq. 2",
            {of.i_n(), of.o_h(), of.o_w(), of.k_h(), of.k_w(), of.i_c()},
            static_cast<double>(s.im2col_elements()),
            {}};
}

Formula cho_l(const ConvShape& s, bool pooled_page) {
    const Symbols of(s, pooled_page);
    return {"cho-3",
            "Cho & Brand 2017, Eq. 3",
            {of.i_n(), of.o_w(), of.i_h(), of.k_w(), of.i_c()},
            static_cast<double>(s.mec_elements()),
            {}};
}

Formula cho_saving(const ConvShape& s, bool pooled_page) {
    const Symbols of(s, pooled_page);
    FormulaTerm s_h = of.c_s(false);
    s_h.symbol = "s_h";
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double as_printed =
        real(s.n * s.c * s.q() * s.s) * real(s.padded_h() - s.r) * (real(s.r) / real(s.stride_h) - 1);
    const std::int64_t saving = s.mec_saving_elements();
    Formula formula{"cho-4", "Cho & Brand 2017, Eq. 4", {}, real(std::abs(saving)), {}};
    const bool exact = std::abs(as_printed - real(saving)) < 0.5;
    if (exact && saving >= 0) {
        formula.terms = {of.i_n(), of.i_c(),       of.o_w(), of.k_w(),       sign("(", true),
                         of.i_h(), sign("\u2212"), of.k_h(), sign(")"),      sign("(", true),
                         of.k_h(), sign("/"),      s_h,      sign("\u2212"), sign("1)")};
        return formula;
    }
    // The matrix less L, or L less the matrix: never below zero, as the words beside it say.
    formula.source = saving < 0 ? "Cho & Brand 2017, Eq. 3 less Eq. 2" : "Cho & Brand 2017, Eq. 2 less Eq. 3";
    formula.terms = {of.i_n(), of.i_c(), of.o_w(), of.k_w(), sign("(", true)};
    const std::vector<FormulaTerm> l = {of.i_h()}, matrix = {of.o_h(), of.k_h()};
    const auto add = [&](const std::vector<FormulaTerm>& terms) {
        formula.terms.insert(formula.terms.end(), terms.begin(), terms.end());
    };
    add(saving < 0 ? l : matrix);
    add({sign("\u2212")});
    add(saving < 0 ? matrix : l);
    add({sign(")")});
    if (!exact)
        formula.note =
            fmt::format("Eq. 4 gives {} elements saved: it does not round o_h = (i_h \u2212 k_h)/s_h + 1 down",
                        format_count(std::llround(as_printed)));
    return formula;
}

}  // namespace convscope::app
