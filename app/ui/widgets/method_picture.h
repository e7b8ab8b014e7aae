// A method's picture in a list: a map of 4 x 5 under a filter of 3 x 3, in the form in which the method multiplies it.
#pragma once

#include <string>
#include <vector>

#include "kernels/method/method.h"

namespace convscope::app {

/// Rows of cells: '#' a value, '.' a zero that is there too, 'o' an index or a count, '_' a slot that stays unused.
/// Empty for a method whose form is another one than those here.
std::vector<std::string> method_picture(const MethodInfo&);

}  // namespace convscope::app
