// A network as it was recorded on an NVIDIA GPU: what the view shows, dimmed, before anything is measured here.
#pragma once

#include <optional>
#include <string>

#include "app/ui/network_view/network_data.h"
#include "kernels/layers/network.h"

namespace convscope::app {

struct RecordedNetwork {
    NetworkData data;
    std::string provenance;  ///< "Recorded on NVIDIA H200, 22 Nov 2026, ..."
};

/// From presets/recorded/NETWORK-layers.csv; nothing where there is none. Kernel times of the methods that a network is
/// compared by; a layer's best row of each.
std::optional<RecordedNetwork> recorded_network(const Network&);

}  // namespace convscope::app
