#include "kernels/cpu/cpu_device.h"

#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <fstream>
#include <string>

#include "kernels/core/host_memory.h"
#include "kernels/core/measuring_clock.h"
#include "kernels/cpu/cpu_ceilings.h"
#include "kernels/cpu/cpu_sampler.h"
#include "kernels/cpu/thread_waits.h"

namespace convscope {
namespace {

/// The text behind the first "key ... : text" line of a /proc file; empty when there is none.
std::string proc_value(const char* path, const std::string& key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        std::size_t text = line.find_first_not_of(" \t", line.find(':') + 1);
        return text == std::string::npos ? "" : line.substr(text);
    }
    return {};
}

std::string cpu_name() {
    std::string model = proc_value("/proc/cpuinfo", "model name");
    const int threads = omp_get_max_threads();
    return fmt::format("{}, {} thread{}", model.empty() ? "CPU" : model, threads, threads == 1 ? "" : "s");
}

/// Some virtual machines hide their caches; assume a large one then, so that a cold sample is cold.
std::int64_t assumed_cache_bytes() {
    constexpr std::int64_t large = 64 << 20;
    const std::int64_t bytes = last_level_cache_bytes();
    return bytes > 0 ? bytes : large;
}

class CpuStageTimer final : public Device::StageTimer {
public:
    void mark(const char* stage) override { marks_.emplace_back(stage, Clock::now()); }

    void stop() override {
        end_ = Clock::now();
        waited_us_ = waits_->microseconds() - waited_us_;
    }

    /// Each stage lasts until the next mark.
    std::vector<std::pair<std::string, double>> times_us() override {
        const Clock::time_point end = end_.value_or(Clock::now());
        if (!marks_.empty()) took_us_ = std::chrono::duration<double, std::micro>(end - marks_.front().second).count();
        std::vector<std::pair<std::string, double>> times;
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            Clock::time_point next = i + 1 < marks_.size() ? marks_[i + 1].second : end;
            times.emplace_back(marks_[i].first,
                               std::chrono::duration<double, std::micro>(next - marks_[i].second).count());
        }
        marks_.clear();
        return times;
    }

    bool lengthened() const override { return end_ && waited_us_ > tolerated_wait * took_us_; }

private:
    using Clock = MeasuringClock;
    std::vector<std::pair<std::string, Clock::time_point>> marks_;
    std::optional<Clock::time_point> end_;
    const std::shared_ptr<const ThreadWaits> waits_ = ThreadWaits::of_this_process();
    double waited_us_ = waits_->microseconds();  ///< until the run began; then in it
    double took_us_ = 0;
};

class CpuDevice final : public Device, public CeilingMeter {
public:
    explicit CpuDevice(std::string vendor_version) {
        info_.id = "cpu";
        info_.kind = DeviceKind::cpu;
        info_.name = cpu_name();
        info_.vendor_version = std::move(vendor_version);
        info_.available = true;
        info_.model.name = info_.name;
        info_.model.l2_bytes = assumed_cache_bytes();
        info_.model.memory_bytes = host_memory_bytes();
        // A bound, for want of a datasheet: no core does more than two 512-bit multiply-adds a cycle at 6 GHz.
        info_.model.fp32_tflops = 2 * 16 * 2 * 6e-3 * omp_get_num_procs();
    }

    const DeviceInfo& info() const override { return info_; }

    std::int64_t free_memory_bytes() const override { return available_host_memory_bytes(); }

    std::unique_ptr<Sampler> make_sampler(Execution& execution, TimingScope scope, CacheMode cache) override {
        return make_cpu_sampler(execution, scope, cache, info_.model.l2_bytes);
    }

    std::unique_ptr<StageTimer> make_stage_timer() override { return std::make_unique<CpuStageTimer>(); }
    Ceilings measure_ceilings() override { return measure_cpu_ceilings(); }

private:
    DeviceInfo info_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(std::string vendor_version) {
    return std::make_unique<CpuDevice>(std::move(vendor_version));
}

}  // namespace convscope
