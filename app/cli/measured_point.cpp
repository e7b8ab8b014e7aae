#include "app/cli/measured_point.h"

#include <fmt/format.h>

#include "app/cli/interrupt.h"
#include "kernels/measure/isolated/device_measurer.h"

namespace convscope::cli {

PointSinks sinks_of(Outputs& outputs, StatusLine& line) {
    PointSinks sinks;
    sinks.measure.record = [&](const Record& record) { outputs.add(record); };
    sinks.measure.progress = [&](const Progress& progress) { line.show(progress); };
    sinks.phase = [&](const std::string& phase) { line.show(phase); };
    sinks.warning = [&](const std::string& sentence) { line.warn(sentence); };
    return sinks;
}

int measure_point(Registry& registry, const PointRequest& request, Outputs& outputs, const std::stop_token& stop,
                  Unsupported unsupported) {
    StatusLine line;
    DeviceMeasurer(registry, false).measure(request, sinks_of(outputs, line), stop);
    line.clear();
    fmt::print("{}\n{}", heading_of(outputs.records().front()), table_of(outputs.records(), unsupported));
    outputs.finish();
    return stop.stop_requested() ? interrupted_status : outputs.exit_status();
}

}  // namespace convscope::cli
