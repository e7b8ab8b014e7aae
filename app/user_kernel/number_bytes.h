// Numbers that a kernel takes by value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/user_kernel/generated_array.h"

namespace convscope::app {

/// The bytes of a number, or of an expression, in a parameter of this type. Throws Error(usage), beginning with 'what',
/// for what does not read or does not fit.
std::vector<std::byte> bytes_of_number(const std::string& what, const std::string& cuda_type, const ElementType&,
                                       const std::string& text, const ptx::Names&);

/// Prints the number at 'at', by the type that NumPy has for it: "0.25", "-3", "nan". A real number has four digits.
std::string number_text(const std::string& numpy, const std::byte* at);

/// The value of a whole number, for expressions that have its name.
double whole_value(const std::string& what, const std::string& text, const ptx::Names&);

}  // namespace convscope::app
