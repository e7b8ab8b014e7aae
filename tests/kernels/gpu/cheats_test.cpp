// Methods that look faster than they are on a GPU: each must come out incorrect or suspicious, and the honest one
// passed. tests/kernels/measure/cheats_test.cpp has those that need no GPU.
#include <gtest/gtest.h>

#include "kernels/measure/measure.h"
#include "tests/kernels/gpu/cheating_method.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::Cheat;

class GpuCheats : public testing::GpuTest {
protected:
    Record measured(Cheat cheat, TimingScope scope = TimingScope::kernel) {
        const auto registry = make_registry();
        registry->add(testing::make_cheating_method(registry->get("im2col", DeviceKind::cuda), cheat));
        const ConvShape shape{.c = 16, .h = 28, .w = 28, .k = 16, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
        MeasureOptions options;
        options.scope = scope;
        options.max_noise_pct = 0;
        options.timeout_s = 1;
        options.recheck_share = 0.5;
        return measure(*registry, registry->device("cuda:0"), testing::random_workload(shape, 0.5, 1), {{"cheat", {}}},
                       options, {}, {})
            .at(0);
    }
    static void expect_reason(const Record& record, Status status, const std::string& part) {
        EXPECT_EQ(record.status, status) << to_string(record.status) << ": " << record.status_reason;
        EXPECT_NE(record.status_reason.find(part), std::string::npos) << record.status_reason;
    }
};

TEST_F(GpuCheats, who_does_not_passes) {
    for (const TimingScope scope : {TimingScope::kernel, TimingScope::launch, TimingScope::copies}) {
        const Record record = measured(Cheat::none, scope);
        EXPECT_EQ(record.status, Status::passed) << to_string(scope) << ": " << record.status_reason;
        EXPECT_GT(record.time_median_us.value_or(0), 200) << to_string(scope);
    }
}

TEST_F(GpuCheats, work_on_another_stream_is_not_in_the_graph_that_is_timed) {
    expect_reason(measured(Cheat::other_stream), Status::incorrect, "nan");
}

TEST_F(GpuCheats, work_on_another_stream_is_suspicious) {
    expect_reason(measured(Cheat::other_stream, TimingScope::launch), Status::suspicious,
                  "us of work are left when the clock stops");
}

TEST_F(GpuCheats, work_left_after_the_event_is_suspicious) {
    for (const TimingScope scope : {TimingScope::kernel, TimingScope::launch})
        expect_reason(measured(Cheat::after_event, scope), Status::suspicious,
                      "us of work are left when the clock stops");
}

TEST_F(GpuCheats, a_result_kept_from_an_earlier_run_is_suspicious) {
    for (const TimingScope scope : {TimingScope::kernel, TimingScope::launch})
        expect_reason(measured(Cheat::keeps_result, scope), Status::suspicious, "us when its inputs have changed and ");
}

TEST_F(GpuCheats, writing_nothing_when_x_is_the_same_is_incorrect) {
    expect_reason(measured(Cheat::writes_nothing), Status::incorrect, "in a later run: y[0,0,0,0] is nan");
}

}  // namespace
}  // namespace convscope
