// Decides the method that the launch panel is about, and the methods that are measured: the user's choice, else one
// that fits the view and the layer on screen.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace convscope::app {

/// The method chosen by hand where it runs this layer on this device, else the one that the tab is about: ECR, PECR
/// or MEC, for one map or for a whole layer.
std::string shown_method(const Session&, const Registry&);
/// The chosen method as the launch panel shows it: on the CPU, its CUDA kernels as the simulated GPU has them,
/// so that block, grid and occupancy can be explored without a GPU. Null when there is no such method.
const Method* launched_method(const Session&, const Registry&);
/// Its launch as chosen, for a GPU of this model. Where nothing is to run, on the CPU, the layer may be of any size:
/// not only such as the simulated GPU would take.
ResolvedLaunch shown_launch(const Session&, const Registry&, const Method&, const DeviceModel&);
/// The same of another configuration.
ResolvedLaunch resolved_launch(const Session&, const Registry&, const Method&, const LaunchConfig&, const DeviceModel&);
/// Marks the numbers of the chosen block, or grid, that cause the rejection of the launch: with the method's own value
/// in its place the launch would be valid. Where no single number does, all that differ from the method's own are
/// marked.
std::array<bool, 3> rejected_dims(const Session&, const Registry&, const Method&,
                                  std::optional<Dim3> LaunchConfig::*dims, const DeviceModel&);
/// The method whose kernels the Step view runs: the one chosen by hand, else the one that the tab is about, of those
/// that 'traceable' holds for the simulated GPU.
std::string stepped_method(const Session&, const Registry& traceable);

/// Whether the method can run the session's layer as it is launched there: its shape, and its weights as far as the
/// layer says them.
Support runs_layer(const Session&, const Method&);

/// The methods ticked by hand, else those that a newcomer compares first on such a layer, with the vendor's best: all
/// of them can run it. In the registry's order.
std::vector<std::string> live_methods(const Session&, const Registry&);
void toggle_live_method(Session&, const Registry&, const std::string& id);

}  // namespace convscope::app
