// The highest rates that this CPU reaches with the threads that the CPU methods use.
#pragma once

#include "kernels/core/ceilings.h"

namespace convscope {

/// Copies arrays larger than any cache and runs chains of multiply-adds on registers, on all threads; the best of many
/// short stretches of time.
Ceilings measure_cpu_ceilings();

}  // namespace convscope
