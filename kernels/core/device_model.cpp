// The GPUs that people without one can look at.
//
// Limits: CUDA C++ Programming Guide, 'Compute Capabilities', table 'Technical Specifications per Compute
// Capability'; schedulers and shared memory per SM: the sections on each compute capability after it, and the tuning
// guide of each architecture. Rates: the vendor's datasheets and architecture white papers (boost clock, 2 per FMA).
// Clocks: the base clock where the vendor prints one, as Chang et al., Table 1; for A100 and H100 the boost clock.
#include "kernels/core/device_model.h"

namespace convscope {
namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

/// What all GPUs of one compute capability share.
DeviceModel pascal(int minor) {
    DeviceModel model;
    model.cc_major = 6;
    model.cc_minor = minor;
    model.max_threads_per_sm = 2048;
    model.max_blocks_per_sm = 32;
    model.shared_per_sm = minor == 0 ? 64 * kib : 96 * kib;
    // The SM of 6.0 has 64 cores in two partitions, that of 6.1 has 128 in four.
    model.warp_schedulers = minor == 0 ? 2 : 4;
    return model;
}

DeviceModel turing() {
    DeviceModel model;
    model.cc_major = 7;
    model.cc_minor = 5;
    model.max_threads_per_sm = 1024;
    model.max_blocks_per_sm = 16;
    model.shared_per_block_optin = 64 * kib;
    model.shared_per_sm = 64 * kib;
    return model;
}

DeviceModel ampere_or_hopper(int major, std::int64_t shared_per_sm) {
    DeviceModel model;
    model.cc_major = major;
    model.cc_minor = 0;
    model.max_threads_per_sm = 2048;
    model.max_blocks_per_sm = 32;
    model.shared_per_sm = shared_per_sm;
    model.shared_reserved_per_block = kib;
    model.shared_per_block_optin = shared_per_sm - kib;
    model.shared_allocation_unit = 128;
    return model;
}

struct Product {
    const char* name;
    int sms;
    double fp32_tflops, memory_gb_per_s;
    std::int64_t l2_bytes, memory_bytes;
    double clock_mhz;
};

DeviceModel make(DeviceModel model, const Product& product) {
    model.name = product.name;
    model.sms = product.sms;
    model.fp32_tflops = product.fp32_tflops;
    model.memory_gb_per_s = product.memory_gb_per_s;
    model.l2_bytes = product.l2_bytes;
    model.memory_bytes = product.memory_bytes;
    model.clock_mhz = product.clock_mhz;
    model.fp32_lanes = fp32_lanes_per_sm(model.cc_major, model.cc_minor);
    model.memory_latency_cycles = memory_latency_cycles_of(model.cc_major);
    return model;
}

}  // namespace

int fp32_lanes_per_sm(int cc_major, int cc_minor) {
    const bool has_64 = cc_major == 7 || (cc_minor == 0 && (cc_major == 6 || cc_major == 8));
    return has_64 ? 64 : 128;
}

// Pascal: Chang et al., Table 1 (GTX 1080 Ti, 258). A100 and H100: Luo et al. 2024, 'Benchmarking and Dissecting the
// Nvidia Hopper GPU Architecture', latency of the memory levels (466.3 and 478.8, the latter on the PCIe card).
// Assumed: Turing as the A100, and what is newer than Hopper as Hopper.
int memory_latency_cycles_of(int cc_major) {
    if (cc_major <= 6) return 258;
    return cc_major <= 8 ? 466 : 479;
}

const std::vector<DeviceModel>& device_models() {
    static const std::vector<DeviceModel> models{
        make(pascal(1), {"GTX 1080", 20, 8.9, 320, 2 * mib, 8 * gib, 1607}),
        make(pascal(1), {"GTX 1080 Ti", 28, 11.3, 484, 2816 * kib, 11 * gib, 1480}),
        make(pascal(0), {"P100", 56, 10.6, 732, 4 * mib, 16 * gib, 1328}),  // SXM2 16 GB
        make(turing(), {"T4", 40, 8.1, 320, 4 * mib, 16 * gib, 585}),
        make(turing(), {"RTX 2080 Ti", 68, 13.4, 616, 5632 * kib, 11 * gib, 1350}),
        make(ampere_or_hopper(8, 164 * kib), {"A100", 108, 19.5, 2039, 40 * mib, 80 * gib, 1410}),  // SXM4 80 GB
        make(ampere_or_hopper(9, 228 * kib), {"H100", 132, 66.9, 3350, 50 * mib, 80 * gib, 1980}),  // SXM5 80 GB
    };
    return models;
}

}  // namespace convscope
