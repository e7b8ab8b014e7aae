// Whether a block's threads get the registers that the kernel takes of each.
#pragma once

#include <stop_token>

#include "app/user_kernel/prepared_kernel.h"

namespace convscope::app {

/// Throws Error(usage) where they do not, as far as the toolkit's ptxas is here to say; Error(failed) where it was
/// stopped.
void require_registers(const PreparedKernel&, const std::stop_token& = {});

}  // namespace convscope::app
