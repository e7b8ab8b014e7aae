// The Method that those for compute capability 9.0 share. They prepare their weights, and have no build for the
// simulated GPU: it runs them as nvcc compiled them. Plain C++ on the host.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "kernels/simt/gpu_method.h"

namespace convscope::hopper {

class HopperMethod : public GpuMethod {
public:
    /// 'missing_gpu': why no GPU of this machine runs it, as missing_gpu() says (tensor_map.h); empty where one does.
    HopperMethod(MethodInfo info, MakeGpuProgram program, MakeGpuProgram pool, std::string missing_gpu)
        : GpuMethod(std::move(info), program, pool), missing_gpu_(std::move(missing_gpu)) {}

    bool prepares_weights() const final { return true; }

protected:
    /// accepts() where there is such a GPU, and plan() for one.
    virtual Support accepts_here(const ConvShape&) const { return {}; }
    virtual ResolvedLaunch plan_here(const ConvShape&, const LaunchConfig&, const DeviceModel&) const = 0;

    /// Whether FP32 by three FP16 products stays within FP32's error bound for this shape's sums. That bound is
    /// (products + 2) units, and a product's own error disappears in it from 16 products on (docs/kernels/tensor1.md).
    Support keeps_to_fp32(const ConvShape& shape) const {
        constexpr std::int64_t min_products = 16;
        if (shape.reduction() >= min_products) return {};
        return Support::no(fmt::format("{} keeps to FP32's bound in sums of {} products or more; this shape's have {}",
                                       info().id, min_products, shape.reduction()));
    }

private:
    Support accepts(const ConvShape& shape) const final {
        if (missing_gpu_.empty()) return accepts_here(shape);
        return Support::no(fmt::format("{} needs {}", info().id, missing_gpu_));
    }
    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const final {
        if (model.cc_major == 9 && model.cc_minor == 0) return plan_here(shape, config, model);
        return reject(fmt::format("{} needs compute capability 9.0; {} has {}.{}", info().id, model.name,
                                  model.cc_major, model.cc_minor));
    }
    double thread_steps(const ConvShape&) const final { return 0; }  // not simulated

    const std::string missing_gpu_;
};

}  // namespace convscope::hopper
