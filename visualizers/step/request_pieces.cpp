#include "visualizers/step/request_pieces.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "kernels/simt/block_cost.h"

namespace convscope {
namespace {

constexpr std::uint64_t word_bytes = 4, line_bytes = 128;

unsigned lane_of(const simt::TraceEvent& event) {
    return event.thread % lanes_of_a_warp;
}

/// A line number that may lie before the array's own first line.
std::int64_t line_number(std::uint64_t address, std::uint64_t array_begin) {
    return static_cast<std::int64_t>(address / line_bytes) - static_cast<std::int64_t>(array_begin / line_bytes);
}

}  // namespace

std::uint32_t Wavefront::banks() const {
    std::uint32_t working = 0;
    for (unsigned bank = 0; bank < 32; ++bank)
        if (lanes_of[bank] != 0) working |= 1U << bank;
    return working;
}

std::vector<LineUse> lines_of_request(std::span<const simt::TraceEvent* const> lanes) {
    std::map<std::int64_t, LineUse> lines;
    for (const simt::TraceEvent* event : lanes) {
        const std::uint64_t element = event->bytes / std::max<std::uint64_t>(1, event->elements);
        const std::uint64_t begin = event->address - static_cast<std::uint64_t>(event->index) * element;
        for (std::uint64_t at = event->address / word_bytes * word_bytes; at < event->address + event->bytes;
             at += word_bytes) {
            LineUse& line = lines[line_number(at, begin)];
            const auto word = static_cast<unsigned>(at % line_bytes / word_bytes);
            if ((line.wanted >> word & 1) == 0) line.lane_of[word] = lane_of(*event);
            line.wanted |= 1U << word;
            line.sectors |= 1U << word / words_of_a_sector;
        }
    }
    std::vector<LineUse> ordered;
    for (auto& [number, line] : lines) {
        line.number = number;
        ordered.push_back(line);
    }
    return ordered;
}

std::vector<Wavefront> wavefronts_of_request(std::span<const simt::TraceEvent* const> lanes) {
    std::vector<Wavefront> wavefronts;
    if (lanes.empty()) return wavefronts;
    const unsigned at_once = simt::lanes_at_once({lanes.begin(), lanes.end()});
    for (unsigned first = 0; first < lanes_of_a_warp; first += at_once) {
        const std::size_t start = wavefronts.size();
        std::array<std::vector<std::uint64_t>, 32> words;  // of each bank, in the order of the lanes
        for (const simt::TraceEvent* event : lanes) {
            const unsigned lane = lane_of(*event);
            if (lane < first || lane >= first + at_once) continue;
            for (std::uint64_t word = event->address / word_bytes; word * word_bytes < event->address + event->bytes;
                 ++word) {
                const std::size_t bank = word % 32;
                auto& served = words[bank];
                // Lanes share a word, but atomics take turns at it.
                const auto found = event->kind == simt::EventKind::atomic
                                       ? served.end()
                                       : std::find(served.begin(), served.end(), word);
                const auto turn = static_cast<std::size_t>(found - served.begin());
                if (found == served.end()) served.push_back(word);
                if (start + turn >= wavefronts.size()) wavefronts.resize(start + turn + 1);
                wavefronts[start + turn].lanes_of[bank] |= 1U << lane;
                wavefronts[start + turn].conflict = turn > 0;
            }
        }
    }
    return wavefronts;
}

bool has_conflicts(std::span<const Wavefront> wavefronts) {
    return std::ranges::any_of(wavefronts, &Wavefront::conflict);
}

}  // namespace convscope
