// One point measured on the command line: its rows, as they come, and a table of them at the end.
#pragma once

#include <stop_token>

#include "app/cli/outputs.h"
#include "app/cli/status_line.h"
#include "app/cli/table.h"
#include "kernels/measure/isolated/point_measurer.h"

namespace convscope::cli {

/// Rows go to 'outputs', progress to the line, warnings to stderr. Both outlive the sinks.
PointSinks sinks_of(Outputs& outputs, StatusLine& line);

/// Measures it on the device and prints the table. The exit status. Throws Error.
int measure_point(Registry&, const PointRequest&, Outputs&, const std::stop_token&, Unsupported = Unsupported::as_rows);

}  // namespace convscope::cli
