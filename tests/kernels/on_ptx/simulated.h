// The one device of PTX that the tests of this folder share: it takes seconds to read all modules.
#pragma once

#include "kernels/simt/on_ptx/ptx_gpu.h"

namespace convscope {

inline on_ptx::PtxDevice& simulated() {
    static on_ptx::PtxDevice device;
    return device;
}

}  // namespace convscope
