#include "visualizers/step/request_pieces.h"

#include <gtest/gtest.h>

#include <bit>

#include "kernels/simt/on_checked/checked_device.h"
#include "tests/visualizers/step/traced.h"

namespace convscope {
namespace {

simt::TraceEvent access(unsigned thread, std::uint64_t address, unsigned bytes = 4) {
    simt::TraceEvent event;
    event.kind = simt::EventKind::load;
    event.bytes = static_cast<std::uint8_t>(bytes);
    event.thread = static_cast<std::uint16_t>(thread);
    event.address = address;
    return event;
}

TEST(RequestPieces, cuts_lines_into_the_sectors_that_move) {
    // From the second word of a line on: lanes 0 and 1 next to each other, lane 2 in the third sector, lane 3 a line
    // on.
    simt::TraceEvent a = access(0, 1028), b = access(1, 1032), c = access(2, 1024 + 64), d = access(3, 1024 + 128);
    a.index = 1, b.index = 2, c.index = 16, d.index = 32;
    const std::vector<LineUse> lines = lines_of_request(std::vector<const simt::TraceEvent*>{&a, &b, &c, &d});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].number, 0);
    EXPECT_EQ(lines[0].wanted, 1U << 1 | 1U << 2 | 1U << 16);
    EXPECT_EQ(lines[0].sectors, 0b0101U);
    EXPECT_EQ(lines[0].lane_of[2], 1U);
    EXPECT_EQ(lines[1].number, 1);
    EXPECT_EQ(lines[1].sectors, 0b0001U);
}

TEST(RequestPieces, serves_a_word_of_a_bank_at_a_time_and_shares_it) {
    // Lanes 0 and 1 share a word; lane 2 wants another word of the same bank; lane 3 has a bank of its own.
    const simt::TraceEvent a = access(0, 0), b = access(1, 0), c = access(2, 128), d = access(3, 4);
    const auto waves = wavefronts_of_request(std::vector<const simt::TraceEvent*>{&a, &b, &c, &d});
    ASSERT_EQ(waves.size(), 2U);
    EXPECT_EQ(waves[0].lanes_of[0], 0b0011U);
    EXPECT_EQ(waves[0].lanes_of[1], 0b1000U);
    EXPECT_EQ(waves[1].lanes_of[0], 0b0100U);
    EXPECT_EQ(waves[1].banks(), 1U);
    EXPECT_TRUE(wavefronts_of_request({}).empty());
}

TEST(RequestPieces, are_as_many_as_the_cost_of_every_methods_requests_says) {
    const CheckedDevice device;
    const WorkloadSpec workload = find_preset("examples/xu-fig7").spec;
    std::size_t compared = 0;
    for (const Method* method : device.registry().methods(DeviceKind::sim)) {
        if (!method->supports(workload.shape)) continue;
        const TracedBlock block = testing::traced(workload, method->info().id);
        for (std::size_t i = 0; i < block.size(); ++i) {
            const simt::ReplayStep& step = block.replay().at(i);
            if (step.request < 0) continue;
            const simt::Request& request = block.replay().cost().requests[static_cast<std::size_t>(step.request)];
            const auto lanes = block.events(step);
            ++compared;
            if (request.space == simt::Space::shared) {
                const std::vector<Wavefront> waves = wavefronts_of_request(lanes);
                EXPECT_EQ(waves.size(), request.wavefronts.count) << method->info().id << " " << i;
                EXPECT_EQ(std::ranges::count(waves, true, &Wavefront::conflict), request.wavefronts.conflicts)
                    << method->info().id << " " << i;
                continue;
            }
            unsigned sectors = 0;
            const auto lines = lines_of_request(lanes);
            for (const LineUse& line : lines) sectors += static_cast<unsigned>(std::popcount(line.sectors));
            EXPECT_EQ(lines.size(), request.lines) << method->info().id << " " << i;
            EXPECT_EQ(sectors, request.sectors) << method->info().id << " " << i;
        }
    }
    EXPECT_GT(compared, 200U);
}

}  // namespace
}  // namespace convscope
