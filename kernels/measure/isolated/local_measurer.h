// Measures in this process.
#pragma once

#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/judged_data.h"

namespace convscope {

/// Keeps the data and the judge's result of the last workload: neighbours in a sweep share them more often than not.
class LocalMeasurer : public PointMeasurer {
public:
    /// 'registry' outlives it.
    explicit LocalMeasurer(Registry& registry) : registry_(registry) {}

    std::vector<Record> measure(const PointRequest&, const PointSinks&, std::stop_token) override;
    WorkloadSpec settled(const WorkloadSpec&) override;

private:
    Registry& registry_;
    JudgedData data_;
};

}  // namespace convscope
