#include "app/session/command_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/session/method_choice.h"
#include "app/session/sweep_flags.h"
#include "app/sweep/sweep_plan.h"
#include "kernels/onnx/input_file.h"
#include "kernels/onnx/model_run.h"

namespace convscope::app {
namespace {

void add_conditions(FlagValues& flags, const Session& session, const Registry& registry,
                    const std::vector<std::string>& methods) {
    flags.set("--device", session.choices.device);
    flags.set("--methods", fmt::format("{}", fmt::join(methods, ",")));
    add_timing(flags, session, registry);
}

void add_launch(FlagValues& flags, const LaunchConfig& launch) {
    if (launch.block) flags.set("--block", to_string(*launch.block));
    if (launch.grid) flags.set("--grid", to_string(*launch.grid));
    std::vector<std::string> settings;
    for (const auto& [name, value] : launch.tunables) settings.push_back(fmt::format("{}={}", name, value));
    if (!settings.empty()) flags.set_all("--set", std::move(settings));
}

/// A model and what it runs on.
FlagValues model_flags_of(const NetworkChoice& network) {
    FlagValues flags;
    flags.set("--model", network.model);
    if (network.input.empty()) return flags;
    flags.set("--input", network.input);
    if (is_picture_file(network.input)) flags.set("--resize", "bilinear");
    return flags;
}

}  // namespace

std::string with_model_files(const Session& session, const std::string& command) {
    if (!session.model.network) return command;
    const auto& layers = session.model.network->layers;
    const auto layer = std::ranges::find_if(layers, [&](const Preset& each) {
        const std::string& file = each.spec.input_path;
        return !file.empty() && command.find(file) != std::string::npos;
    });
    if (layer == layers.end()) return command;
    const std::string ours = std::filesystem::path(layer->spec.input_path).parent_path().string(),
                      theirs = plain_name(std::filesystem::path(session.network.model).stem().string()) + "-layers";
    FlagValues run = model_flags_of(session.network);
    run.set("--out", theirs);
    std::string text = command_line("network", run) + " --run-only\n" + command;
    for (std::size_t at = 0; (at = text.find(ours + '/', at)) != std::string::npos;)
        text.replace(at, ours.size(), theirs);
    return text;
}

std::string bench_command(const Session& session, const Registry& registry) {
    std::vector<std::string> baselines, plain, set_by_hand;
    const DeviceKind kind = device_kind(session, registry);
    for (const Candidate& candidate : make_job(session, registry).candidates) {
        const Method* method = registry.find(candidate.method, kind);
        const bool vendor = method && method->info().vendor;
        (vendor ? baselines : candidate.launch == LaunchConfig{} ? plain : set_by_hand).push_back(candidate.method);
    }
    std::string text;
    const auto line = [&](std::vector<std::string> methods, const LaunchConfig& launch) {
        methods.insert(methods.end(), baselines.begin(), baselines.end());
        if (methods.empty()) return;
        FlagValues flags = workload_flags_of(session);
        add_conditions(flags, session, registry, methods);
        add_launch(flags, launch);
        if (!text.empty()) text += '\n';
        text += command_line("bench", flags);
    };
    if (!plain.empty() || set_by_hand.empty()) line(plain, {});
    for (const std::string& id : set_by_hand) line({id}, launch_of(session, id));
    return with_model_files(session, text);
}

std::string network_command(const Session& session, const Registry& registry) {
    const NetworkJob job = make_network_job(session, registry);
    if (!chosen_network(session) || job.plan.methods.empty()) return {};
    FlagValues flags;
    if (shows_model(session.network)) {
        // The command line takes no other batch than the model's.
        if (session.network.n != chosen_network(session)->layers.front().spec.shape.n) return {};
        flags = model_flags_of(session.network);
    } else {
        flags.set("--preset", session.network.name);
        flags.set("--n", fmt::format("{}", session.network.n));
    }
    add_conditions(flags, session, registry, job.plan.methods);
    flags.set("--min-samples", fmt::format("{}", job.plan.options.min_samples));
    flags.set("--max-noise", fmt::format("{}", job.plan.options.max_noise_pct));
    flags.set("--timeout", fmt::format("{}", job.plan.options.timeout_s));
    return command_line("network", flags) + (job.plan.chain ? " --chain" : "");
}

}  // namespace convscope::app
