#include "kernels/runtime/streams.h"

#include <algorithm>

namespace convscope::runtime {

void Streams::join(Clock& to, const Clock& from) {
    for (const auto& [stream, number] : from) to[stream] = std::max(to[stream], number);
}

std::uint64_t Streams::create(bool blocking) {
    streams_[next_].blocking = blocking;
    return next_++;
}

void Streams::destroy(std::uint64_t stream) {
    const Stream& on = streams_.at(stream);
    join(destroyed_, on.clock);
    if (on.blocking) join(streams_.at(legacy).clock, on.clock);
    streams_.erase(stream);
}

Work Streams::enqueue(std::uint64_t stream) {
    Stream& on = streams_.at(stream);
    on.clock = now(stream);
    on.clock[stream] = ++on.last;
    return {stream, on.last};
}

/// The default stream and the blocking ones wait for each other.
Clock Streams::now(std::uint64_t stream) {
    Clock clock = streams_.at(stream).clock;
    if (stream != legacy && streams_.at(stream).blocking) join(clock, streams_.at(legacy).clock);
    if (stream == legacy)
        for (const auto& [id, other] : streams_)
            if (other.blocking) join(clock, other.clock);
    return clock;
}

void Streams::host_waits_for_all() {
    for (const auto& [id, stream] : streams_) join(host_, stream.clock);
    join(host_, destroyed_);
}

bool Streams::done(const Work& work) const {
    const auto known = host_.find(work.stream);
    return known != host_.end() && known->second >= work.number;
}

bool Streams::done(const Clock& clock) const {
    return std::ranges::all_of(clock, [&](const auto& each) { return done(Work{each.first, each.second}); });
}

}  // namespace convscope::runtime
