// Measures in this process.
#pragma once

#include <optional>

#include "app/sweep/point_measurer.h"

namespace convscope {

/// Keeps the data and the judge's result of the last workload: neighbours in a sweep share them more often than not.
class LocalMeasurer : public PointMeasurer {
public:
    /// 'registry' outlives it.
    explicit LocalMeasurer(Registry& registry) : registry_(registry) {}

    std::vector<Record> measure(const PointRequest&, const PointSinks&, std::stop_token) override;
    WorkloadSpec settled(const WorkloadSpec&) override;

private:
    const Workload& workload_of(const WorkloadSpec&, const PointSinks&);

    Registry& registry_;
    std::optional<Workload> workload_;
    WorkloadSpec asked_;  // what workload_ was made from
    std::optional<Judgement> judgement_;
};

}  // namespace convscope
