#include "app/ui/layout_view/formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/widgets/format.h"

namespace convscope::app {
namespace {

using Along = LitPart::Along;

constexpr const char* minus = "\u2212";
constexpr const char* dot = "\u00b7";

Math broken(Math math) {
    math.may_break = true;
    return math;
}

/// Factors with dots between them; a line may begin with a factor whose place is in 'breaks', never with a dot.
std::vector<Math> product(std::vector<Math> factors, const std::vector<std::size_t>& breaks = {}) {
    std::vector<Math> parts;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const bool begins = std::ranges::find(breaks, i) != breaks.end();
        if (i > 0) parts.push_back(math_sign(dot));
        parts.push_back(begins ? broken(std::move(factors[i])) : std::move(factors[i]));
    }
    return parts;
}

/// The terms that several formulas share, and the formula that they go into.
class Builder {
public:
    Builder(const ConvShape& s, const FormulaStyle& style, std::string key, std::string source)
        : s_(s), notation_(style.notation), result_(style.pooled_page ? ArrayId::conv : ArrayId::y) {
        formula_.key = std::move(key);
        formula_.source = std::move(source);
    }

    Formula done(std::vector<Math> parts, double value, std::string note = {}) {
        // The result belongs to the numbers; among the symbols nothing is above it.
        parts.push_back(
            math_term(Math{}, math_row({math_sign("="), math_text(format_count(std::llround(value)))}), -1));
        formula_.math = math_row(std::move(parts));
        formula_.value = value;
        formula_.note = std::move(note);
        return std::move(formula_);
    }
    std::string& source() { return formula_.source; }

    Math term(const std::string& symbol, std::int64_t number, std::string meaning, std::vector<LitPart> parts = {}) {
        formula_.terms.push_back({symbol, std::to_string(number), std::move(meaning), std::move(parts)});
        return math_term(math_of_name(symbol), math_text(std::to_string(number)),
                         static_cast<int>(formula_.terms.size() - 1));
    }
    Math term(LayerSize quantity, std::int64_t number, const std::string& meaning, std::vector<LitPart> parts = {}) {
        return term(symbol(quantity, notation_), number, meaning, std::move(parts));
    }

    /// The papers' inputs are padded already, so i_w is with padding. 'factor': in a product, where a sum needs
    /// brackets.
    Math map_side(bool across, bool factor = false) {
        const std::int64_t size = across ? s_.w : s_.h, pad = across ? s_.pad_w : s_.pad_h;
        const std::int64_t padding = (across ? s_.padded_w() : s_.padded_h()) - size, far = padding - pad;
        std::vector<LitPart> parts{{ArrayId::x, across ? Along::cols : Along::rows}};
        if (!across) parts.push_back({ArrayId::L, Along::cols});
        const std::string meaning = across ? "width of the map" : "height of the map";
        const LayerSize quantity = across ? LayerSize::map_w : LayerSize::map_h;
        if (notation_ == Notation::paper)
            return term(quantity, size + padding,
                        meaning + (padding == 0 ? ""
                                   : far == pad ? fmt::format(", padding included: {} + 2 {} {}", size, dot, pad)
                                                : fmt::format(", padding included: {} + {} + {}", size, pad, far)),
                        std::move(parts));
        Math side = term(quantity, size, meaning, std::move(parts));
        if (padding == 0) return side;
        if (far != pad) {
            std::vector<Math> sum{std::move(side), math_sign("+"),
                                  term(across ? "pad_left" : "pad_top", pad,
                                       across ? "columns of zeros left of the map" : "rows of zeros above the map"),
                                  math_sign("+"),
                                  term(across ? "pad_right" : "pad_bottom", far,
                                       across ? "columns of zeros right of the map" : "rows of zeros below the map")};
            return factor ? math_fence(math_row(std::move(sum))) : math_row(std::move(sum));
        }
        std::vector<Math> sum{std::move(side), math_sign("+"), math_text("2"), math_sign(dot),
                              term(across ? "pad_w" : "pad_h", pad, "rows or columns of zeros on each side")};
        return factor ? math_fence(math_row(std::move(sum))) : math_row(std::move(sum));
    }
    Math filter_side(bool across) {
        return term(across ? LayerSize::filter_w : LayerSize::filter_h, across ? s_.s : s_.r,
                    across ? "width of the filter" : "height of the filter",
                    {{ArrayId::w, across ? Along::cols : Along::rows}});
    }
    /// Among the papers' symbols: what stands for the filter's side where it is dilated, which theirs are not.
    Math span(bool across) {
        const std::int64_t dilation = across ? s_.dilation_w : s_.dilation_h;
        if (dilation == 1) return filter_side(across);
        const std::string meaning =
            fmt::format("{} under a dilated filter: ({} {} 1) {} {} + 1", across ? "columns" : "rows",
                        across ? s_.s : s_.r, minus, dot, dilation);
        return term(across ? "k'_w" : "k'_h", across ? s_.span_w() : s_.span_h(), meaning);
    }
    /// The papers' maps have one stride: one symbol for two numbers would mean both.
    Math stride(bool across) {
        const bool one = s_.stride_w == s_.stride_h;
        const LayerSize quantity = one ? LayerSize::stride : across ? LayerSize::stride_w : LayerSize::stride_h;
        return term(
            quantity, across ? s_.stride_w : s_.stride_h,
            fmt::format("stride: how far the filter moves {}{}", across ? "to the right" : "down",
                        one || notation_ == Notation::cudnn ? "" : "; the paper has one for both directions, c_s"));
    }
    /// "((i_w - k_w)/c_s + 1)", with the brackets of rounding down where that makes a difference.
    Math outputs(bool across) {
        Math moves = math_row({map_side(across), math_sign(minus), span(across)});
        Math quotient = math_fraction(std::move(moves), stride(across));
        if (!exact(across)) quotient = math_fence(std::move(quotient), "\u230a", "\u230b");
        return math_fence(math_row({std::move(quotient), math_sign("+"), math_text("1")}));
    }
    bool exact(bool across) const {
        return across ? (s_.padded_w() - s_.span_w()) % s_.stride_w == 0
                      : (s_.padded_h() - s_.span_h()) % s_.stride_h == 0;
    }
    Math out_side(bool across) {
        const std::int64_t size = across ? s_.padded_w() : s_.padded_h(), under = across ? s_.span_w() : s_.span_h();
        const std::int64_t by = across ? s_.stride_w : s_.stride_h;
        std::vector<LitPart> parts{{result_, across ? Along::cols : Along::rows}};
        if (across) parts.push_back({ArrayId::L, Along::rows});
        return term(across ? LayerSize::out_w : LayerSize::out_h, across ? s_.q() : s_.p(),
                    fmt::format("{} of the convolution's output: ({} {} {}) / {} + 1{}", across ? "width" : "height",
                                size, minus, under, by, exact(across) ? "" : ", the division rounded down"),
                    std::move(parts));
    }
    Math images() { return term(LayerSize::images, s_.n, "images in the batch"); }
    Math channels() {
        return term(LayerSize::channels, s_.c,
                    notation_ == Notation::paper
                        ? "input channels; the paper prints k_c, output channels, but L and the "
                          "matrix have the input's"
                        : "input channels");
    }

private:
    const ConvShape& s_;
    const Notation notation_;
    const ArrayId result_;
    Formula formula_;
};

}  // namespace

Formula xu_multiplications(const ConvShape& s, const FormulaStyle& style) {
    const bool papers = style.notation == Notation::paper;
    // In symbols of its own for the output's sides it is one short line: with padding, Eq. 1 would be three long ones.
    Builder of(s, style, "xu-1", papers ? "Xu 2019, Eq. 1" : "Xu 2019, Eq. 1, whose quotients are q and p");
    if (!papers) {
        Math q = of.out_side(true), p = of.out_side(false), across = of.filter_side(true);
        return of.done(product({std::move(q), std::move(p), std::move(across), of.filter_side(false)}, {2}),
                       static_cast<double>(s.multiplications_per_map()));
    }
    Math across = of.outputs(true), down = of.outputs(false), width = of.filter_side(true),
         height = of.filter_side(false);
    const bool rounded = !of.exact(true) || !of.exact(false);
    return of.done(product({std::move(across), std::move(down), std::move(width), std::move(height)}, {1, 2}),
                   static_cast<double>(s.multiplications_per_map()),
                   rounded ? "The paper prints no brackets: its divisions leave no remainder." : "");
}

Formula xu_additions(const ConvShape& s, const FormulaStyle& style) {
    Builder of(s, style, "xu-2", "Xu 2019, Eq. 2");
    Math width = of.out_side(true), height = of.out_side(false);
    std::vector<Math> window = product({of.filter_side(true), of.filter_side(false)});
    window.push_back(math_sign(minus));
    window.push_back(math_text("1"));
    return of.done(product({std::move(width), std::move(height), math_fence(math_row(std::move(window)))}, {2}),
                   static_cast<double>(s.additions_per_map()));
}

Formula xu_threads(const ConvShape& s, Notation notation) {
    const bool papers = notation == Notation::paper;
    Builder of(s, {true, notation}, "xu-3", papers ? "Xu 2019, Eq. 3" : "Xu 2019, Eq. 3, in q and p");
    const auto pool_side = [&](bool across) {
        const std::vector<LitPart> parts{{ArrayId::y, across ? Along::cols : Along::rows}};
        return across ? of.term(LayerSize::pool_w, s.pool_w, "width of the pooling window", parts)
                      : of.term(LayerSize::pool_h, s.pool_h, "height of the pooling window", parts);
    };
    const auto short_side = [&](bool across) {
        Math places = of.out_side(across);
        Math left = math_row({std::move(places), math_sign(minus), pool_side(across)});
        Math steps = math_fraction(std::move(left),
                                   of.term(LayerSize::pool_stride, s.pool_stride, "stride of the pooling window"));
        return math_row({std::move(steps), math_sign("+"), math_text("1")});
    };
    const auto printed_side = [&](bool across) {
        const auto step = [&] {
            return of.term(LayerSize::pool_stride, s.pool_stride, "stride of the pooling window");
        };
        std::vector<Math> above{of.map_side(across), math_sign(minus), of.span(across), math_sign("+"),
                                of.stride(across)};
        const auto add = [&](const char* sign, std::vector<Math> factors) {
            above.push_back(math_sign(sign));
            for (Math& each : product(std::move(factors))) above.push_back(std::move(each));
        };
        Math stride = of.stride(across);
        Math pool = pool_side(across);
        add(minus, {std::move(stride), std::move(pool)});
        Math pool_step = step();
        add("+", {std::move(pool_step), of.stride(across)});
        Math below_step = step();
        return math_fraction(math_row(std::move(above)), math_row(product({std::move(below_step), of.stride(across)})));
    };
    const auto side = [&](bool across) { return papers ? printed_side(across) : short_side(across); };
    const bool square =
        s.padded_h() == s.padded_w() && s.span_h() == s.span_w() && s.stride_h == s.stride_w && s.pool_h == s.pool_w;
    std::string note = "Divisions are rounded down.";
    const auto value = static_cast<double>(s.out_h() * s.out_w());
    // The whole quotient is squared: n_o is the threads of one side.
    if (square) return of.done({math_power(math_fence(side(true)), "2")}, value, note);
    if (papers) note += " The paper prints the square of the first factor: its maps are square.";
    Math across = math_fence(side(true));
    return of.done(product({std::move(across), math_fence(side(false))}, {1}), value, note);
}

Formula cho_im2col(const ConvShape& s, const FormulaStyle& style) {
    Builder of(s, style, "cho-2", "Cho & Brand 2017, Eq. 2");
    return of.done(product({of.images(), of.out_side(false), of.out_side(true), of.filter_side(false),
                            of.filter_side(true), of.channels()},
                           {3}),
                   static_cast<double>(s.im2col_elements()));
}

Formula cho_l(const ConvShape& s, const FormulaStyle& style) {
    Builder of(s, style, "cho-3", "Cho & Brand 2017, Eq. 3");
    return of.done(
        product({of.images(), of.out_side(true), of.map_side(false, true), of.filter_side(true), of.channels()}, {2}),
        static_cast<double>(s.mec_elements()));
}

Formula cho_saving(const ConvShape& s, const FormulaStyle& style) {
    Builder of(s, style, "cho-4", "Cho & Brand 2017, Eq. 4");
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double as_printed =
        real(s.n * s.c * s.q() * s.s) * real(s.padded_h() - s.r) * (real(s.r) / real(s.stride_h) - 1);
    const std::int64_t saving = s.mec_saving_elements();
    const bool exact = std::abs(as_printed - real(saving)) < 0.5;
    std::vector<Math> factors{of.images(), of.channels(), of.out_side(true), of.filter_side(true)};
    if (exact && saving >= 0) {
        factors.push_back(math_fence(math_row({of.map_side(false), math_sign(minus), of.filter_side(false)})));
        Math height = of.filter_side(false);
        Math stride = of.term(LayerSize::stride_h, s.stride_h, "stride: how far the filter moves down");
        factors.push_back(math_fence(
            math_row({math_fraction(std::move(height), std::move(stride)), math_sign(minus), math_text("1")})));
        return of.done(product(std::move(factors), {4, 5}), real(saving));
    }
    // The matrix less L, or L less the matrix: never below zero, as the words next to it say.
    of.source() = saving < 0 ? "Cho & Brand 2017, Eq. 3 less Eq. 2" : "Cho & Brand 2017, Eq. 2 less Eq. 3";
    std::vector<Math> l{of.map_side(false)}, matrix = product({of.out_side(false), of.filter_side(false)});
    std::vector<Math> difference = saving < 0 ? l : matrix;
    difference.push_back(math_sign(minus));
    for (Math& each : saving < 0 ? matrix : l) difference.push_back(std::move(each));
    factors.push_back(math_fence(math_row(std::move(difference))));
    std::string note;
    if (!exact)
        note = fmt::format("Eq. 4 gives {} elements saved: it does not round the output's height down",
                           format_count(std::llround(as_printed)));
    return of.done(product(std::move(factors), {4}), real(std::abs(saving)), note);
}

}  // namespace convscope::app
