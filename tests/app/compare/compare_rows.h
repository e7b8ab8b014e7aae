// Rows as the Compare view's tests make them, and a page of them.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/compare/compare_pages.h"
#include "kernels/layers/preset.h"

namespace convscope::app {

/// A row of VGG-19's conv5_1.
inline Record row(const std::string& method, double time_us, double sparsity = 0.85,
                  const std::string& scope = "kernel") {
    Record record;
    record.shape = find_preset("vgg19/conv5_1").spec.shape;
    record.method = method;
    record.family = method.starts_with("cudnn") ? "vendor" : method == "ecr3" ? "ecr" : method;
    record.dtype = "fp32";
    record.device = "cuda:0";
    record.device_name = "NVIDIA H100 80GB HBM3";
    record.timestamp_utc = "2026-11-21T03:17:43Z";
    record.source = "uniform";
    record.seed = 1;
    record.sparsity_target = record.sparsity_measured = sparsity;
    record.timing_scope = scope;
    record.cache_mode = "hot";
    record.samples = 20;
    record.time_median_us = time_us;
    record.time_q1_us = time_us * 0.99;
    record.time_q3_us = time_us * 1.01;
    record.noise_pct = 1;
    record.flops_dense = record.shape.flops_dense();
    record.flops_effective = record.flops_dense * (1 - sparsity);
    record.gflops = record.flops_dense / time_us / 1e3;
    record.gb_per_s = static_cast<double>(record.shape.min_bytes()) / time_us / 1e3;
    record.workspace_bytes = method == "cudnn" ? 0 : 1000000;
    record.library_workspace_bytes = method == "im2col" ? 32 << 20 : 0;
    record.arithmetic = method == "tensor1" ? "fp32_by_3xfp16" : "fp32";
    record.flops_executed = method == "ecr3" ? record.flops_effective : record.flops_dense;
    if (method == "ecr3") {
        record.convert_us = time_us / 4;
        record.multiply_us = time_us / 2;
    }
    record.vendor_method = "cudnn";
    return record;
}

inline std::shared_ptr<CompareResult> page(const std::vector<Record>& records, ComparePage page,
                                           CompareChoice choice = {}) {
    choice.page = page;
    return make_compare_result({make_compare_data(records, "test"), choice}, {});
}

inline const PlotSeries& series(const Plot& plot, const std::string& name) {
    const auto found = std::ranges::find(plot.series, name, &PlotSeries::name);
    if (found == plot.series.end()) throw std::runtime_error("no series " + name);
    return *found;
}

}  // namespace convscope::app
