// A launch of a user's own kernel as plain data: what a process that measures needs to repeat it.
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

/// What a parameter of the kernel is: a value, an array, or the array that is the layer's x, w or y.
enum class OwnRole { value, array, x, w, y };

struct OwnArgument {
    std::string name;
    OwnRole role = OwnRole::value;
    std::string
        bytes;  ///< a value's; what an array begins as; of x, w and y may be empty where they are the layer's own
    /// Of an array, for the simulated GPU's checks (ptx::ArrayArgument).
    unsigned element_bytes = 4;
    bool written = true, writable = true;
    /// Of an array that a pointer inside of a structure points to: the structure, as an index of the arguments, and the
    /// bytes of it before the pointer. Such arrays stand behind the kernel's own parameters.
    struct Pointer {
        std::size_t argument = 0;
        std::uint64_t offset = 0;
    };
    std::optional<Pointer> pointer = {};
};

/// A __constant__ or __device__ variable of the kernel's file that is given, as cudaMemcpyToSymbol would.
struct OwnVariable {
    std::string name, symbol;  ///< in the file, and in the PTX
    std::string bytes;
};

struct OwnLaunch {
    std::string id;  ///< as a method: "own/conv"
    /// What it was compiled with, where that is a whole number: "TILE", 16. Tells the variants of a kernel apart.
    std::vector<std::pair<std::string, std::int64_t>> tunables;
    std::string ptx, symbol;
    Dim3 grid, block;
    std::uint64_t shared_bytes = 0;  ///< dynamic
    std::vector<OwnArgument> arguments;
    std::string rejected = {};         ///< why it cannot be, as a sentence; empty when it can
    std::optional<Dim3> cluster = {};  ///< blocks; none: as the kernel says
    std::vector<OwnVariable> variables = {};
    bool cooperative = false;  ///< as a kernel that calls grid.sync() must be launched
};

/// Puts the layer's x and w into the arguments that they are.
void take_inputs(OwnLaunch&, const Workload&);

/// Of the arrays that are not the layer's.
std::int64_t workspace_bytes(const OwnLaunch&);

}  // namespace convscope
