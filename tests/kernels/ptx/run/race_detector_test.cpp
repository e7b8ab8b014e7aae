#include "kernels/ptx/run/race_detector.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace convscope::ptx {
namespace {

/// Everything that was done to a word, and what orders it: a definition to hold the detector against, which keeps only
/// a few accesses.
class WholeHistory {
public:
    WholeHistory(unsigned warps, bool shared) : shared_(shared), warp_syncs_(warps) {}

    void begin_block() { ++block_; }
    void barrier() { ++barriers_; }
    void sync_warp(unsigned warp) { ++warp_syncs_[warp]; }
    /// Whether the access races with an earlier one.
    bool add(unsigned thread, bool writes) {
        const Access mine{block_, thread, barriers_, warp_syncs_[thread / 32], writes};
        bool race = false;
        for (const Access& other : all_) race |= (other.writes || writes) && !ordered(other, mine);
        all_.push_back(mine);
        return race;
    }

private:
    struct Access {
        unsigned block, thread, barriers, warp_syncs;
        bool writes;
    };
    bool ordered(const Access& other, const Access& mine) const {
        if (other.block != mine.block) return shared_;
        if (other.thread == mine.thread || other.barriers < mine.barriers) return true;
        return other.thread / 32 == mine.thread / 32 && other.warp_syncs < mine.warp_syncs;
    }

    const bool shared_;
    unsigned block_ = 0, barriers_ = 0;
    std::vector<unsigned> warp_syncs_;
    std::vector<Access> all_;
};

TEST(PtxRaceDetector, finds_the_first_race_of_a_word_and_none_before) {
    constexpr int histories = 20'000;
    std::mt19937 random(7);
    const auto below = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
    int races = 0;
    for (int i = 0; i < histories; ++i) {
        const unsigned warps = 1 + below(4), blocks = 1 + below(3);
        const unsigned writes = 1 + below(40), barriers = below(20), syncs = below(20);  // of a hundred
        const bool shared = below(2) != 0;
        BlockLog log(1, Dim3{3, 1, 1});
        RaceDetector detector(0, log, false);
        WholeHistory history(warps, shared);
        ShadowCell cell;
        bool raced = false;
        for (unsigned block = 0; block < blocks; ++block) {
            detector.begin_cluster({block}, warps);
            history.begin_block();
            for (unsigned left = 3 + below(30); left > 0 && !raced; --left) {
                const unsigned warp = below(warps), thread = 32 * warp + below(3);
                if (below(100) < barriers) {
                    detector.barrier(0, std::vector<RaceDetector::AtBarrier>(warps, {~0u, true, 0}));
                    history.barrier();
                } else if (below(100) < syncs) {
                    detector.sync_warp(warp);
                    history.sync_warp(warp);
                } else {
                    const bool write = below(100) < writes;
                    detector.set_warp(warp);
                    const AccessRecord mine = detector.record(thread, 1, 15, 0);
                    const RaceDetector::Race found = write ? detector.note_write(cell, nullptr, mine, shared)
                                                           : detector.note_read(cell, nullptr, mine, shared);
                    raced = history.add(thread, write);
                    ASSERT_EQ(found.other != 0, raced) << "history " << i;
                }
            }
        }
        races += raced;
    }
    EXPECT_GT(races, histories / 2);
}

}  // namespace
}  // namespace convscope::ptx
