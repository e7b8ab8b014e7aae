#include "app/ui/step_view/step_player.h"

#include <algorithm>
#include <cmath>

namespace convscope::app {
namespace {

/// The first stop behind 'done'; none: 'end'.
std::size_t next_stop(std::span<const std::size_t> stops, std::size_t done, std::size_t end) {
    const auto next = std::ranges::upper_bound(stops, done);
    return next == stops.end() ? end : *next;
}

std::size_t previous_stop(std::span<const std::size_t> stops, std::size_t done) {
    const auto here = std::ranges::lower_bound(stops, done);
    return here == stops.begin() ? done : *(here - 1);
}

std::size_t moved(const StepTrack& track, std::size_t done, StepMove move) {
    const simt::Replay& replay = *track.replay;
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
        case StepMove::next_breakpoint:
            return next_stop(track.stops, done, done);
        case StepMove::previous_breakpoint:
            return previous_stop(track.stops, done);
        case StepMove::play_or_pause:
            break;
    }
    return done;
}

template <class Each>
void for_each_side(StepChoice& choice, std::span<const StepTrack> tracks, Each each) {
    for (std::size_t i = 0; i < std::min(tracks.size(), choice.sides.size()); ++i)
        if (tracks[i].replay) each(choice.sides[i].done, tracks[i]);
}

bool at_end(StepChoice& choice, std::span<const StepTrack> tracks) {
    bool all = true;
    for_each_side(choice, tracks,
                  [&](std::size_t done, const StepTrack& track) { all = all && done >= track.replay->size(); });
    return all;
}

}  // namespace

void StepPlayer::take(std::optional<StepMove> move, StepChoice& choice, bool& playing,
                      std::span<const StepTrack> tracks) {
    if (!move) return;
    playing = move == StepMove::play_or_pause && !playing;
    if (move == StepMove::play_or_pause) {
        owed_ = 0;
        if (playing && at_end(choice, tracks)) scrub_to(choice, tracks, 0);
        return;
    }
    for_each_side(choice, tracks, [&](std::size_t& done, const StepTrack& track) {
        done = moved(track, std::min(done, track.replay->size()), *move);
    });
}

void StepPlayer::advance(StepChoice& choice, bool& playing, std::span<const StepTrack> tracks, double seconds,
                         double steps_per_second) {
    if (!playing) return;
    owed_ += seconds * steps_per_second;
    const double earned = std::floor(owed_);
    owed_ -= earned;
    auto steps = static_cast<std::size_t>(earned);
    bool stopped = false;
    for_each_side(choice, tracks, [&](std::size_t done, const StepTrack& track) {
        const std::size_t stop = next_stop(track.stops, done, track.replay->size() + 1);
        if (stop > track.replay->size() || stop > done + steps) return;
        steps = stop - done;
        stopped = true;
    });
    for_each_side(choice, tracks, [&](std::size_t& done, const StepTrack& track) {
        done = std::min(done + steps, track.replay->size());
    });
    if (stopped || at_end(choice, tracks)) playing = false;
}

void scrub_to(StepChoice& choice, std::span<const StepTrack> tracks, std::size_t done) {
    for_each_side(choice, tracks,
                  [&](std::size_t& side, const StepTrack& track) { side = std::min(done, track.replay->size()); });
}

}  // namespace convscope::app
