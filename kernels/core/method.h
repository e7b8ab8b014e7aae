// A method: one way to compute a convolution, ours or a vendor's, on one kind of device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/conv_shape.h"
#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/core/timing.h"
#include "kernels/core/workload.h"

namespace convscope {

class Device;

enum class DeviceKind { cpu, cuda, sim };
const char* to_string(DeviceKind);

enum class DType { f32, tf32, f16 };
const char* to_string(DType);

/// How a method forms its sums, which decides what its rounding errors are proportional to (docs/measuring.md).
enum class Summation {
    direct,     ///< products of x and w, summed in any order: each output's error stays with its own terms
    f2x2_3x3,   ///< Winograd F(2x2, 3x3) with its textbook transforms, for which there is a bound
    transform,  ///< other Winograd and FFT: an output's error also comes from its neighbours in the tile or map
};

struct MethodInfo {
    std::string id;       ///< "ecr2"; never reused
    std::string family;   ///< the folder under kernels/
    std::string title;    ///< "ECR, coalesced mapping"
    std::string paper;    ///< "Xu 2022"; empty for a vendor's
    std::string follows;  ///< "Algorithms 1-2, Figs. 4-6"
    DeviceKind device = DeviceKind::cpu;
    DType dtype = DType::f32;      ///< arithmetic; x, w and y are exchanged in FP32
    Layout layout = Layout::nchw;  ///< of x and y as the method takes and returns them
    bool vendor = false;           ///< a rival
    Summation summation = Summation::direct;
    std::vector<std::string> stages;  ///< in order: "convert", "multiply", "pool"
};

/// One method bound to one shape and launch configuration on one device. It owns its device memory.
/// Order of calls: setup, allocate, stage_inputs, upload, prepare_weights, run any number of times,
/// download, output, release, teardown; release .. setup may be repeated (that is how the wider timing
/// scopes are measured). Not thread-safe. Destruction frees whatever is still held and never throws.
class Execution {
public:
    virtual ~Execution() = default;
    /// Library handles, descriptors, the choice of an algorithm.                      [scope setup]
    virtual void setup() {}
    /// Device memory for x, w, y and the workspace. Throws OutOfMemory.               [scope alloc]
    virtual void allocate() = 0;
    /// Puts x and w into host staging memory in the method's own layout. Never timed.
    virtual void stage_inputs(const Workload&) = 0;
    /// Staging memory to device memory: x and w.                                      [scope copies]
    virtual void upload() = 0;
    /// Work on the weights that a framework would do once. Reported on its own.
    virtual void prepare_weights() {}
    /// Fills y, and the workspace that is ours to fill, with NaN: what run() leaves unwritten is seen.
    virtual void poison_output() = 0;
    /// One convolution (+ ReLU + pooling where the shape says so). Enqueues and returns on an asynchronous
    /// device; done on return on the CPU. Everything that depends on x happens here, format conversion
    /// included. With a StageClock, marks each stage of MethodInfo::stages.             [scope kernel, launch]
    virtual void run(StageClock* stages = nullptr) = 0;
    /// Waits for run(). Throws Error(failed) with the device's message.
    virtual void synchronize() {}
    /// Device memory to staging memory: y.                                            [scope copies]
    virtual void download() = 0;
    /// y as NCHW (n, k, out_h, out_w), from the staging memory. Never timed.
    virtual Tensor output() const = 0;
    virtual void release() = 0;  ///< frees what allocate() took                       [scope alloc]
    virtual void teardown() {}   ///< destroys what setup() made                       [scope setup]

    /// Device memory besides x, w and y that run() needs: the memory overhead the papers plot.
    virtual std::int64_t workspace_bytes() const = 0;
    /// The kernels of one run with registers as compiled; empty on the CPU and for a vendor's library.
    virtual std::vector<KernelLaunch> launches() const { return {}; }
    /// What a vendor's library chose ("implicit-precomp-gemm, NHWC"); empty otherwise.
    virtual std::string choice() const { return {}; }
};

class Method {
public:
    virtual ~Method() = default;
    virtual const MethodInfo& info() const = 0;
    /// Whether it can run this shape at all, or the reason why not as a sentence.
    virtual Support supports(const ConvShape&) const = 0;
    /// What can be set. Empty for methods without a launch configuration.
    virtual LaunchSpace launch_space(const ConvShape&) const { return {}; }
    /// The kernels for this configuration on a device with these limits, or why the point is invalid. Needs
    /// no GPU. A vendor's and a CPU method resolve to no kernels and refuse a configuration that is not empty.
    virtual ResolvedLaunch resolve(const ConvShape&, const LaunchConfig&, const DeviceModel&) const;
    /// Predicted from the shape alone, before anything is allocated; -1 when only the library knows.
    virtual std::int64_t workspace_bytes(const ConvShape&) const = 0;
    /// Throws Error(usage) when supports() or resolve() says no.
    virtual std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const = 0;
};

}  // namespace convscope
