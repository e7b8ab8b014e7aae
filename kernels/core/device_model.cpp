// The GPUs that people without one can look at.
//
// Limits: CUDA C++ Programming Guide, 'Compute Capabilities', table 'Technical Specifications per Compute
// Capability'; schedulers and shared memory per SM: the sections on each compute capability after it, and the tuning
// guide of each architecture. Rates: the vendor's datasheets and architecture white papers (boost clock, 2 per FMA).
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
};

DeviceModel make(DeviceModel model, const Product& product) {
    model.name = product.name;
    model.sms = product.sms;
    model.fp32_tflops = product.fp32_tflops;
    model.memory_gb_per_s = product.memory_gb_per_s;
    model.l2_bytes = product.l2_bytes;
    model.memory_bytes = product.memory_bytes;
    return model;
}

}  // namespace

const std::vector<DeviceModel>& device_models() {
    static const std::vector<DeviceModel> models{
        make(pascal(1), {"GTX 1080", 20, 8.9, 320, 2 * mib, 8 * gib}),
        make(pascal(1), {"GTX 1080 Ti", 28, 11.3, 484, 2816 * kib, 11 * gib}),
        make(pascal(0), {"P100", 56, 10.6, 732, 4 * mib, 16 * gib}),  // SXM2 16 GB
        make(turing(), {"T4", 40, 8.1, 320, 4 * mib, 16 * gib}),
        make(turing(), {"RTX 2080 Ti", 68, 13.4, 616, 5632 * kib, 11 * gib}),
        make(ampere_or_hopper(8, 164 * kib), {"A100", 108, 19.5, 2039, 40 * mib, 80 * gib}),  // SXM4 80 GB
        make(ampere_or_hopper(9, 228 * kib), {"H100", 132, 66.9, 3350, 50 * mib, 80 * gib}),  // SXM5 80 GB
    };
    return models;
}

}  // namespace convscope
