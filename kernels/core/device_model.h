// The properties of a GPU that occupancy and roofline calculations need, and built-in models for users without one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/launch.h"

namespace convscope {

/// Limits per CUDA C++ Programming Guide, 'Compute Capabilities'; rates per the vendor's datasheets.
struct DeviceModel {
    std::string name;
    int cc_major = 0, cc_minor = 0;
    int sms = 0;
    int warp_size = 32;
    int max_threads_per_block = 1024;
    int max_threads_per_sm = 0;
    int max_blocks_per_sm = 0;
    int registers_per_sm = 65536;
    int registers_per_block = 65536;
    int max_registers_per_thread = 255;
    int register_allocation_unit = 256;           ///< per warp
    int warp_schedulers = 4;                      ///< per SM; each has its share of the registers
    std::int64_t shared_per_block = 49152;        ///< without opting in
    std::int64_t shared_per_block_optin = 49152;  ///< the most one block can have
    std::int64_t shared_per_sm = 0;
    std::int64_t shared_reserved_per_block = 0;  ///< taken by the runtime (1 KiB from 8.0 on)
    std::int64_t shared_allocation_unit = 256;
    Dim3 max_block{1024, 1024, 64};
    Dim3 max_grid{2147483647, 65535, 65535};
    std::int64_t l2_bytes = 0;
    std::int64_t memory_bytes = 0;
    double fp32_tflops = 0;         ///< peak, 2 per FMA
    double tf32_tflops = 0;         ///< of tensor cores on dense data, sums in FP32; 0: none, or not known
    double fp16_tflops = 0;         ///< likewise
    double memory_gb_per_s = 0;     ///< peak, 10^9 bytes
    int fp32_lanes = 0;             ///< FP32 cores of an SM
    double clock_mhz = 0;           ///< of the SMs, for rates per cycle; 0 when not known
    int memory_latency_cycles = 0;  ///< from an SM to global memory and back, nothing else under way
};

/// FP32 cores of one SM (CUDA C++ Programming Guide, 'Arithmetic Instructions': FP32 results per cycle).
int fp32_lanes_per_sm(int cc_major, int cc_minor);

/// Latency of global memory as published for this architecture, or for the one before it (device_model.cpp).
int memory_latency_cycles_of(int cc_major);

/// GTX 1080, GTX 1080 Ti, P100, T4, RTX 2080 Ti, A100, H100, H200, L4, L40S, RTX 4090, RTX 5090, B200, in this order.
const std::vector<DeviceModel>& device_models();

/// The H100: the simulated GPU has its limits, and it is assumed where no GPU is chosen.
const DeviceModel& default_device_model();

/// The model whose name occurs, in whole words, in a device's name ("NVIDIA H200"); the longest where several do ("GTX
/// 1080 Ti" contains "GTX 1080"). Null for a device without a model here, and for variants with other rates (PCIe, NVL,
/// laptop, a MIG instance).
const DeviceModel* find_device_model(std::string_view device_name);

struct Occupancy {
    int blocks_per_sm = 0;
    int active_warps = 0, max_warps = 0;
    double percent = 0;    ///< active over maximal warps
    std::string limiter;   ///< "threads", "registers", "shared memory", "blocks per SM"
    std::string sentence;  ///< "Shared memory limits this block to 2 per SM"
};

/// Theoretical occupancy of one kernel. Registers of 0 count as unlimited.
Occupancy occupancy(const DeviceModel&, const KernelLaunch&);

/// Whether a launch fits the device: block dimensions, threads per block, shared memory, registers, grid.
/// The reason names the number requested and the limit.
Support fits(const DeviceModel&, const KernelLaunch&);

}  // namespace convscope
