// Where an execution keeps x and y on its device, for those who put them there, or take them, without the host.
#pragma once

#include "kernels/core/tensor.h"

namespace convscope {

/// An Execution whose x and y are FP32 on its device derives from this as well.
class ResidentMaps {
public:
    virtual ~ResidentMaps() = default;
    /// In which order x and y are stored there. Known from setup() on.
    virtual Layout map_layout() const = 0;
    // From allocate() to release().
    virtual float* device_x() = 0;
    virtual float* device_y() = 0;
};

}  // namespace convscope
