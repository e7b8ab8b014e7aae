// A launch of a user's own kernel as plain data: enough for a measuring process to repeat it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/launch.h"

namespace convscope {

struct Workload;

/// The role of a kernel's parameter: a value, an array, or the array that is the layer's x, w or y.
enum class UserRole { value, array, x, w, y };

struct UserArgument {
    std::string name;
    UserRole role = UserRole::value;
    std::string
        bytes;  ///< a value's; what an array begins as; of x, w and y may be empty where they are the layer's own
    /// The simulated GPU's checks of an array take these (ptx::ArrayArgument).
    unsigned element_bytes = 4;
    bool written = true, writable = true;
    /// For an array that a pointer inside of a structure points to: the structure, as an index of the arguments, and
    /// the bytes of it before the pointer. Such arrays stand behind the kernel's own parameters.
    struct Pointer {
        std::size_t argument = 0;
        std::uint64_t offset = 0;
    };
    std::optional<Pointer> pointer = {};
};

/// A __constant__ or __device__ variable of the kernel's file with its value, as cudaMemcpyToSymbol would set it.
struct UserVariable {
    std::string name, symbol;  ///< in the file, and in the PTX
    std::string bytes;
};

struct UserLaunch {
    std::string id;  ///< as a method: "own/conv"
    /// The values that it was compiled with, where they are whole numbers: "TILE", 16. They tell the variants of a
    /// kernel apart.
    std::vector<std::pair<std::string, std::int64_t>> tunables;
    std::string ptx, symbol;
    Dim3 grid, block;
    std::uint64_t shared_bytes = 0;  ///< dynamic
    std::vector<UserArgument> arguments;
    std::string rejected = {};         ///< why it cannot be, as a sentence; empty when it can
    std::optional<Dim3> cluster = {};  ///< blocks; none: as the kernel says
    std::vector<UserVariable> variables = {};
    bool cooperative = false;  ///< as a kernel that calls grid.sync() must be launched
};

/// Copies the layer's x and w into the arguments with these roles.
void take_inputs(UserLaunch&, const Workload&);

/// Bytes of the arrays that are not the layer's.
std::int64_t workspace_bytes(const UserLaunch&);

}  // namespace convscope
