// The methods and devices that tests run, registered once for a whole executable.
#pragma once

#include "kernels/method/registry.h"
#include "kernels/simt/gpu_registration.h"

namespace convscope::testing {

/// All that this machine offers.
inline Registry& registry() {
    static const auto all = make_registry();
    return *all;
}

/// The simulated GPU alone, with its methods: device "sim".
inline Registry& simulated_registry() {
    static const auto simulated = [] {
        auto made = std::make_unique<Registry>();
        register_simulated_gpu(*made);
        return made;
    }();
    return *simulated;
}

}  // namespace convscope::testing
