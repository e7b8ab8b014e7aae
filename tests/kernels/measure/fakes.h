// A device and methods whose times, failures and results are scripted, so that the course of a measurement can be
// followed to the sample.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method/registry.h"

namespace convscope::testing {

struct Script {
    std::string id;
    std::vector<double> times_us{10};  ///< of successive samples, over and over
    bool vendor = false, vendor_best = false;
    DType dtype = DType::f32;
    int fail_at = -1;            ///< the sample (warm-up included, from 0) that throws
    bool out_of_memory = false;  ///< allocate() throws
    bool wrong = false;          ///< the first element is off by a tenth
    bool leaves_last = false;    ///< the last element is never written
    bool sampler_runs = true;    ///< false: the timed path computes nothing
    int lengthened_each = 0;     ///< so many samples after each that counts wait for a core, 100 times as long
    std::function<bool()> is_lengthened = {};  ///< says it instead
    int passes = 1;                            ///< of its one stage, in each run
    std::int64_t workspace_bytes = 0, library_workspace_bytes = 0;
    std::optional<Summation> chosen_summation = {};
    std::vector<Tunable> tunables = {};
    std::string unsupported = {};              ///< why no shape is supported
    std::string rejected = {};                 ///< why no configuration is
    std::function<void()> during_sample = {};  ///< what else happens
};

/// Device "fake" (kind cpu unless said otherwise) with one method per script; it may reject to time stages.
struct FakeLab {
    std::unique_ptr<Registry> registry = std::make_unique<Registry>();
    std::vector<std::string> log;  ///< the methods' ids in the order in which they were sampled
    Device* device = nullptr;

    explicit FakeLab(const std::vector<Script>&, DeviceKind = DeviceKind::cpu, std::int64_t free_bytes = 1 << 30,
                     bool times_stages = true);
};

}  // namespace convscope::testing
