// The PECR methods on a GPU, without their kernels: shapes, launch spaces, what a configuration leads to.
#pragma once

#include "kernels/ecr/ecr_methods.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// As printed, with the paper's slips: not a result. For the simulated GPU. With 'apart' (pecr0b) without the race.
std::unique_ptr<Method> make_pecr0(bool apart, MakeGpuProgram);
std::unique_ptr<Method> make_pecr1(DeviceKind, MakeGpuProgram);
std::unique_ptr<Method> make_pecr2(DeviceKind, MakeGpuProgram);
std::unique_ptr<Method> make_pecr3(DeviceKind, MakeGpuProgram);
std::unique_ptr<Method> make_pecr4(DeviceKind, MakeGpuProgram);

/// pecr1's shared memory per thread: Data, Index and Count of one pooling window.
std::int64_t pecr1_shared_per_thread(const ConvShape&);

/// A window for each place in each pooling window.
CompressedWindows pecr3_format(const ConvShape&);

}  // namespace convscope
