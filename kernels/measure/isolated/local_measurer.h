// Measures in this process.
#pragma once

#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/workload_cache.h"

namespace convscope {

/// Keeps the data and the reference result of the last workload: neighbours in a sweep share them more often than not.
class LocalMeasurer : public PointMeasurer {
public:
    /// 'registry' outlives it.
    explicit LocalMeasurer(Registry& registry) : registry_(registry) {}

    std::vector<Record> measure(const PointRequest&, const PointSinks&, std::stop_token) override;
    WorkloadSpec settled(const WorkloadSpec&) override;

private:
    Registry& registry_;
    WorkloadCache data_;
};

}  // namespace convscope
