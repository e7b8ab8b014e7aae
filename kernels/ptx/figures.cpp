#include "kernels/ptx/figures.h"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/ptx/warp.h"

namespace convscope::ptx {
namespace {

constexpr unsigned sector_bytes = 32, bank_bytes = 4, banks = 32;

bool paired(const std::uint64_t* addresses, std::uint32_t mask, unsigned apart) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        if ((mask >> lane & 1) && (mask >> (lane ^ apart) & 1) && addresses[lane] != addresses[lane ^ apart])
            return false;
    return true;
}

/// The most that one bank has to serve: different words, which lanes share, or, of atomics, lanes.
unsigned busiest_bank(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool atomic) {
    std::array<std::uint64_t, 8 * lanes> words;
    std::size_t count = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (mask >> lane & 1)
            for (std::uint64_t word = addresses[lane] / bank_bytes; word * bank_bytes < addresses[lane] + bytes; ++word)
                words[count++] = word;
    auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    if (!atomic) {
        std::sort(words.begin(), end);
        end = std::unique(words.begin(), end);
    }
    std::array<unsigned, banks> of_bank{};
    for (auto word = words.begin(); word != end; ++word) ++of_bank[*word % banks];
    return *std::ranges::max_element(of_bank);
}

Traffic& traffic_of(Figures& figures, Kind kind, bool shared) {
    if (kind == Kind::store) return shared ? figures.shared_stores : figures.global_stores;
    if (kind == Kind::atomic) return shared ? figures.shared_atomics : figures.global_atomics;
    return shared ? figures.shared_loads : figures.global_loads;
}

}  // namespace

void Traffic::add(const Traffic& other) {
    requests += other.requests;
    sectors += other.sectors;
    wavefronts += other.wavefronts;
}

double Figures::active_lanes() const {
    return warp_instructions == 0 ? 0
                                  : static_cast<double>(thread_instructions) / static_cast<double>(warp_instructions);
}

Figures figures_of(const Program& program, const std::vector<Counters>& all) {
    Figures figures;
    for (const Counters& counters : all)
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const Op& op = program.ops[i];
            const Counters::PerOp& count = counters.ops[i];
            figures.warp_instructions += count.issued;
            figures.thread_instructions += count.lanes;
            figures.by_kind[static_cast<std::size_t>(op.kind)] += count.issued;
            if (op.zero_counts) {
                figures.multiplications += count.lanes;
                figures.zero_multiplications += count.zeros;
            }
            const Traffic &global = counters.global[i], &shared = counters.shared[i];
            traffic_of(figures, op.kind, false).add(global);
            traffic_of(figures, op.kind, true).add(shared);
            if (count.issued == 0) continue;
            LineFigures& line = figures.by_line[program.lines[op.site]];
            line.issued += count.issued;
            // One that takes several Ops is issued once.
            const Instruction* instruction = program.instructions[i];
            if (i == 0 || program.instructions[i - 1] != instruction)
                figures.by_ptx_line[instruction->text_line] += count.issued;
            line.lanes += count.lanes;
            line.global.add(global);
            line.shared.add(shared);
        }
    return figures;
}

/// Atomics take turns at a word, and move its sector each time.
unsigned sectors_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool atomic) {
    std::array<std::uint64_t, 2 * lanes> sectors;
    std::size_t count = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(mask >> lane & 1)) continue;
        const std::uint64_t first = addresses[lane] / sector_bytes, last = (addresses[lane] + bytes - 1) / sector_bytes;
        sectors[count++] = first;
        if (last != first) sectors[count++] = last;
    }
    const auto end = sectors.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(sectors.begin(), end);
    const auto distinct = static_cast<unsigned>(std::unique(sectors.begin(), end) - sectors.begin());
    if (!atomic) return distinct;
    unsigned sum = 0;
    for (unsigned i = 0; i < distinct; ++i) {
        unsigned turns = 0;
        for (unsigned lane = 0; lane < lanes; ++lane) {
            if (!(mask >> lane & 1) || addresses[lane] / sector_bytes != sectors[i]) continue;
            unsigned same = 0;
            for (unsigned other = 0; other < lanes; ++other)
                same += (mask >> other & 1) && addresses[other] == addresses[lane];
            turns = std::max(turns, same);
        }
        sum += turns;
    }
    return sum;
}

/// Wide elements are served to a half or a quarter of the warp at a time; loads to twice as many lanes where all
/// neighbours, or all second neighbours, share their elements: as kernels/simt/block_cost.h has it.
unsigned wavefronts_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool load, bool atomic) {
    unsigned at_once = lanes / std::max(1u, bytes / bank_bytes);
    if (load && at_once < lanes && (paired(addresses, mask, 1) || paired(addresses, mask, 2))) at_once *= 2;
    unsigned sum = 0;
    for (unsigned first = 0; first < lanes; first += at_once) {
        const std::uint32_t part = (at_once == lanes ? all_lanes : ((1u << at_once) - 1)) << first & mask;
        if (part) sum += busiest_bank(addresses, part, bytes, atomic);
    }
    return sum;
}

}  // namespace convscope::ptx
