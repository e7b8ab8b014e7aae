// The entry point of this module, which the program calls when it opens it (kernels/registry/modules.cpp).
#include <fmt/format.h>

#include "kernels/method/registry.h"
#include "kernels/vendor/cudnn/algorithm_method.h"
#include "kernels/vendor/cudnn/fused_method.h"

namespace convscope::cudnn {
namespace {

MethodInfo info(std::string id, std::string title, std::string follows, DType dtype) {
    MethodInfo info;
    info.id = std::move(id);
    info.family = "vendor";
    info.title = std::move(title);
    info.follows = std::move(follows);
    info.device = DeviceKind::cuda;
    info.dtype = dtype;
    info.arithmetic = dtype == DType::f32    ? Arithmetic::fp32
                      : dtype == DType::tf32 ? Arithmetic::tf32
                                             : Arithmetic::fp16;
    info.flops_executed = unknown_flops;
    info.vendor = true;
    info.takes = {.dilation = true, .groups = true};  // by some of its algorithms: cuDNN is asked for each shape
    info.stages = {"multiply", "pool"};
    return info;
}

std::vector<Choice> every_choice() {
    std::vector<Choice> choices;
    for (const Layout layout : {Layout::nchw, Layout::nhwc})
        for (const Algorithm& algorithm : algorithms) choices.push_back({&algorithm, layout});
    return choices;
}

MethodInfo best(MethodInfo info) {
    info.vendor_best = true;
    info.takes.sides = true;  // by the graph API
    return info;
}

void add_best(Registry& registry, const char* id, const char* title, DType dtype) {
    registry.add(std::make_unique<AlgorithmMethod>(
        best(info(id, title,
                  "the fastest of all forward algorithms in NCHW and NHWC, by measuring; where padding differs by "
                  "side, of the graph API's engines",
                  dtype)),
        every_choice()));
}

void add_fused(Registry& registry, const char* id, const char* title, DType dtype) {
    registry.add(std::make_unique<FusedMethod>(best(info(
        id, title, "the graph API's engines for convolution + bias + ReLU, by measuring; then max-pooling", dtype))));
}

std::string version() {
    const std::size_t number = cudnnGetVersion();  // 91900 is 9.19.0
    return fmt::format("cuDNN {}.{}.{}", number / 10000, number % 10000 / 100, number % 100);
}

}  // namespace
}  // namespace convscope::cudnn

extern "C" const char* convscope_register(convscope::Registry& registry) {
    using namespace convscope;
    using namespace convscope::cudnn;
    add_best(registry, "cudnn", "cuDNN, its best in FP32", DType::f32);
    add_best(registry, "cudnn-tf32", "cuDNN, its best in TF32", DType::tf32);
    add_best(registry, "cudnn-fp16", "cuDNN, its best in FP16", DType::f16);
    add_fused(registry, "cudnn-fused", "cuDNN, its best fused form in FP32", DType::f32);
    add_fused(registry, "cudnn-fused-tf32", "cuDNN, its best fused form in TF32", DType::tf32);
    add_fused(registry, "cudnn-fused-fp16", "cuDNN, its best fused form in FP16", DType::f16);
    for (const Algorithm& algorithm : algorithms)
        registry.add(std::make_unique<AlgorithmMethod>(
            info(fmt::format("cudnn-{}", algorithm.name), fmt::format("cuDNN, {}", algorithm.title), algorithm.constant,
                 DType::f32),
            std::vector<Choice>{{&algorithm, Layout::nchw}}));
    for (const DeviceInfo* device : registry.devices())
        if (device->kind == DeviceKind::cuda && device->available)
            registry.device(device->id).set_vendor(version(), "");
    return nullptr;
}
