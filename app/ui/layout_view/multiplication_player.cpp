#include "app/ui/layout_view/multiplication_player.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/input/keys.h"
#include "app/ui/widgets/transport_button.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr double pause_s = 0.32;  ///< between two elements
constexpr float button_size = 24, gap = 10;

bool pools(const Frame& frame) {
    return frame.snapshot->map_shape.pooled() && (frame.session.tab == "pecr" || frame.session.tab == "output");
}

/// The last element of the page's y.
Cell last_of(const Frame& frame) {
    const ConvShape& s = frame.snapshot->map_shape;
    return pools(frame) ? Cell{s.out_h() - 1, s.out_w() - 1} : Cell{s.p() - 1, s.q() - 1};
}

PlayButtons buttons_of(const std::optional<Cell>& y, const Cell& last) {
    return {
        "multiply", "element of y", "Multiplies window after window: each fills an element of y", y && *y != Cell{0, 0},
        y != last,  button_size};
}

}  // namespace

bool MultiplicationPlayer::available(const Frame& frame) {
    const Session& session = frame.session;
    if (!frame.snapshot || session.layer.whole || !session.lesson.hidden.empty()) return false;
    const ConvShape& s = frame.snapshot->map_shape;
    if (session.tab == "pecr") return s.pooled();
    if (session.tab == "lowering") return !s.dilated();
    return session.tab == "ecr" || session.tab == "output";
}

float MultiplicationPlayer::width() {
    return px(buttons_of({}, {}).width() + gap);
}

void MultiplicationPlayer::draw(Frame& frame) {
    const MultiplicationChoice& choice = frame.session.multiplication;
    if (const auto move = play_buttons(buttons_of(choice.y, last_of(frame)), choice.plays))
        frame.session.requested.play = move;
}

void MultiplicationPlayer::update(Frame& frame, const Cell& first, bool has_keys) {
    MultiplicationChoice& choice = frame.session.multiplication;
    std::optional<PlayMove> move = std::exchange(frame.session.requested.play, std::nullopt);
    const bool can = available(frame);
    const Cell last = last_of(frame);
    if (!can || (choice.y && shown_ && *shown_ != Stage{frame.session.tab, last})) choice = {};
    if (!can) move.reset();
    const std::int64_t cols = last.col + 1, end = last.row * cols + last.col;
    const auto go_to = [&](std::int64_t element) {
        element = std::clamp<std::int64_t>(element, 0, end);
        choice = {Cell{element / cols, element % cols}, choice.plays, {}};
    };
    const bool walks = choice.y && has_keys;
    const std::int64_t here = choice.y ? choice.y->row * cols + choice.y->col : first.row * cols + first.col;
    std::int64_t to = here;
    if (walks) {
        to += pressed(Key::right, true) - pressed(Key::left, true) +
              cols * (pressed(Key::down, true) - pressed(Key::up, true));
        if (pressed(Key::home)) to = 0;
        if (pressed(Key::end)) to = end;
    }
    if (move == PlayMove::back) --to;
    if (move == PlayMove::forward && choice.y) ++to;
    if (move == PlayMove::play_or_pause && choice.plays) {
        choice.plays = false;
        if (seconds_ < course_) choice.held = seconds_;
    } else if (move == PlayMove::play_or_pause) {
        const bool over = here == end && !choice.held;
        if (!choice.y || over) go_to(over ? 0 : here);
        choice.plays = true;
        choice.held.reset();
    } else if (move || to != here) {
        choice.plays = false;
        go_to(to);
    }
    shown_ = choice.y ? std::optional(Stage{frame.session.tab, last}) : std::nullopt;
}

void MultiplicationPlayer::advance(Frame& frame, const LayoutViewResult& result) {
    MultiplicationChoice& choice = frame.session.multiplication;
    if (!choice.plays) return;
    // A page that is too small shows none.
    if (!result.multiplication) {
        choice.plays = false;
        return;
    }
    seconds_ = result.multiplication->seconds;
    course_ = result.multiplication->course;
    if (seconds_ < course_ + pause_s) return;
    const Cell last = last_of(frame), y = result.multiplication->y;
    if (y == last)
        choice.plays = false;
    else
        choice.y = y.col < last.col ? Cell{y.row, y.col + 1} : Cell{y.row + 1, 0};
}

}  // namespace convscope::app
