// Time and memory of MEC against im2col and oneDNN on the layers of Cho & Brand 2017, Table 2.
//
//   mec_vs_im2col [ROUNDS [openblas]]     default 30 rounds; 'openblas': OpenBLAS multiplies for mec2 and im2col
//
// The methods take turns, A B C A B C ... for one half of the rounds and A C B A C B ... for the other: whatever else
// the machine does hits all of them, and each finds the caches as either baseline left them, equally often. Times are
// the fastest of all rounds, for a machine that is shared; ratios are medians over rounds, with their quartiles. Each
// result is held against the reference first. Bytes of L and of the im2col matrix are those that the executions really
// allocate.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/layers/preset.h"
#include "kernels/measure/verify.h"
#include "kernels/method/registry.h"
#include "kernels/reference/reference_result.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

struct Contender {
    const Method* method = nullptr;
    std::unique_ptr<Execution> execution;
    std::unique_ptr<Sampler> sampler;
    std::vector<double> samples_us;
};

double quantile(std::vector<double> values, double share) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

/// Ready to be sampled, its result checked. Throws Error(wrong) when it differs from the reference's.
Contender prepare(const Method& method, const LaunchConfig& launch, const Workload& workload,
                  const ReferenceResult& reference, Device& device) {
    Contender contender{&method, method.instantiate(workload.spec.shape, launch, device), {}, {}};
    Execution& execution = *contender.execution;
    testing::run_execution(execution, workload);
    const Verification result = verify(execution.output(), reference.y, reference.scale, workload.spec.shape,
                                       method.info().dtype, summation_of(method.info(), execution));
    if (!result.ok) throw Error(ErrorKind::wrong, method.info().id + ": " + result.reason);
    contender.sampler = device.make_sampler(execution, TimingScope::kernel, CacheMode::hot);
    return contender;
}

/// Round by round.
std::vector<double> ratios(const Contender& a, const Contender& b) {
    std::vector<double> all;
    for (std::size_t i = 0; i < a.samples_us.size(); ++i) all.push_back(a.samples_us[i] / b.samples_us[i]);
    return all;
}

std::string describe(const std::vector<double>& values) {
    return fmt::format("{:.2f} [{:.2f}, {:.2f}]", quantile(values, 0.5), quantile(values, 0.25),
                       quantile(values, 0.75));
}

/// Bytes of L over bytes of the im2col matrix, and whether both are what the formulas say.
std::string memory(const Contender& mec, const Contender& im2col, const ConvShape& shape) {
    const std::int64_t L = mec.execution->workspace_bytes(), matrix = im2col.execution->workspace_bytes();
    const bool as_formula = L == 4 * shape.mec_elements() && matrix == 4 * shape.im2col_elements();
    return fmt::format("{:.2f} / {:.2f} = {:.3f} {}", 1e-6 * static_cast<double>(L), 1e-6 * static_cast<double>(matrix),
                       static_cast<double>(L) / static_cast<double>(matrix),
                       as_formula ? "as formula" : "NOT AS FORMULA");
}

/// One row of the table. Returns whether mec2 was the faster one.
bool run_layer(const std::string& name, Registry& registry, int rounds, bool openblas) {
    Device& device = registry.device("cpu");
    const Workload workload = make_workload(find_preset("mec/" + name).spec);
    const ReferenceResult reference = reference_result(workload);
    std::vector<Contender> contenders;
    for (const char* id : {"mec2", "im2col", "onednn"})
        if (const Method* method = registry.find(id, DeviceKind::cpu)) {
            LaunchConfig launch;
            if (!method->info().vendor) launch.tunables["openblas"] = openblas;
            contenders.push_back(prepare(*method, launch, workload, reference, device));
        }
    std::vector<Contender*> turns;
    for (Contender& contender : contenders) turns.push_back(&contender);
    for (Contender* contender : turns) contender->sampler->sample_us();
    for (int round = 0; round < rounds; ++round) {
        if (round == rounds / 2) std::reverse(turns.begin() + 1, turns.end());
        for (Contender* contender : turns) contender->samples_us.push_back(contender->sampler->sample_us());
    }

    std::string row = fmt::format("| {} |", name);
    for (const Contender& contender : contenders) row += fmt::format(" {:.0f} |", quantile(contender.samples_us, 0.5));
    row += fmt::format(" {} |", describe(ratios(contenders[0], contenders[1])));
    if (contenders.size() > 2)
        row += fmt::format(" {} | {} |", describe(ratios(contenders[0], contenders[2])),
                           contenders[2].execution->choice());
    fmt::print("{} {} |\n", row, memory(contenders[0], contenders[1], workload.spec.shape));
    std::fflush(stdout);
    return quantile(ratios(contenders[0], contenders[1]), 0.5) < 1.0;
}

int run(int rounds, bool openblas) {
    const auto registry = make_registry();
    const DeviceInfo& cpu = registry->device("cpu").info();
    const bool baseline = registry->find("onednn", DeviceKind::cpu);
    fmt::print("{}; {}; {}; {} rounds, hot cache, batch 1; microseconds\n\n", cpu.name,
               openblas ? "OpenBLAS multiplies" : "weights packed beforehand",
               baseline ? cpu.vendor_version : "no oneDNN", rounds);
    fmt::print("| layer | mec2 | im2col |{} mec2 / im2col |{} MB of L / of the im2col matrix |\n",
               baseline ? " onednn |" : "", baseline ? " mec2 / onednn | oneDNN chose |" : "");
    fmt::print("|---|---|---|{}---|{}---|\n", baseline ? "---|" : "", baseline ? "---|---|" : "");
    int faster = 0;
    for (int i = 1; i <= 12; ++i) faster += run_layer(fmt::format("cv{}", i), *registry, rounds, openblas);
    fmt::print("\nmec2 is faster than im2col on {} of 12 layers\n", faster);
    return 0;
}

}  // namespace
}  // namespace convscope

int main(int argc, char** argv) {
    try {
        return convscope::run(argc > 1 ? std::max(3, std::atoi(argv[1])) : 30,
                              argc > 2 && argv[2] == std::string("openblas"));
    } catch (const convscope::Error& error) {
        fmt::print(stderr, "mec_vs_im2col: {}\n", error.what());
        return error.exit_status();
    }
}
