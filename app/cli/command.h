// One subcommand: its flags, and what runs when it is chosen. Each has a .cpp of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace convscope::cli {

struct Command {
    CLI::App* app = nullptr;
    std::function<int()> run;  ///< returns the exit status; throws Error
};

Command add_bench(CLI::App& program);
Command add_sweep(CLI::App& program);
Command add_layout(CLI::App& program);
Command add_run(CLI::App& program);
Command add_kernel(CLI::App& program);
/// 'arguments' are the program's own: what stands behind '--'.
Command add_program(CLI::App& program, std::vector<std::string> arguments);
Command add_list(CLI::App& program);
Command add_merge(CLI::App& program);
Command add_lesson(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_export(CLI::App& program);
Command add_fit(CLI::App& program);
Command add_tour(CLI::App& program);
Command add_trace(CLI::App& program);
Command add_network(CLI::App& program);
Command add_reproduce(CLI::App& program);
Command add_break_even(CLI::App& program);
Command add_roofline(CLI::App& program);
Command add_measure_worker(CLI::App& program);
Command add_completion(CLI::App& program);
Command add_manual(CLI::App& program);  ///< for packages; not in the help

/// The names that 'list' takes, and those of layout's --format.
std::vector<std::string> list_names();
std::vector<std::string> layout_format_names();

/// Prints what could stand in place of the last of these words, which may be begun, a line each. 'convscope complete --
/// WORD...' asks for it before the words are parsed, since they are not a command line yet.
int complete(const CLI::App& program, std::vector<std::string> words);

}  // namespace convscope::cli
