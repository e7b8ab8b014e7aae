#include "app/ui/shell/workload_panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <optional>

#include "app/lessons/hideable.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/draw_typed.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/fully_connected.h"
#include "kernels/layers/zero_patterns.h"
#include "visualizers/explain/element.h"

namespace convscope::app {
namespace {

constexpr std::int64_t most = 1 << 20;  // by dragging; more can be typed

using Member = std::int64_t ConvShape::*;

struct PanelField {
    const char* item_name;
    const char* label;
    const char* meaning;
    Member member;
    std::int64_t least;
};

bool draw_field(Frame& frame, const PanelField& field, float width, bool enabled = true) {
    Session& session = frame.session;
    NumberField number{field.item_name, field.label, field.meaning, field.least, most};
    number.rejected = is_rejected(session, field.member);
    number.enabled = enabled;
    number.open = true;
    if (!number_field(number, session.choices.workload.shape.*field.member, width)) return false;
    edit_workload(session);
    return true;
}

/// A dim word at the left; the row's fields follow.
void row_name(const char* name) {
    ImGui::AlignTextToFramePadding();
    {
        WithFont font(look().fonts->small);
        ImGui::TextDisabled("%s", name);
    }
    ImGui::SameLine(px(72));
}

/// Two fields side by side.
void pair_row(Frame& frame, const char* name, const PanelField& a, const PanelField& b) {
    row_name(name);
    const float width = (ImGui::GetContentRegionAvail().x - px(8)) / 2;
    draw_field(frame, a, width);
    ImGui::SameLine(0, px(8));
    draw_field(frame, b, width);
}

bool has_weight_zeros(const WorkloadSpec& spec) {
    return spec.weight_sparsity > 0 || spec.weight_pattern != WeightPattern::uniform;
}

bool needs_more(const WorkloadSpec& spec) {
    const ConvShape& shape = spec.shape;
    return shape.dilated() || shape.groups != 1 || shape.padded_by_side() || has_weight_zeros(spec);
}

/// Padding of a far side, which is kept as what it has more than the near one.
void far_padding_field(Frame& frame, const PanelField& field, Member near, float width) {
    Session& session = frame.session;
    ConvShape& shape = session.choices.workload.shape;
    std::int64_t far = shape.*near + shape.*field.member;
    NumberField number{field.item_name, field.label, field.meaning, field.least, most};
    number.rejected = is_rejected(session, field.member);
    number.open = true;
    if (!number_field(number, far, width)) return;
    shape.*field.member = far - shape.*near;
    edit_workload(session);
}

void far_padding_row(Frame& frame) {
    row_name("pad end");
    const float same_width = ImGui::CalcTextSize("same").x + 2 * ImGui::GetStyle().FramePadding.x;
    const float width = (ImGui::GetContentRegionAvail().x - px(16) - same_width) / 2;
    far_padding_field(frame, {"workload/pad_bottom", "b", "Rows of zeros below the map", &ConvShape::pad_extra_h, 0},
                      &ConvShape::pad_h, width);
    ImGui::SameLine(0, px(8));
    far_padding_field(frame,
                      {"workload/pad_right", "r", "Columns of zeros right of the map", &ConvShape::pad_extra_w, 0},
                      &ConvShape::pad_w, width);
    ImGui::SameLine(0, px(8));
    if (button("workload/pad_same", "same", false, true, "same padding")) {
        try {
            pad_same(frame.session.choices.workload.shape);
            edit_workload(frame.session);
        } catch (const Error&) {
            // The field that cannot be is marked already.
        }
    }
    tip("As much padding as makes the output the map's size divided by the stride, rounded up; an odd row or column is "
        "at the bottom or the right");
}

struct ShareField {
    const char *item_name, *label, *meaning;
    bool hidden = false;  ///< by a lesson, which asks for it
    bool enabled = true;
};

/// A slider of percents. The number stands next to it, whose grab would hide it. Returns the share that was set, 0
/// to 1.
std::optional<double> share_field(const ShareField& field, double share) {
    const ImFont& mono = *look().fonts->mono;
    const float digits = mono.CalcTextSizeA(mono.FontSize, 1e6F, 0, "99.9 %").x;
    const std::string id = fmt::format("##{}", field.item_name);
    auto percent = static_cast<float>(field.hidden ? 0 : 100 * share);
    std::optional<double> set;
    ImGui::SetNextItemWidth(-digits - px(8));
    {
        WithFont font(look().fonts->mono);
        // The slider rounds to the digits that it would print; they are seen in it while they are typed.
        const bool typing = ImGui::TempInputIsActive(ImGui::GetID(id.c_str()));
        const auto slider = [&](float& value) {
            ImGui::SliderFloat(id.c_str(), &value, 0, 100, field.hidden ? "" : "%.0f");
        };
        float in_slider = percent;
        if (!typing) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4());
        // The place of the grab is the number that is requested.
        if (field.hidden) ImGui::PushStyleColor(ImGuiCol_SliderGrab, ImVec4());
        ImGui::BeginDisabled(field.hidden || !field.enabled);
        const Edit edit = draw_typed(id.c_str(), percent, in_slider, slider);
        ImGui::EndDisabled();
        if (field.hidden) ImGui::PopStyleColor();
        if (!typing) ImGui::PopStyleColor();
        if (edit != Edit::none) {
            // 0.85 is what files and flags have for 85 %.
            if (edit == Edit::typed && percent < 1) percent *= 100;
            set = percent / 100.0;
        }
    }
    const std::string text = field.hidden ? "?" : format_percent(percent / 100.0);
    register_item(field.item_name, {ControlRole::number, field.label, text});
    tip(field.meaning);
    ImGui::SameLine(0, px(8));
    WithFont font(look().fonts->mono);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + digits - ImGui::CalcTextSize(text.c_str()).x);
    ImGui::TextUnformatted(text.c_str());
    return set;
}

/// The share that was requested; an example's own is measured, unless it was given another.
double shown_sparsity(const Frame& frame) {
    const WorkloadSpec& spec = frame.session.choices.workload;
    if (spec.source != Source::example || !frame.snapshot) return spec.sparsity;
    const Workload& shown = *frame.snapshot->workload;
    const std::int64_t elements = shown.x.elements();
    const bool rounded = zero_count(spec.sparsity, elements) == zero_count(shown.sparsity_measured, elements);
    return rounded ? spec.sparsity : shown.sparsity_measured;
}

}  // namespace

void WorkloadPanel::draw(Frame& frame) {
    heading("WORKLOAD");
    const float heading_y = ImGui::GetItemRectMin().y;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    shape_fields(frame);
    pool_fields(frame);
    data_fields(frame);
    ImGui::PopStyleVar(2);
    more_button(frame.session.choices.workload, heading_y);
    derived(frame);
}

void WorkloadPanel::shape_fields(Frame& frame) {
    // The fields are called as flags and files have them; a paper's symbol stands with their meaning.
    const Notation notation = frame.session.desktop_state.preferences.notation;
    const auto meaning = [&](const char* words, LayerSize size, const char* more = "") {
        const bool papers = notation == Notation::paper;
        return words + (papers ? fmt::format(" ({} in the papers)", symbol(size, notation)) : std::string()) + more;
    };
    const std::string map_h = meaning("Height of the input map", LayerSize::map_h),
                      map_w = meaning("Width of the input map", LayerSize::map_w);
    const char* at_most = "; at most the padded map's";
    const std::string filter_h = meaning("Height of a filter", LayerSize::filter_h, at_most),
                      filter_w = meaning("Width of a filter", LayerSize::filter_w, at_most);
    pair_row(frame, "batch", {"workload/n", "n", "Images in the batch, at least 1", &ConvShape::n, 1},
             {"workload/c", "c", "Channels of the input, at least 1", &ConvShape::c, 1});
    pair_row(frame, "map", {"workload/h", "h", map_h.c_str(), &ConvShape::h, 1},
             {"workload/w", "w", map_w.c_str(), &ConvShape::w, 1});
    pair_row(frame, "filter", {"workload/r", "r", filter_h.c_str(), &ConvShape::r, 1},
             {"workload/s", "s", filter_w.c_str(), &ConvShape::s, 1});
    pair_row(frame, "stride",
             {"workload/stride_h", "h", "Rows from one window to the next, at least 1", &ConvShape::stride_h, 1},
             {"workload/stride_w", "w", "Columns from one window to the next, at least 1", &ConvShape::stride_w, 1});
    const bool by_side = shows_more(frame.session.choices.workload);
    pair_row(frame, "pad",
             {"workload/pad_h", by_side ? "t" : "h",
              by_side ? "Rows of zeros above the map; those below it change by as many"
                      : "Rows of zeros above and below the map",
              &ConvShape::pad_h, 0},
             {"workload/pad_w", by_side ? "l" : "w",
              by_side ? "Columns of zeros left of the map; those right of it change by as many"
                      : "Columns of zeros left and right of the map",
              &ConvShape::pad_w, 0});
    if (by_side) far_padding_row(frame);
    if (shows_more(frame.session.choices.workload)) {
        pair_row(frame, "dilation",
                 {"workload/dilation_h", "h", "Rows from one element under a filter to the next, at least 1",
                  &ConvShape::dilation_h, 1},
                 {"workload/dilation_w", "w", "Columns from one element under a filter to the next, at least 1",
                  &ConvShape::dilation_w, 1});
        row_name("groups");
        draw_field(
            frame,
            {"workload/groups", "", "Groups of channels and filters; a filter sees its own group's channels only",
             &ConvShape::groups, 1},
            ImGui::GetContentRegionAvail().x);
    }
    row_name("filters");
    const float width = (ImGui::GetContentRegionAvail().x - px(8)) / 2;
    draw_field(frame, {"workload/k", "k", "Filters, and so channels of the output", &ConvShape::k, 1}, width);
    ImGui::SameLine(0, px(8));
    ConvShape& shape = frame.session.choices.workload.shape;
    bool pooled = shape.pooled();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + px(4));
    if (check_box("workload/pooling", "pooling", pooled)) {
        if (!pooled) last_pool_ = shape;
        shape.pool_h = pooled ? last_pool_.pool_h : 0;
        shape.pool_w = pooled ? last_pool_.pool_w : 0;
        shape.pool_stride = pooled ? last_pool_.pool_stride : 0;
        edit_workload(frame.session);
    }
    tip("ReLU and max-pooling after the convolution; PECR fuses all three");
}

void WorkloadPanel::pool_fields(Frame& frame) {
    if (!frame.session.choices.workload.shape.pooled()) return;
    row_name("pool");
    const float width = (ImGui::GetContentRegionAvail().x - px(16)) / 3;
    draw_field(frame, {"workload/pool_h", "h", "Height of a pooling window", &ConvShape::pool_h, 1}, width);
    ImGui::SameLine(0, px(8));
    draw_field(frame, {"workload/pool_w", "w", "Width of a pooling window", &ConvShape::pool_w, 1}, width);
    ImGui::SameLine(0, px(8));
    draw_field(
        frame,
        {"workload/pool_stride", "st", "From one pooling window to the next (Xu: p_s)", &ConvShape::pool_stride, 1},
        width);
}

/// Most layers have no dilation, no groups, the same padding on opposite sides and dense weights: their fields wait
/// behind a button.
bool WorkloadPanel::shows_more(const WorkloadSpec& spec) const {
    return more_ || needs_more(spec);
}

/// Drawn after the fields, so that the keyboard comes to them first.
void WorkloadPanel::more_button(const WorkloadSpec& spec, float heading_y) {
    if (needs_more(spec)) return;
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const WithFont font(look().fonts->small);
    const char* const words = more_ ? "less" : "more";
    const float fold = px(28);  // the panel's own button
    const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x - fold;
    ImGui::SetCursorScreenPos({right - ImGui::CalcTextSize(words).x - 2 * ImGui::GetStyle().FramePadding.x, heading_y});
    if (ImGui::SmallButton(words)) more_ = !more_;
    register_item("workload/more", {ControlRole::button, words});
    tip("Padding by side, dilation, groups and zeros in the weights");
    ImGui::SetCursorScreenPos(below);
}

void WorkloadPanel::weight_fields(Frame& frame, bool hidden) {
    Session& session = frame.session;
    WorkloadSpec& spec = session.choices.workload;
    const bool fixed = spec.weight_pattern == WeightPattern::two_of_four;
    row_name("w zeros");
    const auto share = share_field({"workload/weight_sparsity", "zeros in the weights",
                                    fixed ? "Of each four weights two are zero: the pattern 2:4 has no other share"
                                          : "Share of zeros in the weights, in percent: drawn weights, a file's and a "
                                            "worked example's are pruned",
                                    hidden, !fixed},
                                   spec.weight_sparsity);
    if (share) {
        spec.weight_sparsity = *share;
        edit_workload(session);
    }
    row_name("w pattern");
    const std::vector<std::string> patterns = weight_pattern_names();
    const std::string shown = to_string(spec.weight_pattern);
    if (int picked = choice("workload/weight_pattern", shown, patterns, -1); picked >= 0) {
        spec.weight_pattern = weight_patterns[static_cast<std::size_t>(picked)];
        if (spec.weight_pattern == WeightPattern::two_of_four) spec.weight_sparsity = two_of_four_sparsity;
        edit_workload(session);
    }
    tip("Which weights are zero: at random places; 2:4, the two smallest of each four channels; rows, whole filters; "
        "blocks, 2 x 2 of k x (c r s) as BSR has them; magnitude, the smallest of the layer");
}

void WorkloadPanel::data_fields(Frame& frame) {
    Session& session = frame.session;
    WorkloadSpec& spec = session.choices.workload;
    const bool hidden = session.lesson.hides(lessons::cards_word);
    row_name("zeros");
    const auto share = share_field(
        {"workload/sparsity", "zeros",
         "Share of zeros in the input, in percent. A worked example is thinned or filled, and keeps its weights",
         hidden},
        shown_sparsity(frame));
    if (share) {
        spec.sparsity = *share;
        edit_workload(session);
    }

    row_name("pattern");
    std::vector<std::string> patterns = zero_pattern_names();
    const std::string shown = to_string(spec.source);
    if (int picked = choice("workload/pattern", shown, patterns, -1); picked >= 0) {
        spec.source = parse_source(patterns[static_cast<std::size_t>(picked)]);
        edit_workload(session);
    }
    tip("Where the zeros are: at random places, in blobs as ReLU leaves them, as whole dead channels, or as whole "
        "empty pixels");
    if (shows_more(spec)) weight_fields(frame, hidden);

    row_name("seed");
    auto seed = static_cast<std::int64_t>(spec.seed);
    NumberField field{"workload/seed", "", "The same seed gives the same data on every machine", 0, most};
    field.open = true;
    field.enabled = (spec.source != Source::example && spec.source != Source::file) || has_weight_zeros(spec);
    if (number_field(field, seed, ImGui::GetContentRegionAvail().x)) {
        spec.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(0, seed));
        edit_workload(session);
    }
}

void WorkloadPanel::derived(Frame& frame) {
    Session& session = frame.session;
    if (session.needs_consent) {
        paragraph(session.rejection, look().theme->text.u32());
        if (button("workload/agree", "Build it", true)) agree(session);
        tip("Until then, everything shown is of the layer before");
        return;
    }
    if (!session.rejection.empty()) {
        problem(session.rejection);
        return;
    }
    const ConvShape& shape = session.good.shape;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(3)});
    const bool hides_output = session.lesson.hides(to_string(ArrayId::y));
    const auto size = [&](std::int64_t rows, std::int64_t cols) {
        return hides_output ? "hidden" : fmt::format("{} \u00d7 {} \u00d7 {} \u00d7 {}", shape.n, shape.k, rows, cols);
    };
    if (is_fully_connected(shape) && !hides_output)
        fact("layer", fully_connected_text(shape),
             "Inputs and outputs of an image: a convolution of a 1 x 1 map, whose channels are the inputs");
    else
        fact(shape.pooled() ? "convolution n, k, p, q" : "output n, k, p, q", size(shape.p(), shape.q()),
             "p = (h + padding above and below - ((r - 1) dilation + 1)) / stride + 1, rounded down");
    if (shape.pooled()) fact("pooled", size(shape.out_h(), shape.out_w()));
    fact("work, zeros included", session.lesson.hides(lessons::cards_word) ? "hidden" : flops(shape.flops_dense()),
         "2 n k p q c r s / groups");
    ImGui::PopStyleVar();
}

}  // namespace convscope::app
