#include "kernels/ptx/compile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>
#include <string_view>
#include <thread>

#include "kernels/core/error.h"
#include "kernels/core/temporary_folder.h"
#include "kernels/ptx/compile_errors.h"
#include "kernels/ptx/expanded_source.h"
#include "kernels/ptx/source_constants.h"

extern char** environ;

namespace convscope::ptx {
namespace {

constexpr std::size_t max_said = 1 << 20;
constexpr int max_errors = 1000;              ///< at which a compiler stops
constexpr std::chrono::minutes max_time{10};  ///< of a compiler: on a busy machine it takes many times its seconds

std::optional<std::string> on_path(const std::string& name) {
    const char* folders = std::getenv("PATH");
    std::istringstream list(folders ? folders : "");
    for (std::string folder; std::getline(list, folder, ':');) {
        const std::string file = folder + "/" + name;
        if (access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return file;
    }
    return std::nullopt;
}

/// Where a program lies that is started in another folder than this process's.
std::string whole_path(const std::string& program) {
    const std::string found = program.find('/') == std::string::npos ? on_path(program).value_or(program) : program;
    std::error_code none;
    return found.find('/') == std::string::npos ? found : std::filesystem::absolute(found, none).string();
}

std::string read_all(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_all(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush())
        throw Error(ErrorKind::file, fmt::format("{} cannot be written: {}", path.string(), std::strerror(errno)));
}

/// Of what is made among the temporary files.
void require_made(const std::error_code& error, const std::filesystem::path& path) {
    if (error)
        throw Error(ErrorKind::file,
                    fmt::format("'{}' cannot be made: {}; $TMPDIR has to name a folder that takes files, "
                                "folders and links",
                                path.string(), error.message()));
}

/// A copy of the source, and a link to its folder, in the one in which the compiler runs: names that no file includes.
constexpr const char *copied = ".kernel.cu", *included = ".source", *made = "made";

/// "#define NAME VALUE" of "NAME=VALUE", or of "NAME", which is 1.
std::string as_directive(const std::string& define) {
    const std::size_t equals = define.find('=');
    std::string value = equals == std::string::npos ? "1" : define.substr(equals + 1);
    std::ranges::replace(value, '\n', ' ');
    return fmt::format("#define {} {}\n", define.substr(0, equals), value);
}

/// As a preprocessor reads the name of a file.
std::string quoted(const std::string& path) {
    std::string text = "\"";
    for (const char c : path) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    text += '"';
    return text;
}

/// This process's environment, with temporary files in the folder in which the program runs: what is stopped leaves
/// none. nvcc puts "FOLDER:" before $LD_LIBRARY_PATH, so that the programs it starts take libraries from the working
/// directory where that is empty.
class Environment {
public:
    explicit Environment(const std::filesystem::path& folder) {
        const char* libraries = std::getenv("LD_LIBRARY_PATH");
        libraries_ = "LD_LIBRARY_PATH=" + (libraries && *libraries ? std::string(libraries) : folder.string());
        for (char** each = environ; *each; ++each) {
            const std::string_view word(*each);
            if (!word.starts_with("TMPDIR=") && !word.starts_with("LD_LIBRARY_PATH=")) words_.push_back(*each);
        }
        words_.insert(words_.end(), {temporary_.data(), libraries_.data(), nullptr});
    }
    char** words() { return words_.data(); }

private:
    std::string temporary_ = "TMPDIR=.", libraries_;
    std::vector<char*> words_;
};

/// In a process group of its own, so that it can be ended with all that it has started. In 'folder', not in the
/// caller's: nvcc has cuda_runtime.h included before anything else, and its preprocessor looks for that where it runs.
pid_t start_program(const std::vector<std::string>& words, const std::filesystem::path& folder,
                    const std::filesystem::path& output) {
    std::string program = whole_path(words[0]);
    std::vector<char*> arguments{program.data()};
    for (std::size_t i = 1; i < words.size(); ++i) arguments.push_back(const_cast<char*>(words[i].c_str()));
    arguments.push_back(nullptr);
    Environment environment(folder);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = -1;
    const int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environment.words());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw Error(error == ENOENT || error == EACCES ? ErrorKind::not_found : ErrorKind::failed,
                    fmt::format("{} cannot be started: {}", words[0], std::strerror(error)));
    return child;
}

/// Whether it ended well. What it says goes into the file 'output'.
bool run_program(const std::vector<std::string>& words, const std::filesystem::path& folder,
                 const std::filesystem::path& output, const std::stop_token& stop) {
    const pid_t child = start_program(words, folder, output);
    const auto deadline = std::chrono::steady_clock::now() + max_time;
    int status = 0;
    for (pid_t ended = 0; ended == 0;) {
        ended = waitpid(child, &status, WNOHANG);
        if (ended < 0 && errno == EINTR) ended = 0;
        if (ended != 0) break;
        const bool late = std::chrono::steady_clock::now() > deadline;
        if (late || stop.stop_requested()) {
            kill(-child, SIGKILL);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            throw Error(ErrorKind::failed,
                        late ? fmt::format("{} did not end within {} minutes", words[0], max_time.count())
                             : std::string("the compiler was stopped"));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Headers that a kernel's file may name: there is nothing in them that the one of ours has not.
constexpr const char* empty_headers[] = {"cuda.h",
                                         "cuda_runtime.h",
                                         "device_launch_parameters.h",
                                         "cuda_runtime_api.h",
                                         "stdio.h",
                                         "cstdio",
                                         "math.h",
                                         "cmath",
                                         "stdint.h",
                                         "cstdint"};

/// A program of a CUDA toolkit: beside nvcc, in /usr/local/cuda, or on the PATH.
std::optional<std::string> find_tool(const std::string& name) {
    std::vector<std::filesystem::path> folders{"/usr/local/cuda/bin"};
    if (const auto compiler = find_cuda_compiler(); compiler && !compiler->is_clang)
        folders.insert(folders.begin(), std::filesystem::path(compiler->path).parent_path());
    for (const std::filesystem::path& folder : folders)
        if (access((folder / name).c_str(), X_OK) == 0) return (folder / name).string();
    return on_path(name);
}

std::vector<std::string> clang_command(const CudaCompiler& compiler, const TemporaryFolder& folder) {
    const std::filesystem::path header = folder / "cuda_for_clang.h";
    write_all(header, clang_header());
    std::error_code error;
    std::filesystem::create_directory(folder / "include", error);
    require_made(error, folder / "include");
    for (const char* name : empty_headers) write_all(folder / "include" / name, "#pragma once\n");
    return {compiler.path,
            "-x",
            "cuda",
            "--cuda-device-only",
            "--cuda-gpu-arch=sm_80",
            "-S",
            "-O2",
            "-std=c++17",
            "-nocudainc",
            "-nocudalib",
            "-nostdinc++",
            "-nostdlibinc",
            "-fms-extensions",
            "-Wno-unknown-cuda-version",
            "-gline-tables-only",
            "-fno-color-diagnostics",
            fmt::format("-ferror-limit={}", max_errors),
            "-include",
            header.string(),
            "-isystem",
            (folder / "include").string()};
}

/// "80", or "90a" where the source names what came with compute capability 9.0.
std::string architecture_for(const std::string& source) {
    const std::string text = without_comments(source);
    for (const char* word : {"__cluster_dims__", "this_cluster", "barrier.cluster", "shared::cluster", "cp.async.bulk",
                             "wgmma", "setmaxnreg", "CUtensorMap", "cuda::ptx", "cuda::device::experimental"})
        if (text.find(word) != std::string::npos) return "90a";
    return "80";
}

/// "sm_90a" of ".target sm_90a".
std::string target_of(const std::string& ptx) {
    static const std::regex target(R"(\.target\s+(sm_\w+))");
    std::smatch match;
    return std::regex_search(ptx, match, target) ? match[1] : std::string("sm_80");
}

/// What is made for a plain compute capability runs on every later one; "90a" on that alone.
std::string target_for(const AssemblyRequest& request) {
    const std::string own = target_of(request.ptx);
    const auto number = [](const std::string& architecture) { return std::atoi(architecture.c_str()); };
    const bool plain = own.back() >= '0' && own.back() <= '9';
    return plain && number(request.architecture) > number(own.substr(3)) ? "sm_" + request.architecture : own;
}

/// PTX, or what the preprocessor makes of the source.
std::string run_compiler(const std::filesystem::path& source, const std::vector<std::string>& defines,
                         const std::string& architecture, bool preprocess, const std::stop_token& stop) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(source, problem))
        throw Error(ErrorKind::file,
                    fmt::format("'{}' cannot be {}", source.string(),
                                std::filesystem::exists(source, problem) ? "compiled: it is not a regular file"
                                                                         : "read: there is no such file"));
    const std::optional<CudaCompiler> compiler = find_cuda_compiler();
    if (!compiler) throw Error(ErrorKind::not_found, "there is no compiler for CUDA: install clang, or a CUDA toolkit");
    const TemporaryFolder folder;
    const std::filesystem::path said = folder / "said", whole = std::filesystem::absolute(source, problem);
    const std::string text = read_all(source);
    const std::string capability = architecture.empty() ? architecture_for(text) : architecture;
    const DefinedSource with = with_defines(text, defines);
    // nvcc hands all names that it is given to a shell. None of them is a stranger's: the compiler runs in the folder,
    // on a copy, and what the file includes is found through a link.
    std::string copy;
    for (const std::string& define : with.defines) copy += as_directive(define);
    write_all(folder / copied, fmt::format("{}#line 1 {}\n{}", copy, quoted(whole.string()), with.text));
    std::filesystem::create_directory_symlink(whole.parent_path(), folder / included, problem);
    require_made(problem, folder / included);
    std::vector<std::string> command = compiler->is_clang
                                           ? clang_command(*compiler, folder)
                                           : std::vector<std::string>{compiler->path,
                                                                      preprocess ? "-E" : "-ptx",
                                                                      "-lineinfo",
                                                                      "-arch=compute_" + capability,
                                                                      "-std=c++17",
                                                                      "-Xcudafe",
                                                                      fmt::format("--error_limit={}", max_errors)};
    if (preprocess && compiler->is_clang) command.push_back("-E");
    command.insert(command.end(), {"-I", included, "-o", made, copied});
    if (run_program(command, folder, said, stop)) return read_all(folder / made);
    const std::string why = read_all(said).substr(0, max_said);
    const std::filesystem::space_info room = std::filesystem::space(folder, problem);
    if (why.empty() && !problem && room.available < max_said)
        throw Error(ErrorKind::file, fmt::format("there is no room left for temporary files in {}",
                                                 std::filesystem::path(folder).parent_path().string()));
    throw CompileErrors(source.string(), compile_errors(why, {whole.string(), included, source.string()}));
}

}  // namespace

std::optional<CudaCompiler> find_cuda_compiler() {
    for (const char* variable : {"CONVSCOPE_CUDA_COMPILER", "CUDACXX"})
        if (const char* path = std::getenv(variable); path && *path)
            return CudaCompiler{path,
                                std::filesystem::path(path).filename().string().find("clang") != std::string::npos};
    if (const auto nvcc = on_path("nvcc")) return CudaCompiler{*nvcc, false};
    if (access("/usr/local/cuda/bin/nvcc", X_OK) == 0) return CudaCompiler{"/usr/local/cuda/bin/nvcc", false};
    if (const auto clang = on_path("clang++")) return CudaCompiler{*clang, true};
    for (int version = 30; version >= 14; --version)
        if (const auto clang = on_path(fmt::format("clang++-{}", version))) return CudaCompiler{*clang, true};
    return std::nullopt;
}

std::string compile_to_ptx(const std::filesystem::path& source, const std::vector<std::string>& defines,
                           const std::string& architecture, const std::stop_token& stop) {
    return run_compiler(source, defines, architecture, false, stop);
}

std::string expand_macros(const std::filesystem::path& source, const std::vector<std::string>& defines,
                          const std::string& architecture, const std::stop_token& stop) {
    std::error_code none;
    const std::string whole = quoted(std::filesystem::absolute(source, none).string());
    return expanded_source(run_compiler(source, defines, architecture, true, stop),
                           {whole.substr(1, whole.size() - 2), included, source.string()});
}

std::optional<AssembledKernel> assembled_of(const std::string& said, const std::string& symbol) {
    static const std::regex spills(R"((\d+) bytes spill stores, (\d+) bytes spill loads)");
    static const std::regex registers(R"(Used (\d+) registers)");
    const std::size_t at = said.find("Compiling entry function '" + symbol + "'");
    if (at == std::string::npos) return std::nullopt;
    const std::string of_it = said.substr(at, said.find("Compiling entry function", at + 1) - at);
    AssembledKernel kernel;
    std::smatch match;
    if (!std::regex_search(of_it, match, registers)) return std::nullopt;
    kernel.registers = std::stoi(match[1]);
    if (std::regex_search(of_it, match, spills)) {
        kernel.spill_stores = std::stoll(match[1]);
        kernel.spill_loads = std::stoll(match[2]);
    }
    return kernel;
}

std::string why_no_sass() {
    for (const char* name : {"ptxas", "nvdisasm"})
        if (!find_tool(name))
            return fmt::format(
                "{} of a CUDA toolkit is missing: it is neither beside nvcc nor in /usr/local/cuda/bin "
                "nor on the PATH",
                name);
    return {};
}

std::optional<AssembledKernel> assemble(const AssemblyRequest& request, const std::stop_token& stop) {
    const std::optional<std::string> program = find_tool("ptxas");
    if (!program) return std::nullopt;
    const TemporaryFolder folder;
    const std::filesystem::path text = folder / "kernel.ptx", said = folder / "said", code = folder / "kernel.cubin";
    write_all(text, request.ptx);
    const std::string target = target_for(request);
    if (!run_program({*program, "-v", "--generate-line-info", "-arch=" + target, text.string(), "-o", code.string()},
                     folder, said, stop))
        return std::nullopt;
    auto kernel = assembled_of(read_all(said).substr(0, max_said), request.symbol);
    if (!kernel) return std::nullopt;
    kernel->target = target;
    const std::optional<std::string> disassembler = request.sass ? find_tool("nvdisasm") : std::nullopt;
    if (disassembler && run_program({*disassembler, "-c", "-gi", code.string()}, folder, said, stop))
        kernel->sass = read_sass(read_all(said), request.symbol);
    return kernel;
}

}  // namespace convscope::ptx
