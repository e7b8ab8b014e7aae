#include "kernels/measure/isolated/user_run.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "kernels/core/error.h"
#include "kernels/measure/isolated/wire_types.h"
#include "kernels/measure/timing_summary.h"
#include "kernels/user_kernel/user_execution.h"

namespace convscope {
namespace {

using Clock = std::chrono::steady_clock;

/// Standard output goes to memory: a kernel's printf ends up there when the GPU is waited for.
class CapturedOutput {
public:
    CapturedOutput() : before_(dup(STDOUT_FILENO)), memory_(memfd_create("printed", MFD_CLOEXEC)) {
        std::fflush(stdout);
        dup2(memory_, STDOUT_FILENO);
    }
    ~CapturedOutput() {
        end();
        close(before_);
        close(memory_);
    }
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    std::string take() {
        constexpr std::size_t most = 1 << 16;
        end();
        std::string text(most, '\0');
        const ssize_t got = pread(memory_, text.data(), most, 0);
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return text;
    }

private:
    void end() {
        std::fflush(stdout);
        dup2(before_, STDOUT_FILENO);
    }
    const int before_, memory_;
};

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Once the caches have settled: one at least, until the noise is as low as the options request, or their time is over.
std::vector<double> take_samples(Sampler& sampler, const MeasureOptions& options,
                                 const std::function<void()>& sign_of_life) {
    constexpr int warm_up_samples = 5;
    for (int i = 0; i < warm_up_samples; ++i) {
        sampler.sample_us();
        sign_of_life();
    }
    std::vector<double> samples_us;
    auto next_look = static_cast<std::size_t>(std::max(options.min_samples, 1));
    const Clock::time_point begin = Clock::now();
    do {
        samples_us.push_back(sampler.sample_us());
        sign_of_life();
        if (samples_us.size() < next_look) continue;
        if (summarize(samples_us, options.max_noise_pct).settled(options.max_noise_pct)) break;
        next_look += next_look / 4 + 1;  // as seldom as CandidateRun looks
    } while (static_cast<int>(samples_us.size()) < options.max_samples && seconds_since(begin) < options.timeout_s);
    return samples_us;
}

/// Whether a run after the samples leaves the arrays as the first one did. It has no reference.
bool does_the_same(Sampler& sampler, UserExecution& execution, const std::vector<std::string>& arrays) {
    sampler.single_run_us([&] {
        execution.upload();
        execution.poison_output();
        execution.synchronize();
    });
    return execution.download_arrays() == arrays;
}

}  // namespace

UserRunResult run_user_kernel(Device& device, const UserRunRequest& request,
                              const std::function<void()>& sign_of_life) {
    UserExecution execution(request.launch, {}, *device.gpu());
    execution.setup();
    if (const Support support = fits(device.info().model, execution.launches().front()); !support)
        throw Error(ErrorKind::usage, support.reason);
    execution.allocate();
    execution.upload();
    execution.poison_output();
    UserRunResult result;
    {
        CapturedOutput output;
        execution.run(nullptr);
        execution.synchronize();
        result.printed = output.take();
    }
    result.arrays = execution.download_arrays();
    result.registers = execution.kernel().registers();
    result.static_shared_bytes = execution.kernel().static_shared_bytes();
    result.local_bytes = execution.kernel().local_bytes();
    sign_of_life();
    if (!request.timed) return result;
    const auto sampler = device.make_sampler(execution, request.options.scope, request.options.cache);
    result.samples_us = take_samples(*sampler, request.options, sign_of_life);
    result.note = sampler->note();
    // The wider scopes free what it starts from.
    if (request.options.scope < TimingScope::alloc && !does_the_same(*sampler, execution, result.arrays))
        result.note += fmt::format(
            "{}a run after the samples left other values than the first: its sums have no order, "
            "or what was timed is other work",
            result.note.empty() ? "" : "; ");
    return result;
}

UserRunResult run_user_isolated(const UserRunRequest& request, const std::stop_token& stop,
                                std::chrono::seconds longest, const std::vector<std::string>& command) {
    MeasuringProcess process(command);
    process.pipe().send(MessageKind::user_run, packed(request));
    for (Clock::time_point begin = Clock::now();;) {
        if (stop.stop_requested()) throw Error(ErrorKind::failed, request.launch.id + " was stopped");
        if (seconds_since(begin) > static_cast<double>(longest.count()))
            throw Error(ErrorKind::failed, fmt::format("{} did not end within {} s on {}, and its process was ended",
                                                       request.launch.id, longest.count(), request.device));
        if (!process.pipe().wait(std::chrono::milliseconds(50))) continue;
        const std::optional<Message> message = process.pipe().receive();
        if (!message)
            throw Error(ErrorKind::failed,
                        fmt::format("the process that ran {} {}", request.launch.id, process.last_words()));
        if (message->kind == MessageKind::user_run) return unpacked<UserRunResult>(message->bytes);
        if (message->kind == MessageKind::error) throw_error(message->bytes);
        begin = Clock::now();  // it is alive
    }
}

}  // namespace convscope
