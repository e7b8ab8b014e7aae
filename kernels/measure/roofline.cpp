#include "kernels/measure/roofline.h"

#include <algorithm>

#include "kernels/layers/fully_connected.h"

namespace convscope {
namespace {

double tflops_of(const DeviceModel& model, std::string_view arithmetic) {
    constexpr double products = 3;
    if (arithmetic == to_string(Arithmetic::fp32)) return model.fp32_tflops;
    if (arithmetic == to_string(Arithmetic::tf32)) return model.tf32_tflops;
    if (arithmetic == to_string(Arithmetic::fp16)) return model.fp16_tflops;
    if (arithmetic == to_string(Arithmetic::fp32_by_3xtf32)) return model.tf32_tflops / products;
    if (arithmetic == to_string(Arithmetic::fp32_by_3xfp16)) return model.fp16_tflops / products;
    return 0;
}

}  // namespace

const DeviceModel* model_of(const Record& record) {
    return find_device_model(record.device_name);
}

std::optional<double> peak_tflops(const DeviceModel& model, std::string_view arithmetic) {
    const double tflops = tflops_of(model, arithmetic);
    return tflops > 0 ? std::optional(tflops) : std::nullopt;
}

double needed_bytes(const Record& record) {
    const ConvShape& shape = record.shape;
    if (!is_fully_connected(shape)) return static_cast<double>(shape.min_bytes());
    const double share = record.flops_executed.value_or(shape.flops_dense()) / shape.flops_dense();
    const double weight_bytes = record.dtype == to_string(DType::f16) ? 2 : 4;
    return weight_bytes * share * static_cast<double>(shape.w_elements()) +
           4 * static_cast<double>(shape.x_elements() + shape.y_elements());
}

std::optional<double> roofline_us(const Record& record) {
    const DeviceModel* model = model_of(record);
    const std::optional<double> tflops = model ? peak_tflops(*model, record.arithmetic) : std::nullopt;
    if (!tflops || !record.flops_executed) return std::nullopt;
    const double compute_us = *record.flops_executed / (*tflops * 1e6);
    const double memory_us = needed_bytes(record) / (model->memory_gb_per_s * 1e3);
    return std::max(compute_us, memory_us);
}

double floor_us(const Record& record, const DeviceModel& model) {
    constexpr double above_the_peak = 1.1;
    const std::optional<double> tflops = peak_tflops(model, record.arithmetic);
    double floor = tflops && record.flops_executed ? *record.flops_executed / (*tflops * 1e6) : 0;
    const ConvShape& shape = record.shape;
    const std::int64_t element_bytes = record.dtype == to_string(DType::f16) ? 2 : 4;
    // With steps between its taps a filter of a small map passes over rows.
    const bool needs_all_of_x =
        shape.stride_h == 1 && shape.stride_w == 1 && shape.dilation_h == 1 && shape.dilation_w == 1 && !shape.pooled();
    const std::int64_t bytes =
        element_bytes * (shape.y_elements() + (needs_all_of_x ? shape.x_elements() : 0)) - model.l2_bytes;
    if (bytes > 0 && model.memory_gb_per_s > 0)
        floor = std::max(floor, static_cast<double>(bytes) / (model.memory_gb_per_s * 1e3));
    return floor / above_the_peak;
}

}  // namespace convscope
