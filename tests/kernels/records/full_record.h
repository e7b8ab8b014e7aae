// A record in which everything is there.
#pragma once

#include "kernels/records/record.h"

namespace convscope::testing {

inline Record full_record() {
    Record r;
    r.run_id = "20261120T221634Z-9f86d081";
    r.timestamp_utc = "2026-11-20T22:16:34Z";
    r.app_version = "0.1.0";
    r.device = "cuda:0";
    r.device_name = "NVIDIA H100 80GB HBM3";
    r.compute_capability = "9.0";
    r.driver_version = "580.1";
    r.cuda_version = "13.0";
    r.vendor_version = "cuDNN 9.14";
    r.method = "pecr2";
    r.family = "pecr";
    r.dtype = "fp32";
    r.layout = "nchw";
    r.shape = {2, 3, 14, 15, 4, 3, 5, 2, 1, 1, 2, 2, 3, 2};
    r.source = "blobs";
    r.seed = 18446744073709551615U;
    r.sparsity_target = 0.85;
    r.sparsity_measured = 0.1 + 0.2;
    r.grid = Dim3{6, 4, 2};
    r.block = Dim3{32, 4, 1};
    r.tunables = "tile=32;unroll=4";
    r.shared_bytes = 4096;
    r.registers = 40;
    r.occupancy_pct = 62.5;
    r.timing_scope = "kernel";
    r.cache_mode = "cold";
    r.samples = 120;
    r.time_median_us = 4.215;
    r.time_mean_us = 4.3;
    r.time_min_us = 4;
    r.time_q1_us = 4.1;
    r.time_q3_us = 1e-7;
    r.noise_pct = 0.8;
    r.convert_us = 1;
    r.multiply_us = 2;
    r.pool_us = 3;
    r.workspace_bytes = 123456789012;
    r.flops_dense = 164416782336;
    r.flops_effective = 0;
    r.gflops = 1234.5;
    r.gb_per_s = 987.6;
    r.sm_clock_mhz = 1755;
    r.throttled = false;
    r.status = Status::passed;
    r.status_reason = "a, \"b\"\nand c";
    r.max_rel_err = 3e-8;
    r.verified_against = "reference";
    r.speedup_vs_vendor = 2.5;
    r.vendor_method = "cudnn";
    r.library_workspace_bytes = 33554432;
    r.flops_executed = 82208391168;
    r.arithmetic = "fp32_by_3xfp16";
    r.noise_from = "runs";
    r.weight_sparsity_target = 0.5;
    r.weight_sparsity_measured = 0.4375;
    r.weight_pattern = "2:4";
    r.workload = "vgg19/conv5_1";
    r.samples_us = {4.1, 0.1 + 0.2, 4.215};
    r.stages_us = {{"convert", 1}, {"multiply", 2}, {"pool", 3}};
    r.speedup_interval = {2.4, 2.6};
    r.weights_us = 17.5;
    r.choice = "algorithm 7";
    r.quantities = {{"N_FMA", 66048, "FMA", "hides the latency"}};
    r.tolerance = 1e-6;
    return r;
}

}  // namespace convscope::testing
