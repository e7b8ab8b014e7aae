// What the host does to memory of the GPU, seen where the processor refuses it.
#pragma once

namespace convscope::runtime {

/// From the first call on.
void watch_host_faults();

}  // namespace convscope::runtime
