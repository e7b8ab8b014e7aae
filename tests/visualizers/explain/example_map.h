// Shared by the tests of links.
#pragma once

#include <vector>

#include "tests/support/paper_examples.h"
#include "visualizers/explain/links.h"

namespace convscope::testing {

using Places = std::vector<ElementRef>;  // the elements in which one product shows

inline MapValues map_values_of(const char* example) {
    const Workload workload = example_workload(example);
    return {workload.spec.shape, workload.x.data.data(), workload.w.data.data()};
}

}  // namespace convscope::testing
