#include "tests/kernels/records/many_records.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace convscope::testing {
namespace {

void add_times(Record& record, double median_us) {
    record.samples = 40;
    record.time_median_us = median_us;
    record.time_mean_us = median_us * 1.003;
    record.time_min_us = median_us * 0.97;
    record.time_q1_us = median_us * 0.99;
    record.time_q3_us = median_us * 1.01;
    record.noise_pct = 0.3 + std::fmod(median_us, 0.5);
    record.convert_us = median_us * 0.21;
    record.multiply_us = median_us * 0.77;
    record.gflops = record.flops_dense / median_us / 1e3;
    record.gb_per_s = static_cast<double>(record.shape.min_bytes()) / median_us / 1e3;
    record.sm_clock_mhz = 1980;
    record.throttled = false;
    record.max_rel_err = 2e-7 + 1e-12 * median_us;
    record.verified_against = "reference";
    record.speedup_vs_vendor = 100 / median_us;
    record.vendor_method = "cudnn";
}

}  // namespace

std::vector<Record> many_records(std::size_t count) {
    constexpr std::array methods{"ecr1", "ecr2", "ecr3", "mec2", "im2col", "csr1", "cudnn"};
    std::vector<Record> records(count);
    for (std::size_t i = 0; i < count; ++i) {
        Record& record = records[i];
        record.run_id = fmt::format("20261121T{:06}Z-0badcafe", i / 5000);
        record.timestamp_utc = fmt::format("2026-11-21T{:02}:{:02}:{:02}Z", i / 36000 % 24, i / 600 % 60, i / 10 % 60);
        record.app_version = "0.1.0";
        record.device = "cuda:0";
        record.device_name = "NVIDIA H100 80GB HBM3";
        record.compute_capability = "9.0";
        record.driver_version = "580.159.04";
        record.cuda_version = "13.0";
        record.vendor_version = "cuDNN 9.14.0";
        record.method = methods[i % methods.size()];
        record.family = "ecr";
        record.dtype = "fp32";
        record.layout = "nchw";
        const auto layer = static_cast<std::int64_t>(i / 700 % 16);
        record.shape.c = record.shape.k = 32 + 32 * layer;
        record.shape.h = record.shape.w = 14 + 14 * (layer % 4);
        record.shape.r = record.shape.s = 3;
        record.shape.pad_h = record.shape.pad_w = 1;
        record.source = "uniform";
        record.seed = 1;
        record.sparsity_target = record.sparsity_measured = 0.05 * static_cast<double>(i / 35 % 20);
        const std::int64_t block = 32 * (1 + static_cast<std::int64_t>(i / 7 % 5));
        record.block = Dim3{block, 1, 1};
        record.grid = Dim3{8192 / block, 2, 1};
        record.tunables = "convert_warps=8";
        record.shared_bytes = 4096;
        record.registers = 40;
        record.occupancy_pct = 50;
        record.timing_scope = "kernel";
        record.cache_mode = "hot";
        record.workspace_bytes = 32125500;
        record.flops_dense = record.shape.flops_dense();
        record.flops_effective = record.flops_dense * (1 - record.sparsity_target);
        if (i % 50 == 49) {
            record.status = Status::invalid_config;
            record.status_reason = "a block of 2048 threads is over the device's 1024";
        } else {
            record.status_reason = fmt::format("noise 0.{} % reached", i % 97);
            add_times(record, 20 + 500 * std::fmod(static_cast<double>(i) * 0.6180339887, 1.0));
        }
    }
    return records;
}

}  // namespace convscope::testing
