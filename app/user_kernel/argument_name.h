// Names of a kernel's arguments: a parameter "n", a member of a structure "p.n", an element of an array
// that is inside of it "p.w[3]".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/user_kernel/kernel_call.h"
#include "kernels/ptx/text/kernel_text.h"

namespace convscope::app {

/// One of several numbers that a member has: "p.w[1][2]".
struct MemberElement {
    std::size_t parameter = 0;  ///< index in KernelText::parameters
    std::size_t index = 0;      ///< in the order of the memory
};
/// Nothing of what is no such name, or of an index that the array has not.
std::optional<MemberElement> element_named(const ptx::KernelText&, const std::string& name);

/// Whether something of this name can be given to a kernel.
bool takes_argument(const ptx::KernelText&, const std::string& name);

/// Why it cannot, as a sentence that says what can: the members of the structure, or the parameters.
std::string why_not_taken(const ptx::KernelText&, const std::string& name);

/// The structures that a member is in, "p.items[1]", "p.items", "p" of "p.items[1].k": the nearest first.
std::vector<std::string> structures_around(const ptx::KernelText&, const std::string& member);

/// "n" of "p.n", "n" of "n".
std::string own_name(const std::string& name);

}  // namespace convscope::app
