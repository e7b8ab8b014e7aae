// convscope complete: what could follow on a command line, for shells; convscope completion: the scripts that ask it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli/subcommand.h"
#include "kernels/core/error.h"
#include "kernels/layers/format_matrix.h"
#include "kernels/layers/network.h"
#include "kernels/layers/preset.h"
#include "kernels/method/registry.h"
#include "kernels/reproduce/figure.h"

namespace convscope::cli {
namespace {

using Words = std::vector<std::string>;

Words preset_names() {
    Words names;
    for (const Preset& preset : all_presets()) names.push_back(preset.spec.name);
    return names;
}

Words network_names() {
    Words names;
    for (const Network& network : all_networks()) names.push_back(network.name);
    return names;
}

Words matrix_names() {
    Words names;
    for (const MatrixOf of : all_matrices) names.emplace_back(to_string(of));
    return names;
}

Words method_ids() {
    Words ids;
    const auto registry = make_registry();
    for (const auto& method : registry->methods()) ids.push_back(method->info().id);
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());  // a method may run on several devices
    return ids;
}

Words device_ids() {
    Words ids;
    const auto registry = make_registry();
    for (const DeviceInfo* info : registry->devices()) ids.push_back(info->id);
    return ids;
}

Words figure_names() {
    Words names{"all", "pays", "overview"};
    for (const auto& [name, page] : goal_pages()) names.push_back(name);
    for (const PaperFigure& figure : all_figures()) names.push_back(figure.name);
    return names;
}

/// The values that a flag takes, where they are words of a list; empty for numbers and for files, which the shell
/// completes by itself.
Words values_of(const std::string& command, const std::string& flag) {
    if (flag == "--preset") return command == "network" ? network_names() : preset_names();
    if (flag == "--methods" || flag == "--method" || flag == "--verdict") return method_ids();
    if (flag == "--device") return device_ids();
    if (flag == "--scope") return {"kernel", "launch", "copies", "alloc", "setup"};
    if (flag == "--cache") return {"hot", "cold"};
    if (flag == "--pattern") return zero_pattern_names();
    if (flag == "--weight-pattern") return weight_pattern_names();
    if (flag == "--format") return layout_format_names();
    if (flag == "--of") return matrix_names();
    if (flag == "--resize") return {"nearest", "bilinear"};
    return {};
}

Words arguments_of(const std::string& command) {
    if (command == "list") return list_names();
    if (command == "lesson") return {"list", "check", "progress", "collect", "exercises", "start"};
    if (command == "reproduce") return figure_names();
    if (command == "completion") return {"bash", "zsh", "fish"};
    return {};
}

Words flags_of(const CLI::App& app) {
    Words names;
    for (const CLI::Option* option : app.get_options())
        if (option->nonpositional()) names.push_back(option->get_name());
    return names;
}

bool takes_value(const CLI::App& app, const std::string& flag) {
    const CLI::Option* option = app.get_option_no_throw(flag);
    return option && option->get_expected_max() > 0;
}

/// Completions of the last word, which may be begun.
Words candidates(const CLI::App& program, const Words& words) {
    const CLI::App* command = &program;
    const std::vector<const CLI::App*> subcommands = program.get_subcommands({});
    if (words.size() > 1)
        for (const CLI::App* each : subcommands)
            if (each->get_name() == words.front()) command = each;
    const std::string name = command == &program ? "" : command->get_name();
    const std::string before = words.size() > 1 ? words[words.size() - 2] : "";
    if (takes_value(*command, before)) return values_of(name, before);
    if (words.size() > 2 && words[words.size() - 3] == "--verdict") return method_ids();  // takes two
    if (words.back().starts_with('-')) return flags_of(*command);
    if (command != &program) return arguments_of(name);
    Words commands;
    for (const CLI::App* each : subcommands)
        if (!each->get_group().empty()) commands.push_back(each->get_name());
    return commands;
}

// Each hands the words up to the cursor to 'complete'; where that knows nothing, files are completed.
constexpr const char* bash_script = R"(_convscope() {
    local IFS=$'\n'
    COMPREPLY=($(convscope complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    [ "${#COMPREPLY[@]}" -gt 0 ] || compopt -o default
}
complete -F _convscope convscope
)";

constexpr const char* zsh_script = R"(#compdef convscope
_convscope() {
    local -a found
    found=("${(@f)$(convscope complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [ -n "$found" ]; then compadd -- "${found[@]}"; else _files; fi
}
_convscope "$@"
)";

constexpr const char* fish_script =
    R"(function __convscope
    set -l words (commandline -opc) (commandline -ct)
    convscope complete -- $words[2..-1] 2>/dev/null
end
complete -c convscope -a '(__convscope)'
)";

int print_script(const std::string& shell) {
    if (shell.empty()) throw Error(ErrorKind::usage, "completion for which shell? Give bash, zsh or fish");
    for (const auto& [name, script] :
         {std::pair{"bash", bash_script}, std::pair{"zsh", zsh_script}, std::pair{"fish", fish_script}})
        if (shell == name) return fmt::print("{}", script), 0;
    throw Error(ErrorKind::usage, fmt::format("completion: '{}' is not accepted; give bash, zsh or fish", shell));
}

}  // namespace

int complete(const CLI::App& program, std::vector<std::string> words) {
    if (!words.empty() && words.front() == "--") words.erase(words.begin());
    if (words.empty()) words.emplace_back();
    // Completes the last entry of a list.
    const std::size_t comma = words.back().rfind(',');
    const std::string kept = comma == std::string::npos ? "" : words.back().substr(0, comma + 1);
    for (const std::string& candidate : candidates(program, words))
        if (candidate.starts_with(words.back().substr(kept.size()))) fmt::print("{}{}\n", kept, candidate);
    return 0;
}

Command add_completion(CLI::App& program) {
    Subcommand command(program, "completion", "the script that completes words in bash, zsh or fish");
    auto shell = std::make_shared<std::string>();
    command.option("SHELL", *shell, "", "bash, zsh or fish");
    return command.runs([shell] { return print_script(*shell); });
}

}  // namespace convscope::cli
