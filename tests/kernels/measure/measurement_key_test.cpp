#include <gtest/gtest.h>

#include "kernels/measure/measure.h"
#include "kernels/records/record_key.h"
#include "tests/kernels/measure/fake_runs.h"

namespace convscope {
namespace {

using testing::FakeLab;
using testing::quick;
using testing::run;
using testing::scripted;
using testing::workload;

TEST(MeasurementKey, tells_apart_what_is_measured_and_nothing_else) {
    FakeLab lab({scripted("a"), scripted("b")});
    const Workload data = workload();
    const auto plan = [&](const std::string& id, const WorkloadSpec& spec, const MeasureOptions& options) {
        return measurement_key(planned_record(*lab.device, lab.registry->get(id, DeviceKind::cpu), spec, {}, options));
    };
    const std::string key = plan("a", data.spec, quick());
    EXPECT_EQ(measurement_key(run(lab, {"a"})[0]), key);
    EXPECT_NE(plan("b", data.spec, quick()), key);
    WorkloadSpec spec = data.spec;
    spec.sparsity = 0.6;
    EXPECT_NE(plan("a", spec, quick()), key);
    spec = data.spec;
    spec.weight_sparsity = 0.5;
    EXPECT_NE(plan("a", spec, quick()), key);
    spec.weight_pattern = WeightPattern::rows;
    EXPECT_NE(plan("a", spec, quick()), plan("a", data.spec, quick()));
    MeasureOptions cold = quick(), patient = quick();
    cold.cache = CacheMode::cold;
    EXPECT_NE(plan("a", data.spec, cold), key);
    patient.timeout_s = 60;
    EXPECT_EQ(plan("a", data.spec, patient), key) << "how long it is sampled changes the figures, not the question";
}

}  // namespace
}  // namespace convscope
