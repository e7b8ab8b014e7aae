// The printed names of what a method is.
#include "kernels/method/method.h"

namespace convscope {

const char* to_string(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::cpu:
            return "cpu";
        case DeviceKind::cuda:
            return "cuda";
        case DeviceKind::sim:
            return "sim";
    }
    return "?";
}

const char* to_string(DType dtype) {
    switch (dtype) {
        case DType::f32:
            return "fp32";
        case DType::tf32:
            return "tf32";
        case DType::f16:
            return "fp16";
    }
    return "?";
}

const char* to_string(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::fp32:
            return "fp32";
        case Arithmetic::fp64:
            return "fp64";
        case Arithmetic::tf32:
            return "tf32";
        case Arithmetic::fp16:
            return "fp16";
        case Arithmetic::fp32_by_3xtf32:
            return "fp32_by_3xtf32";
        case Arithmetic::fp32_by_3xfp16:
            return "fp32_by_3xfp16";
    }
    return "?";
}

}  // namespace convscope
