// Chooses the measurer by device.
#pragma once

#include "kernels/measure/isolated/isolated_measurer.h"
#include "kernels/measure/isolated/local_measurer.h"
#include "kernels/measure/isolated/separate_runs.h"

namespace convscope {

/// Measures on a GPU in a separate process, since one method can ruin the context for all; elsewhere in this process
/// unless isolation is requested. Several runs take a process each.
class DeviceMeasurer final : public PointMeasurer {
public:
    DeviceMeasurer(Registry& registry, bool isolate)
        : registry_(registry), isolate_(isolate), local_(registry), isolated_(registry) {}

    std::vector<Record> measure(const PointRequest& request, const PointSinks& sinks, std::stop_token stop) override {
        if (request.options.runs > 1) return measure_in_runs(isolated_, request, sinks, std::move(stop));
        const bool gpu = registry_.device(request.device).info().kind == DeviceKind::cuda;
        PointMeasurer& chosen = isolate_ || gpu ? static_cast<PointMeasurer&>(isolated_) : local_;
        return chosen.measure(request, sinks, std::move(stop));
    }
    WorkloadSpec settled(const WorkloadSpec& spec) override { return local_.settled(spec); }

private:
    Registry& registry_;
    const bool isolate_;
    LocalMeasurer local_;
    IsolatedMeasurer isolated_;
};

}  // namespace convscope
