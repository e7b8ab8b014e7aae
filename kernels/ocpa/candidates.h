// Which methods a choice is made among: by their properties in the registry, not by their names.
#pragma once

#include <vector>

#include "kernels/method/registry.h"

namespace convscope {

/// The methods of this kind of device that give results of this precision, FP32 or, with DType::tf32, TF32 as well,
/// support the shape, and do not choose themselves. Of those of one family whose ids differ in their number only, the
/// newest for each precision; of a vendor's, no single algorithm of a library whose best is there. In the registry's
/// order.
std::vector<const Method*> candidates(const Registry&, DeviceKind, DType, const ConvShape&);

}  // namespace convscope
