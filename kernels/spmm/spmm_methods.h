// The sparse products on a GPU, without their kernels: shapes, launch space, plan, and where the arrays of a format
// lie in the workspace.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "kernels/simt/gpu_method.h"
#include "kernels/spmm/spmm_shape.h"

namespace convscope {

enum class SpmmMethod { csr2, csr3, ell1, bitmap1, bsr1, coo1 };

SpmmShape spmm_shape(const ConvShape&);

/// The arrays in the workspace, each of elements of 4 bytes with room for the most that data can need; 0 for one that
/// the format does not have.
struct SpmmWorkspace {
    enum Array { matrix, values, columns, offsets, counts, bits, flags, rows, arrays };
    std::array<std::int64_t, arrays> elements{};

    /// Bytes before the array, which is aligned as an allocation of its own would be.
    std::int64_t begin(int array) const;
    std::int64_t bytes() const { return begin(arrays); }
};
SpmmWorkspace spmm_workspace(SpmmMethod, const ConvShape&);

/// The launch that a configuration results in. 0 for what the method does not have.
struct SpmmChoice {
    std::int64_t threads = 0;  ///< of a block of the kernel that multiplies
    std::int64_t filters = 0;  ///< V of the kernels: filters of a thread
    std::int64_t tile = 0;     ///< elements that one warp compresses, or looks for the longest row of
    std::int64_t block = 0;    ///< B of the kernels: rows and columns of a block of bsr1
    std::int64_t entries = 0;  ///< non-zeros of one warp of coo1
};
SpmmChoice spmm_choice(SpmmMethod, const ConvShape&, const LaunchConfig&);

std::unique_ptr<Method> make_spmm(SpmmMethod, DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
