// A method: one way to compute a convolution, ours or a vendor's, on one kind of device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/core/timing.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/layers/workload.h"
#include "kernels/method/flops.h"

namespace convscope {

class Device;

enum class DeviceKind { cpu, cuda, sim };
const char* to_string(DeviceKind);

enum class DType { f32, tf32, f16 };
const char* to_string(DType);

/// The arithmetic units that compute the multiply-adds, which decide the peak rate to compare with.
enum class Arithmetic {
    fp32,  ///< FP32 cores, or a CPU's vector units
    fp64,
    tf32,            ///< tensor cores
    fp16,            ///< tensor cores
    fp32_by_3xtf32,  ///< tensor cores, three TF32 products for each FP32 one
    fp32_by_3xfp16,  ///< tensor cores, three FP16 products for each FP32 one
};
const char* to_string(Arithmetic);

/// The work that one run executes on given data.
struct ExecutedWork {
    Arithmetic arithmetic = Arithmetic::fp32;
    /// 2 per multiply-add of the convolution: three products for one FP32 product count once. Empty where only a
    /// library knows, or where skipped work was not counted.
    std::optional<double> flops;
};

/// How a method forms its sums, which decides the scale of its rounding errors (docs/measuring.md).
enum class Summation {
    direct,     ///< products of x and w, summed in any order: each output's error stays with its own terms
    f2x2_3x3,   ///< Winograd F(2x2, 3x3) with its textbook transforms, for which there is a bound
    transform,  ///< other Winograd and FFT: an output's error also comes from its neighbours in the tile or map
};

/// Features beyond a plain layer that a method supports. Others are rejected in one place, with the reason.
struct Takes {
    bool dilation = false;  ///< other than 1
    bool groups = false;    ///< more than one
    bool sides = false;     ///< padding that differs by side
};

struct MethodInfo {
    std::string id;       ///< "ecr2"; never reused
    std::string family;   ///< the folder under kernels/
    std::string title;    ///< "ECR, coalesced mapping"
    std::string paper;    ///< "Xu 2022"; empty for a vendor's
    std::string follows;  ///< "Algorithms 1-2, Figs. 4-6"
    DeviceKind device = DeviceKind::cpu;
    DType dtype = DType::f32;  ///< precision of the products; x, w and y are exchanged in FP32
    /// For a vendor's library: the fastest that it is allowed to use.
    Arithmetic arithmetic = Arithmetic::fp32;
    Layout layout = Layout::nchw;  ///< of x and y as the method takes and returns them
    bool vendor = false;           ///< a vendor baseline
    bool vendor_best = false;      ///< which takes the fastest of its library's algorithms; others are one each
    bool as_printed = false;       ///< a paper's algorithm with its slips, for the checks to catch: never a result
    bool as_compiled = false;      ///< on DeviceKind::sim: run from nvcc's PTX, slower and not in every build
    Takes takes{};
    Summation summation = Summation::direct;
    CountFlops flops_executed = dense_flops;  ///< Method::executed()
    std::vector<std::string> stages;          ///< in order: "convert", "multiply", "pool"
};

/// One method bound to one shape and launch configuration on one device. It owns its device memory.
/// Order of calls: setup, allocate, stage_inputs, upload, prepare_weights, run any number of times,
/// download, output, release, teardown; release .. setup may be repeated (that is how the wider timing
/// scopes are measured). Between runs other inputs may be staged, uploaded and prepared: what a run uses stays where
/// it is, since a captured graph knows it by its address. Not thread-safe. Destruction frees whatever is still held and
/// never throws.
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
    /// Fills y, and the workspace that the method itself fills, with NaN, so that elements left unwritten by run() are
    /// noticed.
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

    /// Device memory of the method's own arrays besides x, w and y: the memory overhead the papers plot.
    virtual std::int64_t workspace_bytes() const = 0;
    /// Device memory that a library (cuBLAS, cuFFT, cuSPARSE, cuDNN, oneDNN) works in, on top of workspace_bytes().
    virtual std::int64_t library_workspace_bytes() const { return 0; }
    /// The kernels of one run with registers as compiled; empty on the CPU and for a vendor's library.
    virtual std::vector<KernelLaunch> launches() const { return {}; }
    /// The algorithm that a vendor's library chose ("implicit-precomp-gemm, NHWC"); empty otherwise.
    virtual std::string choice() const { return {}; }
    /// The summation of the chosen algorithm, where the choices differ in it; empty: as MethodInfo::summation says.
    virtual std::optional<Summation> chosen_summation() const { return {}; }
};

/// How this execution forms its sums, which decides the tolerance of its check.
Summation summation_of(const MethodInfo&, const Execution&);

class Method {
public:
    virtual ~Method() = default;
    virtual const MethodInfo& info() const = 0;
    /// Whether it can run this shape at all, or the reason why not as a sentence.
    Support supports(const ConvShape&) const;
    /// The settings that a user may choose. Empty for methods without a launch configuration.
    virtual LaunchSpace launch_space(const ConvShape&) const { return {}; }
    /// The kernels for this configuration on a device with these limits, or why the point is invalid. Needs
    /// no GPU. A vendor's and a CPU method resolve to no kernels and reject a configuration that is not empty.
    virtual ResolvedLaunch resolve(const ConvShape&, const LaunchConfig&, const DeviceModel&) const;
    /// Memory that run() needs besides x, w and y, in bytes. Predicted from the shape alone, before anything is
    /// allocated; -1 when only the library knows. The library's own workspace is included for cuDNN and oneDNN, not
    /// where our methods call cuBLAS, cuFFT or cuSPARSE: Execution::library_workspace_bytes() has that once it runs.
    virtual std::int64_t workspace_bytes(const ConvShape&) const = 0;
    /// The work of a run on these data. 'choice' is Execution::choice() of the execution that runs it.
    virtual ExecutedWork executed(const Workload&, const std::string& choice) const;
    /// Throws Error(usage) when supports() or resolve() says no.
    virtual std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const = 0;

protected:
    /// supports() for a shape that has only features which info().takes names.
    virtual Support can_run(const ConvShape&) const = 0;
    /// Whether info().takes covers the shape's features.
    Support takes(const ConvShape&) const;
};

/// A new execution whose inputs are on the device and whose output is poisoned: ready for its first run.
std::unique_ptr<Execution> make_ready(const Method&, const Workload&, const LaunchConfig&, Device&);

}  // namespace convscope
