// The Sweep view's controls: axes with their values, methods, the run and how far it is.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "app/session/method_choice.h"
#include "app/session/sweep_axes.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/sweep_view/sweep_metric.h"
#include "app/ui/sweep_view/sweep_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/method_list.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/user_kernel/user_method.h"
#include "visualizers/theme/legible.h"

namespace convscope::app {
namespace {

/// Why the values of an axis do not read; empty when they do.
std::string what_is_wrong(const SweepAxis& axis) {
    try {
        values_of(axis);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// Next to the control before, or below it where there is no room for one that is this wide at scale 1.
void on_this_line(float width) {
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < px(width)) ImGui::NewLine();
}

}  // namespace

/// Rows of a file leave nothing to set but what is shown of them.
void SweepView::controls(Frame& frame) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(6), px(6)});
    const bool ours = opened_.empty();
    suggestions(frame, px(160));
    if (ours) {
        on_this_line(76);
        add_axis(frame);
        on_this_line(108);
        methods(frame, px(108));
    }
    on_this_line(112);
    metrics(frame, px(112));
    if (ours) {
        clock_choices(frame);
        axis_fields(frame);
    } else {
        on_this_line(96);
        if (button("sweep/new", "New sweep")) close_rows(frame.session);
        tip("Away with the rows of the file: a sweep of the layer on the left");
    }
    state_line(frame);
    ImGui::PopStyleVar(2);
    hairline();
}

void SweepView::metrics(Frame& frame, float width) {
    SweepChoice& choice_of = frame.session.sweep;
    const std::vector<SweepMetric> metrics = metrics_of(simulated(frame));
    std::vector<std::string> names;
    for (const SweepMetric metric : metrics) names.emplace_back(to_string(metric));
    const SweepMetric shown = metric_for(choice_of.metric, simulated(frame));
    if (int picked = choice("sweep/metric", to_string(shown), names, width); picked >= 0)
        choice_of.metric = metrics[static_cast<std::size_t>(picked)];
    tip(count_of(shown) ? std::string("What the plots show. ") + meaning_of(*count_of(shown)) : "What the plots show");
}

/// The timing scope, the cache's state and the timeout.
void SweepView::clock_choices(Frame& frame) {
    if (device_kind(frame.session, frame.registry) == DeviceKind::sim) {
        on_this_line(200);
        ImGui::AlignTextToFramePadding();
        return clipped_text("the simulated GPU has no clock", ImGui::GetContentRegionAvail().x,
                            look().theme->text_dim.u32());
    }
    Choices& choices = frame.session.choices;
    using enum TimingScope;
    std::vector<std::string> scopes, caches{"hot", "cold"}, times;
    for (const TimingScope scope : {kernel, launch, copies, alloc, setup}) scopes.emplace_back(to_string(scope));
    on_this_line(84 + 6 + 64 + 6 + 68);  // together on one line
    if (int picked = choice("sweep/scope", to_string(choices.scope), scopes, px(84)); picked >= 0)
        choices.scope = parse_scope(scopes[static_cast<std::size_t>(picked)]);
    tip("What is timed");
    ImGui::SameLine();
    if (int picked = choice("sweep/cache", to_string(choices.cache), caches, px(64)); picked >= 0)
        choices.cache = parse_cache(caches[static_cast<std::size_t>(picked)]);
    tip("Hot: as the run before left the cache. Cold: flushed before every sample");
    ImGui::SameLine();
    constexpr std::array<double, 5> seconds{0.1, 0.3, 1, 3, 10};
    for (const double each : seconds) times.push_back(fmt::format("{} s", each));
    double& timeout = frame.session.sweep.timeout_s;
    if (int picked = choice("sweep/seconds", fmt::format("{} s", timeout), times, px(68)); picked >= 0)
        timeout = seconds[static_cast<std::size_t>(picked)];
    tip("Each method is sampled at each point until its noise is 2 % or this time is over");
}

void SweepView::suggestions(Frame& frame, float width) {
    Session& session = frame.session;
    const std::vector<SweepSuggestion> list = suggested_sweeps(session, frame.registry);
    const std::vector<SweepAxis> present = axes_in_use(session, frame.registry);
    std::vector<std::string> names;
    std::string shown = "axes of your own";
    for (const SweepSuggestion& each : list) {
        names.push_back(each.name);
        if (each.axes == present) shown = each.name;
    }
    if (!opened_.empty()) shown = opened_name_;
    // Rows of a file, where the Compare view has some open.
    if (available_rows_ && !available_rows_->table.empty() && !measures())
        names.push_back("Rows of " + available_rows_->title);
    ImGui::SetNextWindowSizeConstraints({px(480), 0}, {px(560), px(560)});
    ImGui::PushID("suggestions");
    const bool open = begin_list("##list", "sweep/suggestions", "Sweep", shown, width, ImGuiComboFlags_HeightLargest);
    if (!open) tip("Sweeps to begin with, whose axes and values can be changed below, and recorded ones");
    if (open) {
        // While a sweep runs its own rows are what there is to see.
        const char* const recorded = "sweep/suggestions/recorded ";
        if (!measures()) recorded_gallery_.draw_search(recorded, ImGui::IsWindowAppearing());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool chosen = names[i] == shown;
            const bool picked = ImGui::Selectable(names[i].c_str(), chosen);
            register_item(("sweep/suggestions/" + names[i]).c_str(), {ControlRole::list_item, names[i], {}, chosen});
            if (!picked) continue;
            if (i == list.size()) {
                show_available_rows(session);
                continue;
            }
            session.sweep.axes = list[i].axes;
            session.sweep.methods = list[i].methods;
            if (!opened_.empty()) close_rows(session);
        }
        if (!measures())
            if (const auto name = recorded_gallery_.draw({recorded_}, true, recorded, ImGui::IsWindowAppearing()))
                show_recorded(session, *name);
        ImGui::EndCombo();
    }
    ImGui::PopID();
}

void SweepView::add_axis(Frame& frame) {
    Session& session = frame.session;
    std::vector<SweepAxis> present = axes_in_use(session, frame.registry);
    std::vector<SweepAxis> free;
    std::vector<std::string> names;
    for (const SweepAxis& axis : offered_axes(session, frame.registry)) {
        if (std::ranges::any_of(present, [&](const SweepAxis& other) { return name_of(other) == name_of(axis); }))
            continue;
        free.push_back(axis);
        names.push_back(name_of(axis));
    }
    if (int picked = choice("sweep/add", "+ axis", names, px(76)); picked >= 0) {
        present.push_back(free[static_cast<std::size_t>(picked)]);
        session.sweep.axes = std::move(present);
    }
    tip("Vary something else as well: all combinations are measured");
}

/// Two axes side by side.
void SweepView::axis_fields(Frame& frame) {
    std::vector<SweepAxis> axes = axes_in_use(frame.session, frame.registry);
    const std::vector<SweepAxis> before = axes;
    const float room = ImGui::GetContentRegionAvail().x, width = (room - px(16)) / 2;
    std::optional<std::size_t> removed;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (i % 2 == 1) ImGui::SameLine(0, px(16));
        if (axis_field(i, axes[i], width)) removed = i;
    }
    if (removed) axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(*removed));
    if (axes != before) frame.session.sweep.axes = std::move(axes);
}

/// Returns whether it is to be taken away.
bool SweepView::axis_field(std::size_t index, SweepAxis& axis, float width) {
    const std::string wrong = what_is_wrong(axis);
    const Theme& theme = *look().theme;
    ImGui::PushID(static_cast<int>(index));
    ImGui::BeginGroup();
    ImGui::AlignTextToFramePadding();
    const float start = ImGui::GetCursorPosX();
    clipped_text(name_of(axis).c_str(), px(84), theme.text_dim.u32());
    tip(meaning_of(axis.kind));
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(start + px(88));
    ImGui::SetNextItemWidth(width - px(88 + 32));
    if (!wrong.empty()) {
        ImGui::PushStyleColor(ImGuiCol_FrameBg, behind_rejected(theme).u32());
        ImGui::PushStyleColor(ImGuiCol_Border, theme.bad.u32());
        ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    }
    {
        WithFont font(look().fonts->mono);
        ImGui::InputText("##values", &axis.values);
    }
    register_item(("sweep/axis " + name_of(axis)).c_str(), {ControlRole::field, name_of(axis), axis.values});
    if (!wrong.empty()) {
        ImGui::PopStyleVar();
        ImGui::PopStyleColor(2);
    }
    tip(wrong.empty() ? std::string("A list a,b,c or a range start:stop:step, or a mixture. ") + meaning_of(axis.kind)
                      : wrong);
    ImGui::SameLine(0, px(4));
    const bool removed =
        button(("sweep/remove " + name_of(axis)).c_str(), "x", false, true, "Do not vary " + name_of(axis));
    tip("Do not vary this");
    ImGui::EndGroup();
    ImGui::PopID();
    return removed;
}

void SweepView::methods(Frame& frame, float width) {
    Session& session = frame.session;
    MethodList list{"sweep/methods", "", "", sweep_methods(session, frame.registry), width, [&](const Method& method) {
                        if (is_own(method.info().id)) return why_user_kernel_not_swept(session, frame.registry);
                        const Support support = method.supports(session.good.shape);
                        return support ? std::string() : support.reason;
                    }};
    std::unique_ptr<Method> own;
    if (!session.open_kernel.file.empty()) {
        UserLaunch named;
        named.id = session.open_kernel.kernel.id;
        own = make_user_method({named}, session.good.shape);
        list.own = own.get();
    }
    list.shown = list.ticked.size() == 1 ? list.ticked.front() : fmt::format("{} methods", list.ticked.size());
    list.meaning = fmt::format("Measured at every point, in turn: {}", fmt::join(list.ticked, ", "));
    if (const auto toggled = method_list(list, frame.registry, device_kind(session, frame.registry), method_search_))
        toggle_sweep_method(session, frame.registry, *toggled);
}

}  // namespace convscope::app
