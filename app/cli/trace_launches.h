// convscope trace --whole-launch: what each launch of a run cost in all, as JSON. docs/trace.md explains the fields.
#pragma once

#include <optional>
#include <string>

#include "kernels/simt/on_checked/trace_block.h"

namespace convscope::cli {

/// Whose requests and multiply-adds are counted: those of the kernels' source, which the host's compiler built, or
/// those that nvcc made of it.
enum class CountedBuild { source, ptx };
const char* to_string(CountedBuild);

/// Whether the simulated GPU has the method's source. True of a method that nobody knows: whoever looks for it says so.
bool has_source_build(const std::string& method);

/// Runs the method once, every block of every launch counted, and prints the sums. Without a build the source is
/// counted, where there is one. Returns the exit status; throws, with nothing printed, Error(usage) for what cannot be
/// counted, and what ends the run where a check finds something.
int trace_launches(const TraceRequest&, std::optional<CountedBuild>);

}  // namespace convscope::cli
