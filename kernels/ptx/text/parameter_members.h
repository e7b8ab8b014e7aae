// A kernel's parameters as the compiler lays them out: a structure or class gives its members, with those of its bases,
// of nested structures and of arrays of structures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/text/kernel_text.h"

namespace convscope::ptx {

struct ParameterMembers {
    /// The parameters that can be given: those that are not structures, and members: "n", "p.n", "p.inner.x",
    /// "p.items[1].k". A parameter without a name gives none.
    std::vector<ParameterText> parameters;
    std::map<std::string, std::string> structures;  ///< KernelText::structures
};

/// The bytes of a structure that is taken as a whole, "float4", by its name; 0 for any other type.
using WholeBytes = std::function<std::uint64_t(const std::string& type)>;

/// Finds the kernel 'symbol', whose parameters have these sizes, in the debugging information in 'ptx'
/// (compile_with_types). Empty where it is not described there.
std::optional<ParameterMembers> parameter_members(std::string_view ptx, const std::string& symbol,
                                                  const std::vector<std::uint64_t>& bytes, const WholeBytes&);

}  // namespace convscope::ptx
