#include "kernels/measure/roofline.h"

#include <algorithm>
#include <utility>

namespace convscope {

const DeviceModel* model_of(const Record& record) {
    const DeviceModel* found = nullptr;
    for (const DeviceModel& model : device_models())
        if (record.device_name.find(model.name) != std::string::npos &&
            (!found || model.name.size() > found->name.size()))
            found = &model;
    return found;
}

bool skips_zeros(const Record& record) {
    for (const char* family : {"ecr", "pecr", "ocpa", "csr"})
        if (record.family == family) return true;
    return false;
}

double flops_to_do(const Record& record) {
    return skips_zeros(record) ? record.flops_effective.value_or(record.flops_dense) : record.flops_dense;
}

std::optional<double> peak_tflops(const DeviceModel& model, const std::string& dtype) {
    if (dtype == "fp32") return model.fp32_tflops;
    // Tensor cores, without sparsity: the datasheets of the A100 80 GB SXM and of the H100 SXM.
    struct TensorRates {
        int cc_major, cc_minor;
        double tf32, f16;
    };
    for (const TensorRates& rates : {TensorRates{8, 0, 156, 312}, TensorRates{9, 0, 494.7, 989.4}})
        if (model.cc_major == rates.cc_major && model.cc_minor == rates.cc_minor)
            return dtype == "tf32" ? rates.tf32 : rates.f16;
    return std::nullopt;
}

std::optional<double> roofline_us(const Record& record) {
    const DeviceModel* model = model_of(record);
    if (!model) return std::nullopt;
    const std::optional<double> tflops = peak_tflops(*model, record.dtype);
    if (!tflops) return std::nullopt;
    const double compute_us = flops_to_do(record) / (*tflops * 1e6);
    const double memory_us = static_cast<double>(record.shape.min_bytes()) / (model->memory_gb_per_s * 1e3);
    return std::max(compute_us, memory_us);
}

}  // namespace convscope
