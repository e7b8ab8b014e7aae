// From flags to what they ask for. Everything here throws Error(usage) naming the flag when a value cannot be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/request/flags.h"
#include "kernels/measure/measure.h"
#include "kernels/method/registry.h"

namespace convscope {

/// The workload, its shape as requested: not yet validate()d, so that a sweep can record an impossible point.
WorkloadSpec read_workload(const FlagValues&);
/// The value of --pattern: data of files and examples has none.
Source read_pattern(const std::string&);

/// --weight-sparsity and --weight-pattern: rows, blocks and magnitude need a share, 2:4 has its own. Whether they go
/// together: validate().
void read_weight_zeros(const FlagValues&, WorkloadSpec&);

MeasureOptions read_timing(const FlagValues&);
/// The same for this device; rejects what has no meaning on one without a clock.
MeasureOptions read_timing(const FlagValues&, const Device&);
LaunchConfig read_launch(const FlagValues&);

/// The device requested, or the first GPU that is there, or the CPU.
Device& read_device(const Registry&, const FlagValues&);

/// Rejects a device without a clock: "WHAT, and sim has no clock; give --device cpu or a GPU".
void require_clock(const Device&, const std::string& what);

/// By its id, or by its family, of which it is the newest. Throws Error(not_found).
const Method& read_method(const Registry&, const Device&, const std::string& id);

/// 'list' is "a,b,c" or "all"; unset: the methods compared by default. Throws Error(not_found), and Error(usage) for a
/// list of none.
std::vector<const Method*> read_methods(const Registry&, const Device&, const std::optional<std::string>& list);

/// The method with those parts of a launch configuration that it lets a user set for this shape.
Candidate take_settable(const Method&, const ConvShape&, const LaunchConfig&);

/// Each method with those parts of the launch configuration that it takes. A part that no method takes is an
/// Error(usage); with a single method everything is kept, so that its own rejection says why.
std::vector<Candidate> make_candidates(const std::vector<const Method*>&, const ConvShape&, const LaunchConfig&,
                                       const FlagValues& = {});
/// Throws Error(usage) for a part of the launch configuration that none of the methods takes, with its label of the
/// flags.
void require_settable(const std::vector<const Method*>&, const ConvShape&, const LaunchConfig&, const FlagValues& = {});

}  // namespace convscope
