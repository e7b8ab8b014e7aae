#include "app/ui/step_view/step_transport.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/step_view/step_player.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/transport_button.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr std::array speeds{1.0, 2.0, 4.0, 8.0, 16.0, 60.0, 250.0};

struct Button {
    StepMove move;
    TransportIcon icon;
    const char* name;
    const char* meaning;
};
constexpr std::array bar_buttons{
    Button{StepMove::first, TransportIcon::first, "step/first", "To the beginning (Home)"},
    Button{StepMove::previous_barrier, TransportIcon::previous_barrier, "step/previous barrier",
           "Back to the barrier before (Ctrl+Left)"},
    Button{StepMove::back, TransportIcon::back, "step/back", "One step back (Left)"},
    Button{StepMove::play_or_pause, TransportIcon::play, "step/play", "Play or pause (Space)"},
    Button{StepMove::forward, TransportIcon::forward, "step/forward", "One step: one instruction of one warp (Right)"},
    Button{StepMove::next_barrier, TransportIcon::next_barrier, "step/next barrier",
           "On to the next barrier (Ctrl+Right)"},
    Button{StepMove::last, TransportIcon::last, "step/last", "To the end (End)"},
};

std::string speed_name(double speed) {
    return fmt::format("{:.0f} steps/s", speed);
}

/// "step 12 of 49", of two sides "step 12 of 49  |  12 of 60".
std::string where(std::span<const StepTrack> tracks, const std::array<std::size_t, 2>& done) {
    auto number = [](std::size_t count) { return format_count(static_cast<std::int64_t>(count)); };
    std::string text;
    for (std::size_t i = 0; i < tracks.size(); ++i)
        if (const simt::Replay* replay = tracks[i].replay)
            text += fmt::format("{}{} of {}", text.empty() ? "step " : "  |  ",
                                number(std::min(done[i], replay->size())), number(replay->size()));
    return text;
}

/// Room for it at any step: the scale does not change its length while it is dragged on.
float width_of_where(std::span<const StepTrack> tracks) {
    std::array<std::size_t, 2> ends{};
    for (std::size_t i = 0; i < tracks.size(); ++i) ends[i] = tracks[i].replay ? tracks[i].replay->size() : 0;
    return ImGui::CalcTextSize(where(tracks, ends).c_str()).x;
}

}  // namespace

double steps_per_second(const Session& session) {
    if (session.step.speed > 0) return session.step.speed;
    return session.desktop_state.reduced_motion() ? 1 : 4;
}

float StepTransport::height() {
    return px(transport_size + 8);
}

void StepTransport::draw(Frame& frame, std::span<const StepTrack> tracks) {
    Session& session = frame.session;
    StepChoice& choice = session.step;
    buttons(session);
    const float speed_width = px(116);
    {
        WithFont font(look().fonts->small);
        const float room = ImGui::GetContentRegionAvail().x - width_of_where(tracks) - speed_width - px(40);
        if (room > px(60)) scale(session, tracks, room);
        ImGui::SameLine(0, px(12));
        ImGui::AlignTextToFramePadding();
        const std::string words = where(tracks, {choice.sides[0].done, choice.sides[1].done});
        clipped_text(words.c_str(), ImGui::GetContentRegionAvail().x - speed_width - px(8),
                     look().theme->text_dim.u32());
    }
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - speed_width);
    std::vector<std::string> names;
    for (const double speed : speeds) names.push_back(speed_name(speed));
    if (const int picked = app::choice("step/speed", speed_name(steps_per_second(session)), names, speed_width);
        picked >= 0)
        choice.speed = speeds[static_cast<std::size_t>(picked)];
    tip("How fast playing goes");
}

void StepTransport::buttons(Session& session) {
    for (const Button& each : bar_buttons) {
        const bool play = each.move == StepMove::play_or_pause;
        if (transport_button(each.name, play && session.plays_steps ? TransportIcon::pause : each.icon, play))
            session.requested.step = each.move;
        tip(each.meaning);
        ImGui::SameLine(0, px(4));
    }
}

void StepTransport::scale(Session& session, std::span<const StepTrack> tracks, float width) {
    StepChoice& choice = session.step;
    ImGui::SameLine(0, px(12));
    const ImVec2 at = ImGui::GetCursorScreenPos(), size{width, px(transport_size)};
    std::size_t longest = 1;
    for (const StepTrack& track : tracks)
        if (track.replay) longest = std::max(longest, track.replay->size());
    auto x_of = [&](std::size_t done) {
        return std::round(at.x + size.x * static_cast<float>(done) / static_cast<float>(longest));
    };
    ImGui::InvisibleButton("step/scrub", size);
    register_item("step/scrub", {ControlRole::image, where(tracks, {choice.sides[0].done, choice.sides[1].done})});
    focus_order().keep_arrows();
    if (focus_order().is_last_item()) {
        if (pressed(Key::right, true)) session.requested.step = StepMove::forward;
        if (pressed(Key::left, true)) session.requested.step = StepMove::back;
    }
    if (ImGui::IsItemActive()) {
        const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x) / size.x, 0.0F, 1.0F);
        session.plays_steps = false;
        scrub_to(choice, tracks, static_cast<std::size_t>(std::lround(share * static_cast<float>(longest))));
    }
    tip("Every step of the block; drag to any of them, or use Left and Right. The marks are "
        "barriers, dots are where breakpoints stop play");
    const Theme& theme = *look().theme;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float middle = at.y + size.y / 2, lane = px(5);
    std::size_t shown = 0;
    for (const StepTrack& track : tracks) shown += track.replay ? 1 : 0;
    float y = shown > 1 ? middle - lane : middle;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const simt::Replay* replay = tracks[i].replay;
        if (!replay) continue;
        const float half = px(2), end = x_of(replay->size()),
                    now = x_of(std::min(choice.sides[i].done, replay->size()));
        draw.AddRectFilled({at.x, y - half}, {end, y + half}, theme.raised.u32(), half);
        draw.AddRectFilled({at.x, y - half}, {now, y + half}, theme.text_dim.u32(), half);
        for (std::size_t done = replay->next_barrier(0); done < replay->size(); done = replay->next_barrier(done))
            draw.AddRectFilled({x_of(done) - px(1), y - px(5)}, {x_of(done) + px(1), y + px(5)}, theme.warning.u32());
        float drawn = 0;  // those that fall on one pixel are one
        for (const std::size_t stop : tracks[i].stops)
            if (const float x = x_of(stop); x != drawn) draw.AddCircleFilled({drawn = x, y}, px(2.5F), theme.bad.u32());
        draw.AddCircleFilled({now, y}, px(6), theme.accent.u32());
        y += 2 * lane;
    }
}

}  // namespace convscope::app
