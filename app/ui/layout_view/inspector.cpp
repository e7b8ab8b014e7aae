#include "app/ui/layout_view/inspector.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <set>

#include "app/ui/input/item_registry.h"
#include "app/ui/layout_view/formula_line.h"
#include "app/ui/layout_view/layer_pin.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

std::string ratio(std::int64_t a, std::int64_t b) {
    return b == 0 ? "-" : three_digits(static_cast<double>(a) / static_cast<double>(b));
}

/// Whether the page on screen shows the convolution apart from the pooled output.
bool shows_pooling(const Session& session, const ConvShape& shape) {
    return shape.pooled() && (session.tab == "pecr" || session.tab == "output");
}

/// The hint of each page while nothing is pointed at.
const char* hint_of(TabId tab) {
    if (tab == "solutions")
        return "Point at a cell to see what it is multiplied with; a click pins it. Left and Right go through the "
               "products, Home and End to the first and the last.";
    if (tab == "formats") return "Point at an element to see it in every format. A click pins it; Esc unpins.";
    if (tab == "balance") return "Point at a bar or a dot to read it.";
    return "Point at a cell to see what it is linked with. A click pins it; Esc unpins.";
}

float height_of(const std::vector<Formula>& formulas) {
    float height = 0;
    for (const Formula& formula : formulas) height += formula_height(formula);
    return height;
}

std::string of_elements(std::int64_t count) {
    return fmt::format("{}  {}", format_count(count), bytes(4.0 * static_cast<double>(count)));
}

}  // namespace

void Inspector::draw(Frame& frame, const LayoutViewResult& result) {
    heading("INSPECTOR");
    pointed_at(frame, result);
    if (!frame.snapshot) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
    make_formulas(frame);
    leave_out_formulas(frame.session.tab);
    const float top = ImGui::GetCursorPosY();
    ImGui::Dummy({0, px(4)});
    hairline();
    work_card(frame);
    ImGui::Dummy({0, px(4)});
    hairline();
    memory_card(frame);
    base_ = ImGui::GetCursorPosY() - top - drawn_;
    ImGui::PopStyleVar();
}

void Inspector::make_formulas(Frame& frame) {
    const ConvShape &layer = frame.snapshot->workload->spec.shape, &map = frame.snapshot->map_shape;
    const bool pooled = shows_pooling(frame.session, layer);
    const FormulaStyle style{pooled, frame.session.desktop_state.preferences.notation};
    work_ = {xu_multiplications(map, style), xu_additions(map, style)};
    if (pooled) work_.push_back(xu_threads(map, style.notation));
    memory_ = {cho_im2col(layer, style), cho_l(layer, style), cho_saving(layer, style)};
}

/// Nothing has to be scrolled: where both cards do not fit with their formulas, that of the page has them, and the
/// other's heading says how to see its own. Where not even these fit, their fractions are written in the line.
void Inspector::leave_out_formulas(TabId tab) {
    // Whatever is scrolled.
    const float room = ImGui::GetWindowHeight() - ImGui::GetStyle().WindowPadding.y - ImGui::GetCursorPosY();
    const bool both = base_ + height_of(work_) + height_of(memory_) <= room;
    if (tab != tab_ || both) requested_memory_.reset();
    tab_ = tab;
    const bool about_memory = requested_memory_.value_or(tab == "lowering" || tab == "solutions");
    with_work_ = both || !about_memory;
    with_memory_ = both || about_memory;
    drawn_ = 0;
    std::vector<Formula>& shown = about_memory ? memory_ : work_;
    if (both || base_ + height_of(shown) <= room) return;
    for (Formula& formula : shown) formula.math = in_one_line(formula.math);
}

void Inspector::card_heading(const char* name, bool memory) {
    heading(name);
    if (memory ? with_memory_ : with_work_) return;
    const WithFont font(look().fonts->small);
    const char* const words = "formulas \u203a";
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(words).x -
                    2 * ImGui::GetStyle().FramePadding.x);
    ImGui::PushID(name);
    if (ImGui::SmallButton(words)) requested_memory_ = memory;
    ImGui::PopID();
    register_item(memory ? "inspector/memory formulas" : "inspector/work formulas",
                  {ControlRole::button, memory ? "Formulas of the memory" : "Formulas of the work"});
    tip("Those of the other card fold away: there is no room for both");
}

/// A figure with the paper's formula for it below; its name lights up what the figure is the size of.
void Inspector::with_formula(Session& session, const char* name, const std::string& value, const Formula& formula,
                             bool drawn, const LitTerm& whole) {
    std::string meaning = formula.source + (formula.note.empty() ? "" : ". ") + formula.note;
    std::set<std::string> named;
    for (const FormulaTerm& term : formula.terms)
        if (named.insert(term.symbol).second)
            meaning += fmt::format("\n{} = {}: {}", term.symbol, term.number, term.meaning);
    fact(name, value, meaning.c_str());
    register_rect(("formula/" + formula.key + "/name").c_str());
    if (ImGui::IsItemHovered() && !whole.parts.empty()) session.lit = whole;
    if (!drawn) return;
    formula_line(session, formula);
    drawn_ += formula_height(formula);
}

void Inspector::pointed_at(Frame& frame, const LayoutViewResult& result) {
    Session& session = frame.session;
    // Above the words, which come and go with what is pointed at.
    if (session.layer.whole && session.layer.pinned) layer_pin_controls(session, *frame.snapshot);
    const Theme& theme = *look().theme;
    if (result.links.sentence.empty()) {
        paragraph(hint_of(session.tab), theme.text_dim.u32());
    } else {
        paragraph(result.links.sentence, theme.text.u32());
        announce("links", result.links.sentence);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
        WithFont font(look().fonts->mono_small);
        for (const std::string& line : result.links.details) paragraph(line, theme.text_dim.u32());
        if (!result.across.sentence.empty()) paragraph(result.across.sentence, theme.accent.u32());
        ImGui::PopStyleVar();
    }
}

void Inspector::work_card(Frame& frame) {
    const Snapshot& snapshot = *frame.snapshot;
    const MapWork& work = snapshot.map_work;
    const ConvShape& shape = snapshot.workload->spec.shape;
    Session& session = frame.session;
    card_heading("WORK", false);
    with_formula(session, "multiplications", format_count(work.dense_multiplications), work_[0], with_work_);
    fact("needed", fmt::format("{}  {}", format_count(work.needed_multiplications), format_percent(1 - work.skipped())),
         "Those with a value of x that is not zero: what ECR keeps");
    with_formula(session, "additions", format_count(work.dense_additions), work_[1], with_work_);
    fact("needed", format_count(work.needed_additions), "One fewer than the products of each window");
    if (work_.size() > 2)
        with_formula(session, "threads of PECR", format_count(shape.out_h() * shape.out_w()), work_[2], with_work_);
    if (shape.n * shape.c * shape.k > 1) {
        fact("layer, dense", flops(shape.flops_dense()), "2 n k p q c r s / groups");
        fact("layer, effective", flops(snapshot.flops_effective), "2 per multiply-add with an input that is not zero");
    }
}

void Inspector::mec_memory(Session& session, const ConvShape& shape) {
    with_formula(session, "MEC's L", of_elements(shape.mec_elements()), memory_[1], with_memory_,
                 {"L", {{ArrayId::L, LitPart::Along::all}}});
    const std::int64_t saving = shape.mec_saving_elements();
    with_formula(session, saving >= 0 ? "MEC saves" : "MEC costs more",
                 fmt::format("{}  {}x", bytes(4.0 * static_cast<double>(std::abs(saving))),
                             ratio(shape.im2col_elements(), shape.mec_elements())),
                 memory_[2], with_memory_);
}

void Inspector::memory_card(Frame& frame) {
    const Snapshot& snapshot = *frame.snapshot;
    const ConvShape& shape = snapshot.workload->spec.shape;
    Session& session = frame.session;
    card_heading("MEMORY", true);
    fact("x + w + y", bytes(static_cast<double>(shape.min_bytes())), "Input, weights and output in FP32");
    with_formula(session, "im2col", of_elements(shape.im2col_elements()), memory_[0], with_memory_,
                 {"im2col", {{ArrayId::im2col, LitPart::Along::all}}});
    if (shape.dilated())
        fact("MEC's L", "none", "MEC needs windows whose rows follow each other: no dilation");
    else
        mec_memory(session, shape);
    fact("zeros", format_percent(snapshot.workload->sparsity_measured), "Share of zeros in the input, measured");
    const Workload& workload = *snapshot.workload;
    if (workload.spec.weight_sparsity > 0)
        fact("zeros in w", format_percent(workload.weight_sparsity_measured),
             fmt::format("Share of zeros in the weights, measured; {} were requested, {}",
                         format_percent(workload.spec.weight_sparsity), to_string(workload.spec.weight_pattern))
                 .c_str());
    if (workload.nan_count + workload.inf_count > 0)
        problem(fmt::format("The data holds {} NaN and {} infinite values.", workload.nan_count, workload.inf_count));
}

}  // namespace convscope::app
