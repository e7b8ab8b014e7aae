// The trace of a block as JSON on stdout.
#pragma once

#include <optional>

#include "kernels/simt/on_checked/trace_block.h"

namespace convscope::cli {

/// With a thread only its steps are listed.
void write_trace(const TraceResult&, const std::optional<Dim3>& thread);

}  // namespace convscope::cli
