// The cost of requests for elements of 4, 8 and 16 bytes and of atomics, compared with an NVIDIA H100's counters for
// the same addresses (docs/measurements/h100-counters.md).
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "kernels/simt/block_cost.h"

namespace convscope::simt {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;

using Element = std::function<unsigned(unsigned lane)>;

/// The cost of one request of one warp: each lane of the mask wants its element of an array.
Request request(EventKind kind, Space space, unsigned bytes, const Element& element, unsigned mask = all_lanes) {
    BlockTrace trace;
    trace.launch.block = {32};
    trace.arrays.emplace_back();
    trace.arrays[0].space = space;
    trace.sources = {std::source_location::current()};
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1)
            trace.events.push_back({.kind = kind,
                                    .bytes = static_cast<std::uint8_t>(bytes),
                                    .thread = static_cast<std::uint16_t>(lane),
                                    .array = 0,
                                    .address = 4096 + std::uint64_t{bytes} * element(lane),
                                    .position = 1});
    return cost_of(trace).requests.at(0);
}

struct Pattern {
    const char* name;
    Element element;
    unsigned mask;
    unsigned loads[3], stores[3];  ///< wavefronts of elements of 4, 8 and 16 bytes
};

const std::vector<Pattern>& patterns() {
    static const std::vector<Pattern> all{
        {"adjacent", [](unsigned lane) { return lane; }, all_lanes, {1, 2, 4}, {1, 2, 4}},
        {"all the same", [](unsigned) { return 0u; }, all_lanes, {1, 1, 2}, {1, 2, 4}},
        {"neighbours share", [](unsigned lane) { return lane / 2; }, all_lanes, {1, 1, 2}, {1, 2, 4}},
        {"second neighbours share", [](unsigned lane) { return lane % 2; }, all_lanes, {1, 1, 2}, {1, 2, 4}},
        {"fourth neighbours share", [](unsigned lane) { return lane % 4; }, all_lanes, {1, 2, 4}, {1, 2, 4}},
        {"quarters share", [](unsigned lane) { return lane / 8; }, all_lanes, {1, 1, 2}, {1, 2, 4}},
        {"even lanes", [](unsigned lane) { return 8 * lane % 64; }, 0x55555555u, {2, 4, 8}, {2, 8, 16}},
        {"first and last lane", [](unsigned lane) { return lane; }, 0x80000001u, {1, 1, 2}, {1, 2, 2}},
        {"lower half, the same", [](unsigned) { return 0u; }, 0x0000ffffu, {1, 1, 1}, {1, 1, 2}},
    };
    return all;
}

TEST(WideAccess, shared_loads_and_stores_take_the_wavefronts_of_the_hardware) {
    for (const Pattern& pattern : patterns())
        for (unsigned i = 0; i < 3; ++i) {
            const unsigned bytes = 4u << i;
            const auto wavefronts = [&](EventKind kind) {
                return request(kind, Space::shared, bytes, pattern.element, pattern.mask).wavefronts.count;
            };
            EXPECT_EQ(wavefronts(EventKind::load), pattern.loads[i]) << pattern.name << ", " << bytes;
            EXPECT_EQ(wavefronts(EventKind::store), pattern.stores[i]) << pattern.name << ", " << bytes;
        }
}

TEST(WideAccess, wavefronts_that_the_size_takes_are_no_bank_conflicts) {
    const auto conflicts = [](unsigned bytes, unsigned stride) {
        return request(EventKind::store, Space::shared, bytes, [=](unsigned lane) { return stride * lane; })
            .wavefronts.conflicts;
    };
    EXPECT_EQ(conflicts(4, 1), 0u);
    EXPECT_EQ(conflicts(8, 1), 0u);
    EXPECT_EQ(conflicts(16, 1), 0u);
    EXPECT_EQ(conflicts(4, 2), 1u);
    EXPECT_EQ(conflicts(8, 2), 2u) << "one for each half of the warp";
    EXPECT_EQ(conflicts(16, 2), 4u) << "one for each quarter";
    EXPECT_EQ(conflicts(4, 32), 31u);
}

TEST(WideAccess, global_requests_move_each_sector_once) {
    const Element adjacent = [](unsigned lane) { return lane; };
    const Element reversed_quarters = [](unsigned lane) { return lane * 8 % 32 + lane / 4; };
    for (EventKind kind : {EventKind::load, EventKind::store})
        for (const Element& element : {adjacent, reversed_quarters}) {
            EXPECT_EQ(request(kind, Space::global, 4, element).sectors, 4u);
            EXPECT_EQ(request(kind, Space::global, 8, element).sectors, 8u);
            EXPECT_EQ(request(kind, Space::global, 16, element).sectors, 16u);
        }
}

TEST(WideAccess, lanes_take_turns_at_the_word_of_an_atomic) {
    struct {
        Element element;
        unsigned wavefronts, sectors;
    } const counted[] = {
        {[](unsigned) { return 0u; }, 32, 32},
        {[](unsigned lane) { return lane; }, 1, 4},
        {[](unsigned lane) { return lane / 2; }, 2, 4},
        {[](unsigned lane) { return lane / 16; }, 16, 16},
        {[](unsigned lane) { return lane % 8; }, 4, 4},
        {[](unsigned lane) { return 2 * lane; }, 2, 8},
        {[](unsigned lane) { return lane / 2 * 4; }, 4, 16},
    };
    for (const auto& [element, wavefronts, sectors] : counted) {
        EXPECT_EQ(request(EventKind::atomic, Space::shared, 4, element).wavefronts.count, wavefronts);
        EXPECT_EQ(request(EventKind::atomic, Space::global, 4, element).sectors, sectors);
    }
}

}  // namespace
}  // namespace convscope::simt
