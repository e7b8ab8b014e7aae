#include "app/ui/step_view/step_player.h"

#include <algorithm>
#include <cmath>

namespace convscope::app {
namespace {

std::size_t moved(const simt::Replay& replay, std::size_t done, StepMove move) {
    switch (move) {
        case StepMove::first:
            return 0;
        case StepMove::previous_barrier:
            return replay.previous_barrier(done);
        case StepMove::back:
            return done > 0 ? done - 1 : 0;
        case StepMove::forward:
            return std::min(done + 1, replay.size());
        case StepMove::next_barrier:
            return replay.next_barrier(done);
        case StepMove::last:
            return replay.size();
        case StepMove::play_or_pause:
            break;
    }
    return done;
}

template <class Each>
void for_each_side(StepChoice& choice, std::span<const simt::Replay* const> replays, Each each) {
    for (std::size_t i = 0; i < std::min(replays.size(), choice.sides.size()); ++i)
        if (replays[i]) each(choice.sides[i].done, *replays[i]);
}

bool at_end(StepChoice& choice, std::span<const simt::Replay* const> replays) {
    bool all = true;
    for_each_side(choice, replays,
                  [&](std::size_t done, const simt::Replay& replay) { all = all && done >= replay.size(); });
    return all;
}

}  // namespace

void StepPlayer::advance(StepChoice& choice, std::span<const simt::Replay* const> replays, double seconds) {
    if (choice.requested == StepMove::play_or_pause) {
        choice.playing = !choice.playing;
        owed_ = 0;
        if (choice.playing && at_end(choice, replays)) scrub_to(choice, replays, 0);
    } else if (choice.requested) {
        choice.playing = false;
        for_each_side(choice, replays, [&](std::size_t& done, const simt::Replay& replay) {
            done = moved(replay, std::min(done, replay.size()), *choice.requested);
        });
    }
    choice.requested.reset();
    if (!choice.playing) return;
    owed_ += seconds * choice.speed;
    const double steps = std::floor(owed_);
    owed_ -= steps;
    for_each_side(choice, replays, [&](std::size_t& done, const simt::Replay& replay) {
        done = std::min(done + static_cast<std::size_t>(steps), replay.size());
    });
    if (at_end(choice, replays)) choice.playing = false;
}

void scrub_to(StepChoice& choice, std::span<const simt::Replay* const> replays, std::size_t done) {
    for_each_side(choice, replays,
                  [&](std::size_t& side, const simt::Replay& replay) { side = std::min(done, replay.size()); });
}

}  // namespace convscope::app
