// A method for cuda devices that ruins the context it runs in.
#pragma once

#include <memory>

#include "kernels/method/method.h"

namespace convscope::testing {

std::unique_ptr<Method> make_illegal_method();  ///< "illegal"

}  // namespace convscope::testing
