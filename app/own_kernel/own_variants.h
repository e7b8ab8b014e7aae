// A user's own kernel for a sweep: compiled once for each choice of its defines, and called for each layer.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/own_kernel/own_kernel.h"
#include "kernels/core/device.h"
#include "kernels/core/workload.h"
#include "kernels/own/own_launch.h"

namespace convscope::app {

class OwnVariants {
public:
    /// 'file' is "FILE.cu", or "FILE.cu:NAME" where the file has several kernels. Reads it; throws Error(file), and
    /// Error(usage) where the kernel cannot be told.
    explicit OwnVariants(const std::string& file, std::stop_token stop = {});

    const std::filesystem::path& file() const { return call_.file; }
    /// "own/conv"
    std::string id() const { return "own/" + base_; }
    /// The launch without the layer's arrays. One that cannot be says why: it does not compile with these defines, or
    /// its comment leads to no launch of this layer. Throws Error(usage) for a device that is no CUDA GPU and a kernel
    /// that does not compute the layer from the layer's own x and w; else as open_kernel.
    OwnLaunch of(const WorkloadSpec&, const DeviceInfo&, const std::vector<std::string>& defines);

private:
    struct Compiled {
        std::shared_ptr<const OwnKernel> kernel;
        std::string reason;  ///< why there is none
    };
    const Compiled& compiled(const KernelCall&);

    std::stop_token stop_;  ///< ends a compilation
    KernelCall call_;
    std::string source_, base_;
    std::map<std::string, Compiled> compiled_;   ///< by architecture and defines
    std::map<std::string, OwnLaunch> launches_;  ///< by those and the shape
};

}  // namespace convscope::app
