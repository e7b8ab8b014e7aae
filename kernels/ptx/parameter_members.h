// A kernel's parameters as the compiler lays them out: of a structure or class its members, with those of its bases, of
// structures inside of it and of arrays of structures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/kernel_text.h"

namespace convscope::ptx {

struct ParameterMembers {
    /// What can be given: parameters that are no structures, and members: "n", "p.n", "p.inner.x", "p.items[1].k".
    /// Nothing of a parameter without a name.
    std::vector<ParameterText> parameters;
    std::map<std::string, std::string> structures;  ///< KernelText::structures
};

/// The bytes of a type that is taken whole though it is a structure, "float4", by its name; 0 of any other.
using WholeBytes = std::function<std::uint64_t(const std::string& type)>;

/// Of the kernel 'symbol', whose parameters have so many bytes, by the debugging information in 'ptx'
/// (compile_with_types).
/// Nothing where it is not told there.
std::optional<ParameterMembers> parameter_members(std::string_view ptx, const std::string& symbol,
                                                  const std::vector<std::uint64_t>& bytes, const WholeBytes&);

}  // namespace convscope::ptx
