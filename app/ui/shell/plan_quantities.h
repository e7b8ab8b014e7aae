// The quantities that a method's plan rests on, in two columns: symbol, value, and the meaning on hover.
#pragma once

#include <vector>

#include "kernels/core/launch.h"

namespace convscope::app {

void plan_quantities(const std::vector<Quantity>&);

}  // namespace convscope::app
