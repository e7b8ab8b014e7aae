#include "app/cli/cli.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/window.h"
#include "app/program/built_program.h"
#include "app/session/file_kinds.h"
#include "kernels/core/error.h"
#include "kernels/core/nearest_names.h"
#include "kernels/core/say.h"
#include "kernels/core/version.h"
#include "kernels/files/text_file.h"
#include "kernels/formats/array_file.h"

namespace convscope::cli {
namespace {

constexpr const char* description =
    "convscope looks inside convolution kernels: their layouts, their work, their time.\n"
    "With no subcommand it opens the app; with one it needs no display.";

constexpr const char* footer =
    "Exit status: 0 done; 2 usage; 3 no such device, method or preset; 4 a result was wrong; 5 a run failed;\n"
    "6 a file could not be read or written; 130 stopped by Ctrl-C.";

/// CLI11's own marks every flag that may be repeated with dots; ours are repeated by mistake, but for --set.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string type = option->get_type_name();
        return type.empty() ? "" : fmt::format(" {}", type);
    }
};

/// One line, whatever the name of a file in it holds.
int complain(std::string sentence, int status) {
    for (std::size_t at; (at = sentence.find('\n')) != std::string::npos;) sentence.replace(at, 1, "\\n");
    say("convscope: {}\n", sentence);
    return status;
}

/// "; did you mean --sparsity?", or nothing.
std::string guess(const std::string& requested, const std::vector<std::string>& names) {
    const std::vector<std::string> nearest = nearest_names(requested, names, 1);
    return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest.front());
}

std::vector<std::string> flag_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
    return names;
}

/// Without those that are for the program itself.
std::vector<std::string> command_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command :
         program.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
        names.push_back(command->get_name());
    return names;
}

/// CLI11 leaves what it does not know for us, so that the sentence is ours. Throws Error(usage).
void reject_leftovers(const CLI::App& app) {
    const std::vector<std::string> left = app.remaining();
    if (left.empty()) return;
    const bool flag = left.front().starts_with('-');
    const std::string command = app.get_parent() ? " " + app.get_name() : "";
    const char* own = app.get_name() == "program" ? "; the program's own arguments follow '--'" : "";
    throw Error(ErrorKind::usage, fmt::format("no {} '{}'{}{}{}{}; see convscope{} --help", flag ? "flag" : "argument",
                                              left.front(), command.empty() ? "" : " for", command,
                                              flag ? guess(left.front(), flag_names(app)) : "", own, command));
}

int run_window(const CLI::App& program, const std::vector<std::string>& files) {
    AppOptions options;
    for (const std::string& file : files) {
        if (!app::opens_in_app(file))
            throw Error(ErrorKind::usage,
                        fmt::format("'{}' is neither a subcommand nor a {} file{}; see convscope --help", file,
                                    app::any_of(app::opened_endings()), guess(file, command_names(program))));
        if (!std::filesystem::exists(file_of_array(file)))
            throw Error(ErrorKind::file, fmt::format("'{}' cannot be read: no such file", file));
        options.files.emplace_back(file);
    }
    return open_app(options);
}

int dispatch(CLI::App& program, const std::vector<Command>& commands, const std::vector<std::string>& files) {
    for (const Command& command : commands) {
        if (!command.app->parsed()) continue;
        reject_leftovers(*command.app);
        return command.run();
    }
    // The value of a flag that there is not is no mistyped command.
    const bool mistyped = !files.empty() && !app::opens_in_app(files.front()) &&
                          (program.remaining().empty() || std::isalpha(static_cast<unsigned char>(files.front()[0])));
    if (!mistyped) reject_leftovers(program);
    return run_window(program, files);
}

/// An empty name of a file, as of a variable that is not set, would be taken for none, and '-' for a file's name.
std::string problem_of_file(const std::string& text) {
    if (text.empty()) return "'' names no file";
    if (text != "-" && !text.ends_with("=-")) return {};
    return "'-' is not accepted: give ./- for that name, or /dev/stdout for standard output";
}

/// Standard output as a file that is written: what is printed next to it goes to standard error from now on.
std::string take_standard_output(std::string& file) {
    static int problem = 0;
    static const int taken = [] {
        const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (kept >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return kept;
        problem = errno;
        return -1;
    }();
    if (taken < 0) return fmt::format("{} cannot be written: {}", file, std::strerror(problem));
    file = fmt::format("/dev/fd/{}", taken);
    return {};
}

std::string problem_of_named_file(const std::string& text) {
    return text.ends_with('=') ? fmt::format("'{}' names no file", text) : "";
}

void require_names_of_files(CLI::App& command) {
    // The other flags of files name what is read.
    constexpr std::string_view written[] = {"--csv", "--json", "--out", "--sass"};
    for (CLI::Option* option : command.get_options()) {
        const std::string placeholder = option->get_name() == "FILE" ? "FILE" : option->get_type_name();
        for (const char* of_file : {"FILE", "DIR", "NAME=FILE", "OTHER.cu"})
            if (placeholder.starts_with(of_file)) option->check(CLI::Validator(problem_of_file, ""));
        if (placeholder == "FILE" && std::ranges::count(written, option->get_name()) > 0)
            option->transform(CLI::Validator(
                [](std::string& file) { return file == "/dev/stdout" ? take_standard_output(file) : ""; }, ""));
        if (placeholder.starts_with("NAME=FILE")) option->check(CLI::Validator(problem_of_named_file, ""));
    }
}

/// The longest of the command's flags that CLI11's sentence names, "--json: ..." or "json was given ...".
const CLI::Option* flag_in(const std::string& sentence, const CLI::App& app) {
    const CLI::Option* found = nullptr;
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_name();
        const bool named = sentence.find(name) != std::string::npos || ("--" + sentence).starts_with(name + " ");
        if (named && (!found || name.size() > found->get_name().size())) found = option;
    }
    return found;
}

/// Says what was wrong with a flag's values, and what is accepted, in place of CLI11's words.
std::string sentence_for(const CLI::ParseError& error, const CLI::App& program) {
    const std::vector<const CLI::App*> commands =
        program.get_subcommands([](const CLI::App* one) { return one->parsed(); });
    const CLI::Option* flag = flag_in(error.what(), commands.empty() ? program : *commands.front());
    if (!flag || dynamic_cast<const CLI::ValidationError*>(&error)) return error.what();
    const std::string name = flag->get_name();
    const int most = flag->get_expected_max();
    const std::size_t given = flag->results().size();
    if (most == 0) return fmt::format("{} takes no value", name);
    if (most == 1 && given > 1) return fmt::format("{} is given {} times; give it once", name, given);
    if (most > 1 && most == flag->get_expected_min())
        return fmt::format("{} takes {} values, {}: {}; {} given", name, most, flag->get_type_name(),
                           flag->get_description(), given == 1 ? "1 is" : fmt::format("{} are", given));
    return fmt::format("{} needs a value: {}, {}", name, flag->get_type_name(), flag->get_description());
}

/// 'convscope FILE.cu' of a file with a main() means 'convscope program FILE.cu'.
bool is_program_file(const std::string& word) {
    std::error_code none;
    return word.ends_with(".cu") && std::filesystem::is_regular_file(word, none) && app::has_main(read_text_file(word));
}

/// The words behind '--' are files to open, as a file manager names them: none is a command or a flag.
void name_files(std::vector<std::string>& words) {
    words.erase(words.begin());
    for (std::string& word : words)
        if (!word.starts_with('/')) word.insert(0, "./");
}

/// Takes the arguments of the program that is run, the words from '--' on, off the command line.
std::vector<std::string> take_arguments(std::vector<std::string>& words) {
    const auto end = std::ranges::find(words, "--");
    std::vector<std::string> arguments(end == words.end() ? end : end + 1, words.end());
    words.erase(end, words.end());
    return arguments;
}

int parse_and_run(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc), arguments;
    if (!words.empty() && words.front() == "--")
        name_files(words);
    else if (!words.empty() && is_program_file(words.front()) && (words.size() == 1 || words[1].starts_with("-")))
        words.insert(words.begin(), "program");
    if (!words.empty() && words.front() == "program") arguments = take_arguments(words);
    CLI::App program(description, "convscope");
    program.formatter(std::make_shared<HelpFormatter>());
    program.set_help_flag("--help", "show this text");
    program.set_version_flag("--version", std::string("convscope ") + program_version(), "show the version");
    program.footer(footer);
    program.require_subcommand(0, 1);
    program.allow_extras();
    std::vector<std::string> files;
    program
        .add_option("FILE", files,
                    "sessions (.convscope.toml), presets (.toml), x (.npy, .npz, .safetensors), models (.onnx) with "
                    "their input (.png, .ppm, .pgm), records (.csv, .json), lessons (.md) and kernels (.cu) to "
                    "open in the app; a .cu file with a main() is run, as by 'program'")
        ->type_name("...");
    const std::vector<Command> commands{add_bench(program),
                                        add_sweep(program),
                                        add_layout(program),
                                        add_run(program),
                                        add_trace(program),
                                        add_network(program),
                                        add_reproduce(program),
                                        add_merge(program),
                                        add_compare(program),
                                        add_export(program),
                                        add_list(program),
                                        add_tour(program),
                                        add_break_even(program),
                                        add_roofline(program),
                                        add_lesson(program),
                                        add_measure_worker(program),
                                        add_kernel(program),
                                        add_completion(program),
                                        add_manual(program),
                                        add_fit(program),
                                        add_program(program, std::move(arguments))};
    for (const Command& command : commands) {
        command.app->set_help_flag("--help", "show this text");
        command.app->allow_extras();
    }
    require_names_of_files(program);
    for (const Command& command : commands) {
        require_names_of_files(*command.app);
        for (CLI::Option* option : command.app->get_options())
            if (option->get_expected_max() == 0) option->disable_flag_override();
    }
    if (argc > 1 && std::string(argv[1]) == "complete") return complete(program, {argv + 2, argv + argc});
    try {
        std::ranges::reverse(words);  // as CLI11 takes them
        program.parse(std::move(words));
    } catch (const CLI::Success& help) {
        return program.exit(help);
    } catch (const CLI::ParseError& error) {
        return complain(sentence_for(error, program), static_cast<int>(ErrorKind::usage));
    }
    return dispatch(program, commands, files);
}

/// A descriptor that the caller closed is taken by the next file that is opened, and what is printed lands in it.
/// Opened for reading only, standard output and stderr still fail as closed ones do.
void open_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDONLY);
}

/// Where whoever read standard output has seen enough, as 'head' has: the end that this has for every program. The pipe
/// itself says so, for errno is of the last call alone.
void end_by_broken_pipe() {
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&out, 1, 0) < 1 || (out.revents & POLLERR) == 0) return;
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
}

std::atomic<bool> out_of_memory{false};
std::terminate_handler unexpected_end = nullptr;

void note_no_memory() {
    out_of_memory = true;
    throw std::bad_alloc();
}

/// Memory may run out where nothing can be thrown: the libraries have such places.
[[noreturn]] void end_without_memory() {
    if (out_of_memory) {
        constexpr char sentence[] = "convscope: the host's memory ran out\n";
        [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, sentence, sizeof sentence - 1);
        _exit(static_cast<int>(ErrorKind::failed));
    }
    unexpected_end();
    std::abort();
}

}  // namespace

int run(int argc, char** argv) {
    std::set_new_handler(note_no_memory);
    unexpected_end = std::set_terminate(end_without_memory);
    open_standard_descriptors();
    // A limit on the size of files is an error of the write that meets it, not the end of the program; and so is a pipe
    // that nobody reads any more.
    for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
    try {
        const int status = parse_and_run(argc, argv);
        errno = 0;
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
        const int reason = errno;
        end_by_broken_pipe();
        throw Error(ErrorKind::file, fmt::format("standard output cannot be written{}{}", reason ? ": " : "",
                                                 reason ? std::strerror(reason) : ""));
    } catch (const std::system_error& error) {
        const bool output = std::ferror(stdout) != 0;  // fmt's way to say that a write failed
        if (output) end_by_broken_pipe();
        return complain(
            output ? fmt::format("standard output cannot be written: {}", error.code().message()) : error.what(),
            static_cast<int>(output ? ErrorKind::file : ErrorKind::failed));
    } catch (const Error& error) {
        return complain(error.what(), error.exit_status());
    } catch (const std::bad_alloc&) {
        return complain("the host's memory ran out; make the shape or the files that are read smaller",
                        static_cast<int>(ErrorKind::failed));
    } catch (const std::exception& error) {
        return complain(error.what(), static_cast<int>(ErrorKind::failed));
    }
}

}  // namespace convscope::cli
