// The GPUs that people without one can look at.
//
// Limits: CUDA C++ Programming Guide, 'Compute Capabilities', table 'Technical Specifications per Compute
// Capability'; schedulers and shared memory per SM: the sections on each compute capability after it, and the tuning
// guide of each architecture. Rates: the vendor's datasheets and architecture white papers (boost clock, 2 per FMA).
// Tensor cores: the same, without sparsity (half of what a datasheet prints 'with sparsity'), sums in FP32: 'NVIDIA
// Turing GPU Architecture' (T4, RTX 2080 Ti), 'NVIDIA Ada GPU Architecture' (RTX 4090), 'NVIDIA RTX Blackwell GPU
// Architecture' (RTX 5090), datasheets of A100, H100, H200, L4, L40S and HGX B200 (an eighth of its eight GPUs).
// Clocks: the base clock where the vendor prints one, as Chang et al., Table 1; for A100, H100 and H200 the boost
// clock; for B200, which has none printed, the one that its FP32 rate implies.
#include "kernels/core/device_model.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace convscope {
namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib, gb = 1'000'000'000;

/// The properties that all GPUs of one compute capability share.
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

/// Compute capability 8.0 and later.
DeviceModel ampere_on(int major, int minor, std::int64_t shared_per_sm) {
    DeviceModel model;
    model.cc_major = major;
    model.cc_minor = minor;
    const bool data_center = minor == 0 && major < 12;
    model.max_threads_per_sm = data_center ? 2048 : 1536;
    model.max_blocks_per_sm = data_center ? 32 : 24;
    model.shared_per_sm = shared_per_sm;
    model.shared_reserved_per_block = kib;
    model.shared_per_block_optin = shared_per_sm - kib;
    model.shared_allocation_unit = 128;
    return model;
}

struct Product {
    const char* name;
    int sms;
    double fp32_tflops, tf32_tflops, fp16_tflops, memory_gb_per_s;
    std::int64_t l2_bytes, memory_bytes;
    double clock_mhz;
};

DeviceModel make(DeviceModel model, const Product& product) {
    model.name = product.name;
    model.sms = product.sms;
    model.fp32_tflops = product.fp32_tflops;
    model.tf32_tflops = product.tf32_tflops;
    model.fp16_tflops = product.fp16_tflops;
    model.memory_gb_per_s = product.memory_gb_per_s;
    model.l2_bytes = product.l2_bytes;
    model.memory_bytes = product.memory_bytes;
    model.clock_mhz = product.clock_mhz;
    model.fp32_lanes = fp32_lanes_per_sm(model.cc_major, model.cc_minor);
    model.memory_latency_cycles = memory_latency_cycles_of(model.cc_major);
    return model;
}

/// " NVIDIA A100 SXM4 80GB " of "NVIDIA A100-SXM4-80GB".
std::string spaced_words(std::string_view name) {
    std::string words = " ";
    for (const char c : name) words += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : ' ';
    return words + ' ';
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
        make(pascal(1), {"GTX 1080", 20, 8.9, 0, 0, 320, 2 * mib, 8 * gib, 1607}),
        make(pascal(1), {"GTX 1080 Ti", 28, 11.3, 0, 0, 484, 2816 * kib, 11 * gib, 1480}),
        make(pascal(0), {"P100", 56, 10.6, 0, 0, 732, 4 * mib, 16 * gib, 1328}),  // SXM2 16 GB
        make(turing(), {"T4", 40, 8.1, 0, 65, 320, 4 * mib, 16 * gib, 585}),
        make(turing(), {"RTX 2080 Ti", 68, 13.4, 0, 53.8, 616, 5632 * kib, 11 * gib, 1350}),
        // SXM4 80 GB
        make(ampere_on(8, 0, 164 * kib), {"A100", 108, 19.5, 156, 312, 2039, 40 * mib, 80 * gib, 1410}),
        // SXM5 80 GB
        make(ampere_on(9, 0, 228 * kib), {"H100", 132, 66.9, 494.7, 989.4, 3350, 50 * mib, 80 * gib, 1980}),
        // SXM 141 GB
        make(ampere_on(9, 0, 228 * kib), {"H200", 132, 66.9, 494.7, 989.4, 4800, 50 * mib, 141 * gb, 1980}),
        make(ampere_on(8, 9, 100 * kib), {"L4", 58, 30.3, 60, 121, 300, 48 * mib, 24 * gb, 795}),
        make(ampere_on(8, 9, 100 * kib), {"L40S", 142, 91.6, 183, 362, 864, 96 * mib, 48 * gb, 1110}),
        make(ampere_on(8, 9, 100 * kib), {"RTX 4090", 128, 82.6, 82.6, 165.2, 1008, 72 * mib, 24 * gib, 2235}),
        make(ampere_on(12, 0, 100 * kib), {"RTX 5090", 170, 104.8, 104.8, 209.5, 1792, 96 * mib, 32 * gib, 2017}),
        make(ampere_on(10, 0, 228 * kib), {"B200", 148, 75, 1125, 2250, 8000, 126 * mib, 180 * gb, 1980}),
    };
    return models;
}

const DeviceModel& default_device_model() {
    static const DeviceModel& model = *find_device_model("H100");
    return model;
}

const DeviceModel* find_device_model(std::string_view device_name) {
    const std::string name = spaced_words(device_name);
    constexpr std::array variants{" Laptop ", " Max ", " PCIe ", " PCIE ", " NVL ", " D ", " MIG ", " 40GB "};
    const auto has = [&](const std::string& words) { return name.find(words) != std::string::npos; };
    if (std::ranges::any_of(variants, has)) return nullptr;
    const DeviceModel* found = nullptr;
    for (const DeviceModel& model : device_models())
        if (has(" " + model.name + " ") && (!found || model.name.size() > found->name.size())) found = &model;
    return found;
}

}  // namespace convscope
