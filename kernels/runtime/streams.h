// Tracks which work on the simulated GPU the host knows to be done. A launch here has ended when its call returns; on a
// GPU it has not, and a program that uses its results before waiting is wrong there.
#pragma once

#include <cstdint>
#include <map>

namespace convscope::runtime {

/// How much of each stream's work is over: the number of a piece of work.
using Clock = std::map<std::uint64_t, std::uint64_t>;

struct Work {
    std::uint64_t stream = 0, number = 0;
};

class Streams {
public:
    static constexpr std::uint64_t legacy = 0;  ///< the default stream

    std::uint64_t create(bool blocking);
    bool known(std::uint64_t stream) const { return streams_.contains(stream); }
    bool is_blocking(std::uint64_t stream) const { return streams_.at(stream).blocking; }
    /// The stream's work goes on, and ends for a caller who waits for all of it.
    void destroy(std::uint64_t stream);

    Work enqueue(std::uint64_t stream);
    Clock now(std::uint64_t stream);  ///< for an event
    void wait(std::uint64_t stream, const Clock& event) { join(streams_.at(stream).clock, event); }
    void host_waits(const Clock& clock) { join(host_, clock); }
    void host_waits_for(std::uint64_t stream) { host_waits(now(stream)); }
    void host_waits_for_all();
    bool done(const Work&) const;  ///< the host has waited for it
    bool done(const Clock&) const;

private:
    struct Stream {
        bool blocking = true;
        std::uint64_t last = 0;
        Clock clock;
    };
    static void join(Clock& to, const Clock& from);
    std::map<std::uint64_t, Stream> streams_{{legacy, {}}};
    Clock destroyed_;          ///< of streams that are no more
    std::uint64_t next_ = 16;  // what small numbers mean is CUDA's
    Clock host_;
};

}  // namespace convscope::runtime
