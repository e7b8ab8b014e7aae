// The ECR methods on a GPU, without their kernels: shapes, launch spaces, what a configuration leads to.
#pragma once

#include "kernels/simt/gpu_method.h"

namespace convscope {

std::unique_ptr<Method> make_ecr1(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
std::unique_ptr<Method> make_ecr2(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
std::unique_ptr<Method> make_ecr3(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);
std::unique_ptr<Method> make_ecr4(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

/// The format of compressed windows in global memory, for ecr3 and pecr3: one segment of 'capacity' slots for each
/// of 'windows' windows. Offsets in bytes from the workspace's start.
struct CompressedWindows {
    std::int64_t windows = 0, capacity = 0;
    std::int64_t values() const { return 0; }
    std::int64_t positions() const { return slots() * std::int64_t{sizeof(float)}; }
    std::int64_t counts() const { return positions() + slots() * std::int64_t{sizeof(int)}; }
    std::int64_t bytes() const { return counts() + windows * std::int64_t{sizeof(int)}; }

private:
    std::int64_t slots() const { return windows * capacity; }
};
CompressedWindows ecr3_format(const ConvShape&);

/// The tunable "convert_warps" of ecr3 and pecr3, and the launch of their convert kernels.
Tunable convert_warps_tunable();
KernelLaunch plan_convert(const char* kernel, std::int64_t windows, std::int64_t warps_per_block);

/// The launches of ecr3 and pecr3: 'convert', then 'multiply' as the user configured it. Block x and grid y cover the
/// k filters, block y and grid x the results, block z the 'windows' that are behind one result.
ResolvedLaunch plan_per_filter(const KernelLaunch& convert, const char* multiply, std::int64_t results,
                               std::int64_t windows, std::int64_t k, const LaunchConfig&);

}  // namespace convscope
