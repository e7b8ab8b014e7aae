// Winograd on a GPU, without its kernels: shapes, launch space, what a configuration leads to.
#pragma once

#include <memory>

#include "kernels/simt/gpu_method.h"

namespace convscope {

/// Where V and M lie in GpuBuffers::workspace, in floats: 16 planes of V, then 16 of M.
struct WinogradWorkspace {
    std::int64_t v_plane = 0, m_plane = 0;  ///< from one plane to the next, a multiple of 64
    std::int64_t m() const;                 ///< where M begins
    std::int64_t elements() const;
};
WinogradWorkspace winograd_workspace(const ConvShape&);

/// winograd1, F(2x2, 3x3).
std::unique_ptr<Method> make_winograd1(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
