// The layouts as the kernels write them, on the simulated GPU.
#pragma once

#include <memory>

#include "kernels/layers/layout_builder.h"
#include "tests/support/registries.h"

namespace convscope::testing {

inline LayoutBuilder& simulated_builder() {
    static const auto builder = simulated_registry().device("sim").make_layout_builder();
    return *builder;
}

}  // namespace convscope::testing
