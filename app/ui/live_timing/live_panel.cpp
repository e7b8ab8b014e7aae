#include "app/ui/live_timing/live_panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/compare/method_colours.h"
#include "app/session/command_lines.h"
#include "app/session/method_choice.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/live_timing/timing_plot.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/live_words.h"
#include "app/ui/widgets/measurement_table.h"
#include "app/ui/widgets/method_list.h"
#include "app/ui/widgets/table_menu.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/measure/sample_counts.h"

namespace convscope::app {
namespace {

// The three lists at the top right, at scale 1.
constexpr float methods_width = 148, list_width = 92, lists_width = methods_width + 2 * (list_width + 8);
constexpr float narrow_panel = 560;
constexpr float low_panel = 200;  ///< a line above the table would push a row out of sight
constexpr const char* verdict_item = "live/verdict";

/// Why a method has no time, after its name and over the empty columns of its row; whole on hover.
void reason_across(const std::string& reason) {
    ImGui::SameLine(0, px(12));
    WithFont font(look().fonts->small);
    const ImVec2 at = ImGui::GetCursorScreenPos(), window = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float right = window.x + size.x - px(8);
    ImGui::PushClipRect({at.x, window.y}, {right, window.y + size.y}, false);
    ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), {at.x, at.y + px(1)}, {right, at.y + px(24)}, right, right,
                              reason.c_str(), nullptr, nullptr);
    ImGui::PopStyleColor();
    ImGui::Dummy({std::max(1.0F, right - at.x), ImGui::GetTextLineHeight()});
    ImGui::PopClipRect();
    tip(reason);
}

/// The row of a method under the present choices; null before it has one.
const LiveSeries* measured(const Frame& frame, const std::string& id) {
    if (!frame.live.current(frame.session)) return nullptr;
    for (const LiveSeries& series : frame.live.snapshot().series)
        if (series.method == id && series.latest) return &series;
    return nullptr;
}

/// The ticked methods, the fastest first; those without a time behind.
std::vector<std::string> by_time(const Frame& frame) {
    std::vector<std::string> ids = live_methods(frame.session, frame.registry);
    const auto time = [&frame](const std::string& id) {
        const LiveSeries* series = measured(frame, id);
        const bool counts = series && !is_wrong(series->latest->status);
        return counts ? series->latest->time_median_us.value_or(HUGE_VAL) : HUGE_VAL;
    };
    std::ranges::stable_sort(ids, {}, time);
    return ids;
}

/// "3 frames drawn during samples": only samples longer than a frame can wait have any.
std::string disturbance(std::uint64_t frames) {
    if (frames == 0) return {};
    return fmt::format("  {} {} drawn during samples", format_count(static_cast<std::int64_t>(frames)),
                       frames == 1 ? "frame" : "frames");
}

}  // namespace

void LivePanel::draw(Frame& frame, const ViewStyle& style) {
    const bool simulated = device_kind(frame.session, frame.registry) == DeviceKind::sim;
    const ImVec2 all = ImGui::GetContentRegionAvail();
    const bool beside = all.y < px(low_panel) && all.x > px(narrow_panel);
    const Lead verdict = LivePanel::verdict(frame);
    controls(frame, beside ? verdict : Lead{});
    if (simulated) {
        plot_ = counts_.draw(frame, style);
        return;
    }
    if (!beside) draw_lead(verdict, {.item = verdict_item, .of_panel = true});
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // At least half of the width is the plot's, unless neither would be legible.
    columns_ = room.x < px(640)    ? MeasurementColumns::brief
               : room.x < px(1220) ? MeasurementColumns::compact
                                   : MeasurementColumns::all;
    constexpr std::pair<float, float> widths[] = {{596, 640}, {336, 400}, {212, 232}};  // least and most, by columns
    const auto [least, most] = widths[static_cast<int>(columns_)];
    const float table_width = std::clamp(room.x * 0.48F, std::min(px(least), room.x), px(most));
    const float plot_width = room.x - table_width - px(16);
    if (plot_width > px(120)) {
        ImGui::BeginChild("plot", {plot_width, 0});
        plot(frame, style, 0);
        ImGui::EndChild();
        ImGui::SameLine(0, px(16));
    }
    ImGui::BeginChild("figures", {0, 0});
    table(frame, style);
    ImGui::EndChild();
}

/// Empty before there is one, and on the simulated GPU, which has no clock.
Lead LivePanel::verdict(const Frame& frame) {
    const DeviceKind kind = device_kind(frame.session, frame.registry);
    if (kind == DeviceKind::sim || !frame.live.current(frame.session)) return {};
    return live_verdict(frame.live.snapshot(), frame.registry, kind);
}

void LivePanel::draw_slide(Frame& frame, const ViewStyle& style) {
    draw_lead(verdict(frame), {.item = verdict_item});
    if (device_kind(frame.session, frame.registry) == DeviceKind::sim)
        plot_ = counts_.draw(frame, style);
    else
        plot(frame, style, 0);
}

bool LivePanel::filled(const Frame& frame) {
    return frame.live.wanted() ||
           (!frame.live.snapshot().series.empty() && frame.live.measured(frame.session.good.shape));
}

void LivePanel::state_line(Frame& frame, const Lead& verdict) {
    WithFont font(look().fonts->small);
    // A verdict says what it is of; in a narrow panel its end, how sure it is, would have no room behind a heading.
    if (verdict.empty()) {
        ImGui::TextDisabled("LIVE TIMING");
        ImGui::SameLine(0, px(16));
    }
    const LiveSnapshot& snapshot = frame.live.snapshot();
    std::string state = snapshot.running ? snapshot.phase : std::string("stopped");
    if (device_kind(frame.session, frame.registry) == DeviceKind::sim)
        state = CountPanel::state(frame.live);
    else if (!filled(frame))
        state = fmt::format("Space measures {}", fmt::join(live_methods(frame.session, frame.registry), ", "));
    else if (frame.live.current(frame.session)) {
        if (const std::string standing = describe_standing(snapshot); !standing.empty()) state += ": " + standing;
        state += disturbance(frame.live.disturbed());
    }
    const float room = ImGui::GetContentRegionMax().x - ImGui::GetCursorPosX() - px(lists_width + 16);
    const std::string meaning =
        state +
        "\nTable, lines and bands are of all samples that count since the choices were made, and stay after Stop. One "
        "whose threads had to wait for a core does not count."
        "\nThe clock runs while nothing is drawn. A sample that takes longer than 25 ms does not hold up the "
        "window: frames are drawn inside it, and may slow it.";
    if (verdict.empty()) {
        clipped_text(state.c_str(), room, look().theme->text_dim.u32());
        tip(meaning);
    } else {
        draw_lead(verdict, {.height = ImGui::GetTextLineHeightWithSpacing(),
                            .width = room,
                            .meaning = meaning,
                            .item = verdict_item,
                            .of_panel = true});
    }
    ImGui::SameLine();
}

void LivePanel::controls(Frame& frame, const Lead& verdict) {
    Session& session = frame.session;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    ImGui::AlignTextToFramePadding();
    // In a narrow window the status line at the bottom says it all.
    if (ImGui::GetContentRegionAvail().x > px(narrow_panel)) state_line(frame, verdict);
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - px(lists_width)));
    methods(frame);
    ImGui::SameLine(0, px(8));
    if (device_kind(session, frame.registry) == DeviceKind::sim) {
        counts_.controls(px(2 * list_width + 8));
        return ImGui::PopStyleVar();
    }
    std::vector<std::string> scopes, caches{"hot", "cold"};
    using enum TimingScope;
    for (TimingScope scope : {kernel, launch, copies, alloc, setup}) scopes.push_back(to_string(scope));
    if (int picked = choice("live/scope", to_string(session.choices.scope), scopes, px(list_width)); picked >= 0)
        session.choices.scope = parse_scope(scopes[static_cast<std::size_t>(picked)]);
    tip("What is timed: the kernel alone; the launch; + copies; + allocation; + library set-up");
    ImGui::SameLine(0, px(8));
    if (int picked = choice("live/cache", to_string(session.choices.cache), caches, px(list_width)); picked >= 0)
        session.choices.cache = parse_cache(caches[static_cast<std::size_t>(picked)]);
    tip("Hot: as the run before left the cache. Cold: flushed before every sample");
    ImGui::PopStyleVar();
}

void LivePanel::table(Frame& frame, const ViewStyle& style) {
    const TimeUnit unit = time_unit_of(frame.live.snapshot().series);
    if (!begin_measurement_table("figures", columns_, unit)) return;
    const DeviceKind kind = device_kind(frame.session, frame.registry);
    for (const std::string& id : by_time(frame))
        if (const Method* method = frame.registry.find(id, kind))
            row(frame, *method, method->info().vendor ? style.theme->vendor : style.theme->method(colour_of(id)), unit);
    table_menu(frame.session, "results menu", [&frame] { return live_table(frame.live.snapshot()); });
    ImGui::EndTable();
    if (!ReaderReport::active || !frame.live.current(frame.session)) return;
    const TextTable results = live_table(frame.live.snapshot());
    for (const std::vector<std::string>& row : results.rows) {
        std::string line = row.front();
        for (std::size_t i = 1; i < row.size(); ++i)
            if (!row[i].empty()) line += fmt::format(", {} {}", results.header[i], row[i]);
        ReaderReport::active->text(row.front(), line);
    }
}

void LivePanel::row(Frame& frame, const Method& method, const Rgba& colour, const TimeUnit& unit) {
    const MethodInfo& info = method.info();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    name_cell(info, colour);
    if (const Support support = runs_layer(frame.session, method); !support) {
        reason_across(support.reason);
        return;
    }
    const LiveSnapshot& snapshot = frame.live.snapshot();
    const LiveSeries* const series = measured(frame, info.id);
    if (series && is_too_busy(*series->latest)) return reason_across(series->latest->status_reason);
    const DeviceKind kind = device_kind(frame.session, frame.registry);
    if (series)
        return measurement_cells(*series, why_no_ratio(*series, snapshot, frame.registry, kind),
                                 snapshot.requested_noise_pct, columns_, unit);
    for (int i = 1; i < measurement_columns(columns_); ++i) ImGui::TableNextColumn();
    WithFont font(look().fonts->small);
    for (const LiveSeries& each : snapshot.series)
        if (snapshot.running && each.method == info.id) ImGui::TextDisabled("%s", each.progress.phase.c_str());
}

/// Swatch and name; a click switches the method off in the plot, and on again.
void LivePanel::name_cell(const MethodInfo& info, const Rgba& colour) {
    const bool hidden = state_.hidden.contains(info.id);
    ImGui::BeginGroup();
    swatch(hidden ? look().theme->hairline.u32() : colour.u32());
    ImGui::SameLine(0, px(8));
    if (hidden)
        ImGui::TextDisabled("%s", info.id.c_str());
    else
        ImGui::TextUnformatted(info.id.c_str());
    ImGui::EndGroup();
    if (press_here(("row/" + info.id).c_str(), {ControlRole::check_box, info.id, {}, !hidden}) &&
        !state_.hidden.erase(info.id))
        state_.hidden.insert(info.id);
    tip(title_and_paper(info) + (hidden ? "\nClick to show it in the plot" : "\nClick to hide it in the plot"));
}

void LivePanel::methods(Frame& frame) {
    Session& session = frame.session;
    const DeviceKind kind = device_kind(session, frame.registry);
    MethodList list{"live/methods",
                    "",
                    "The methods that are measured, in turn",
                    live_methods(session, frame.registry),
                    px(methods_width),
                    [&session](const Method& method) {
                        const Support support = runs_layer(session, method);
                        return support ? std::string() : support.reason;
                    }};
    list.shown = fmt::format("{} of {} methods", list.ticked.size(), frame.registry.methods(kind).size());
    if (const auto toggled = method_list(list, frame.registry, kind, method_search_))
        toggle_live_method(session, frame.registry, *toggled);
}

void LivePanel::plot(Frame& frame, const ViewStyle& style, float width) {
    const LiveSnapshot& snapshot = frame.live.snapshot();
    const bool current = frame.live.current(frame.session);
    if (snapshot.generation != generation_ || current != was_current_) {
        generation_ = snapshot.generation;
        was_current_ = current;
        data_ = timing_plot(current ? snapshot.series : std::vector<LiveSeries>{}, frame.registry,
                            device_kind(frame.session, frame.registry));
        if (data_.empty_hint.empty())
            data_.empty_hint = current && snapshot.running ? snapshot.phase : "Press Space to measure";
    }
    data_.command = bench_command(frame.session, frame.registry);
    plot_ = show_plot("timing", data_, state_, style, {}, {}, width);
    offer_plot(frame.session, frame.dialogs, plot_, data_, state_, {},
               {"samples", [&frame] { return about_layer(frame); }});
}

}  // namespace convscope::app
