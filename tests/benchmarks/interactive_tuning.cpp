// How long a user waits after changing a block size in the app: from the change to a new median of that method, its
// output verified. The app's own session and live timing, at 60 frames a second without a window, with the methods that
// it ticks for the layer. Changes come at random moments, also while baselines are still being prepared.
//   interactive_tuning [--device ID] [--seconds S] [--seed N] [PRESET ...]      (layers of up to 1 GFLOP by default)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "app/session/jobs/live.h"
#include "app/session/method_choice.h"
#include "kernels/core/error.h"
#include "kernels/layers/preset.h"

namespace {

using namespace convscope;
using namespace convscope::app;
using Clock = std::chrono::steady_clock;

constexpr double patience_s = 20;

class User {
public:
    User(Registry& registry, std::string device, std::uint64_t seed)
        : registry_(registry), session_(make_session(registry)), live_(registry), random_(seed) {
        if (!device.empty()) choose_device(session_, registry, device);
    }

    const std::string& device() const { return session_.choices.device; }

    /// Changes blocks on one layer for a while. Prints a line.
    void explore(const std::string& preset, double seconds) {
        session_.choices.live_methods.reset();
        session_.choices.launch.clear();
        set_workload(session_, find_preset(preset).spec);
        const std::vector<const Method*> methods = free_methods();
        if (methods.empty()) return fmt::print("{:<24} no method of {} lets its block be set\n", preset, device());
        std::vector<double> waits;
        std::size_t late = 0, rejected = 0;
        const Clock::time_point end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        while (Clock::now() < end) {
            const Method& method = *methods[random_() % methods.size()];
            if (!tick(method)) settle_on_new_methods();
            change_block(method);
            const auto waited = wait_for(method.info().id);
            if (!waited)
                ++rejected;
            else
                waits.push_back(*waited);
            late += waited && *waited > 1 ? 1 : 0;
            dawdle();
        }
        report(preset, methods.size(), waits, late, rejected);
        all_.insert(all_.end(), waits.begin(), waits.end());
        all_late_ += late;
    }

    void sum_up() { report("all", 0, all_, all_late_, 0); }

private:
    std::vector<const Method*> free_methods() {
        std::vector<const Method*> found;
        for (const Method* method : registry_.methods(device_kind(session_, registry_)))
            if (method->supports(session_.good.shape) && method->launch_space(session_.good.shape).block_free)
                found.push_back(method);
        return found;
    }

    /// Whether the method is among those that are measured already; ticks it.
    bool tick(const Method& method) {
        std::vector<std::string> ticked = live_methods(session_, registry_);
        if (live_.wanted() && std::ranges::find(ticked, method.info().id) != ticked.end()) return true;
        session_.choices.live_methods.reset();
        ticked = live_methods(session_, registry_);
        if (std::ranges::find(ticked, method.info().id) == ticked.end())
            toggle_live_method(session_, registry_, method.info().id);
        if (!live_.wanted()) live_.start(session_);
        return false;
    }

    /// Another method was ticked: that is not a change of a block, and is not counted.
    void settle_on_new_methods() {
        const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
        const std::vector<std::string> ticked = live_methods(session_, registry_);
        while (Clock::now() < end) {
            frame();
            if (std::ranges::all_of(ticked, [this](const std::string& id) { return live_.latest(id) != nullptr; }))
                return;
        }
    }

    void change_block(const Method& method) {
        const std::string& id = method.info().id;
        const LaunchConfig before = launch_of(session_, id);
        for (int tries = 0; tries < 200; ++tries) {
            LaunchConfig config = before;
            config.block = Dim3{std::int64_t{1} << random_() % 11, std::int64_t{1} << random_() % 4,
                                std::int64_t{1} << random_() % 3};
            if (config == before ||
                !method.resolve(session_.good.shape, config, launch_model(session_, registry_)).support)
                continue;
            session_.choices.launch[id] = config;
            return;
        }
    }

    /// Seconds until there is a verified median; nothing when the device rejected the change.
    std::optional<double> wait_for(const std::string& id) {
        const Clock::time_point begin = Clock::now();
        const std::uint64_t rows_before = live_.snapshot().records.size();
        bool started = false;
        for (;;) {
            frame();
            const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
            started = started || live_.snapshot().generation != generation_before_;
            const Record* row = started ? live_.latest(id) : nullptr;
            const std::optional<Dim3> wanted = launch_of(session_, id).block;
            if (row && live_.snapshot().records.size() != rows_before && row->block == wanted) {
                generation_before_ = live_.snapshot().generation;
                if (row->status != Status::passed || !row->time_median_us) return {};
                return waited;
            }
            if (waited > patience_s) return waited;
        }
    }

    /// A user looks at the figure before turning the knob again.
    void dawdle() {
        const double seconds = std::uniform_real_distribution<double>(0, 1.2)(random_);
        const Clock::time_point end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        while (Clock::now() < end) frame();
    }

    void frame() {
        const Clock::time_point next = Clock::now() + std::chrono::microseconds(16667);
        {
            const QuietFrame turn(live_.gate(), std::chrono::milliseconds(25));
            live_.update(session_);
        }
        std::this_thread::sleep_until(next);
    }

    void report(const std::string& name, std::size_t methods, std::vector<double> waits, std::size_t late,
                std::size_t rejected) {
        if (waits.empty()) return fmt::print("{:<24} no change was measured, {} had no time\n", name, rejected);
        std::ranges::sort(waits);
        auto ms = [&waits](double share) {
            return 1000 * waits[static_cast<std::size_t>(share * static_cast<double>(waits.size() - 1) + 0.5)];
        };
        const double gflop = methods ? session_.good.shape.flops_dense() / 1e9 : 0;
        fmt::print("{:<24} {:6} {:8} {:8} {:7.0f} {:7.0f} {:7.0f} {:7.0f} {:7}{}\n", name,
                   methods ? fmt::format("{:.3f}", gflop) : "", methods ? std::to_string(methods) : "", waits.size(),
                   ms(0.5), ms(0.9), ms(0.99), ms(1), late,
                   rejected ? fmt::format("   {} rejected by the device", rejected) : "");
        std::fflush(stdout);
    }

    Registry& registry_;
    Session session_;
    Live live_;
    std::mt19937_64 random_;
    std::uint64_t generation_before_ = 0;
    std::vector<double> all_;
    std::size_t all_late_ = 0;
};

int run(const std::vector<std::string>& arguments) {
    std::string device;
    double seconds = 4;
    std::uint64_t seed = 1;
    std::vector<std::string> presets;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool has_value = i + 1 < arguments.size();
        if (arguments[i] == "--device" && has_value)
            device = arguments[++i];
        else if (arguments[i] == "--seconds" && has_value)
            seconds = std::stod(arguments[++i]);
        else if (arguments[i] == "--seed" && has_value)
            seed = std::stoull(arguments[++i]);
        else
            presets.push_back(arguments[i]);
    }
    if (presets.empty())
        presets = {"examples/xu-fig4", "xu2022/lenet-conv2", "vgg19/conv5_1",
                   "resnet50/conv1",   "alexnet/conv3",      "mec/cv9"};
    const std::unique_ptr<Registry> registry = make_registry();
    User user(*registry, device, seed);
    fmt::print("on {}; milliseconds from a change of block to a verified median\n", user.device());
    fmt::print("{:<24} {:>6} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "layer", "GFLOP", "methods", "changes",
               "p50", "p90", "p99", "max", "over 1s");
    for (const std::string& preset : presets) user.explore(preset, seconds);
    user.sum_up();
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run({words + 1, words + count});
    } catch (const std::exception& error) {
        fmt::print(stderr, "interactive_tuning: {}\n", error.what());
        return 1;
    }
}
