#include "kernels/ptx/toolchain/compile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <span>
#include <sstream>

#include "kernels/core/error.h"
#include "kernels/files/embedded_text.h"
#include "kernels/files/temporary_folder.h"
#include "kernels/ptx/text/source_constants.h"
#include "kernels/ptx/toolchain/compile_errors.h"
#include "kernels/ptx/toolchain/compiler_process.h"
#include "kernels/ptx/toolchain/expanded_source.h"

namespace convscope::ptx {

/// Those in clang/, which replace a CUDA toolkit's where clang compiles: they are written into a folder next to the
/// source.
std::span<const EmbeddedText> clang_headers();

namespace {

constexpr int max_errors = 1000;                   ///< at which a compiler stops
constexpr double program_seconds = 60;             ///< of a processor: a library of templates takes its time
constexpr std::uintmax_t max_left_over = 1 << 20;  ///< of a full disk

std::optional<std::string> on_path(const std::string& name) {
    const char* folders = std::getenv("PATH");
    std::istringstream list(folders ? folders : "");
    for (std::string folder; std::getline(list, folder, ':');) {
        const std::string file = folder + "/" + name;
        if (access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return file;
    }
    return std::nullopt;
}

/// Where a program lies that is started in another folder than this process's; a name without a folder is on the PATH.
std::optional<std::string> resolve(const std::string& program) {
    const std::optional<std::string> found = program.find('/') != std::string::npos ? program : on_path(program);
    return found ? std::optional(std::filesystem::absolute(*found).string()) : std::nullopt;
}

std::string whole_path(const std::string& program) {
    const std::optional<std::string> found = resolve(program);
    if (!found) throw Error(ErrorKind::not_found, fmt::format("{} cannot be started: it is not on the PATH", program));
    return *found;
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

/// Requires that a temporary file or folder was created.
void require_made(const std::error_code& error, const std::filesystem::path& path) {
    if (error)
        throw Error(ErrorKind::file,
                    fmt::format("'{}' cannot be made: {}; $TMPDIR has to name a folder that takes files, "
                                "folders and links",
                                path.string(), error.message()));
}

/// Names that no file includes, in the folder in which the compiler runs: a copy of the source, a link to its folder,
/// what is made.
constexpr const char *copied = ".kernel.cu", *included = included_folder, *made = ".made";
/// And for clang: its headers, what it makes of the device code, where it finds the runtime.
constexpr const char *headers = ".include", *device_code = ".ptx", *runtime_folder = ".lib";

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

/// Writes the copy that is compiled in the source's place, line by line the same. Returns the definitions that stand
/// before it.
std::vector<std::string> write_copy(const TemporaryFolder& folder, const std::string& source,
                                    std::vector<std::string> defines, const std::string& name) {
    for (std::string& define : defines)
        std::ranges::replace_if(
            define, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    const DefinedSource with = with_defines(source, defines);
    const std::string directives = text_of_defines(with.defines);
    if (!directives.empty()) write_all(folder / defines_file, directives);
    const std::string include = directives.empty() ? "" : fmt::format("#include \"{}\"\n", defines_file);
    write_all(folder / copied, fmt::format("{}#line 1 {}\n{}", include, quoted(name), with.text));
    return with.defines;
}

/// Headers of CUDA that a file may name: what is in them is in cuda_for_clang.h, which clang includes before, or in
/// cooperative_groups.h.
constexpr const char* included_before[] = {"cooperative_groups/reduce.h",
                                           "cuda.h",
                                           "cuda_profiler_api.h",
                                           "cuda_runtime.h",
                                           "cuda_runtime_api.h",
                                           "device_atomic_functions.h",
                                           "device_functions.h",
                                           "device_launch_parameters.h",
                                           "driver_types.h",
                                           "math_functions.h",
                                           "vector_functions.h",
                                           "vector_types.h"};

/// A program of a CUDA toolkit: next to nvcc, in /usr/local/cuda, or on the PATH.
std::optional<std::string> find_tool(const std::string& name) {
    std::vector<std::filesystem::path> folders{"/usr/local/cuda/bin"};
    if (const auto compiler = find_cuda_compiler(); compiler && !compiler->is_clang)
        if (const auto nvcc = resolve(compiler->path))
            folders.insert(folders.begin(), std::filesystem::path(*nvcc).parent_path());
    for (const std::filesystem::path& folder : folders)
        if (access((folder / name).c_str(), X_OK) == 0) return (folder / name).string();
    return on_path(name);
}

void write_clang_headers(const TemporaryFolder& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder / headers / "cooperative_groups", error);
    require_made(error, folder / headers);
    for (const char* name : included_before) write_all(folder / headers / name, "#pragma once\n");
    for (const EmbeddedText& header : clang_headers())
        write_all(folder / headers / std::filesystem::path(header.path).filename(), header.text);
}

/// The command for both halves of a program. The toolkit's version decides how <<<>>> is compiled.
std::vector<std::string> clang_command(const CudaCompiler& compiler) {
    return {whole_path(compiler.path),
            "-x",
            "cuda",
            "--cuda-gpu-arch=sm_80",
            "-std=c++17",
            "-nocudainc",
            "-nocudalib",
            "-Xclang",
            "-target-sdk-version=11.0",
            "-fdeclspec",
            "-Wno-unknown-cuda-version",
            "-fno-color-diagnostics",
            "-fno-crash-diagnostics",
            fmt::format("-ferror-limit={}", max_errors),
            "-include",
            "cuda_for_clang.h",
            "-isystem",
            headers};
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

/// Code for a plain compute capability runs on every later one; code for "90a" on that alone.
std::string target_for(const AssemblyRequest& request) {
    const std::string own = target_of(request.ptx);
    const auto number = [](const std::string& architecture) { return std::atoi(architecture.c_str()); };
    const bool plain = own.back() >= '0' && own.back() <= '9';
    return plain && number(request.architecture) > number(own.substr(3)) ? "sm_" + request.architecture : own;
}

enum class Wanted : std::uint8_t { ptx, types, expanded, program };

std::vector<std::string> nvcc_command(const CudaCompiler& compiler, const std::string& capability, Wanted wanted) {
    std::vector<std::string> command{whole_path(compiler.path)};
    const auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
    if (wanted == Wanted::program)
        add({"-cudart", "shared", "--no-compress", "-g", "-gencode",
             fmt::format("arch=compute_{0},code=compute_{0}", capability)});
    else
        add({wanted == Wanted::expanded ? "-E" : "-ptx", "-arch=compute_" + capability});
    // Types are told of code that is not optimised alone.
    add({wanted == Wanted::types ? "-G" : "-lineinfo", "-std=c++17", "--extended-lambda", "-Xcudafe",
         fmt::format("--error_limit={}", max_errors)});
    return command;
}

/// One after the other they make 'made' in the folder.
std::vector<std::vector<std::string>> commands_for(const CudaCompiler& compiler, const std::string& capability,
                                                   Wanted wanted, const TemporaryFolder& folder) {
    const auto on_copy = [](std::vector<std::string> command, std::initializer_list<std::string> words,
                            const char* to) {
        command.insert(command.end(), words);
        command.insert(command.end(), {"-I", included, "-o", to, copied});
        return command;
    };
    if (!compiler.is_clang) return {on_copy(nvcc_command(compiler, capability, wanted), {}, made)};
    write_clang_headers(folder);
    const std::vector<std::string> clang = clang_command(compiler);
    if (wanted == Wanted::expanded) return {on_copy(clang, {"--cuda-device-only", "-E"}, made)};
    if (wanted == Wanted::types)
        return {on_copy(clang,
                        {"--cuda-device-only", "-S", "-O2", "-g", "--cuda-noopt-device-debug", "-Xclang",
                         "-debug-info-kind=standalone"},
                        made)};
    const auto device = [&](const char* to) {
        return on_copy(clang, {"--cuda-device-only", "-S", "-O2", "-gline-tables-only"}, to);
    };
    if (wanted == Wanted::ptx) return {device(made)};
    std::vector<std::string> host =
        on_copy(clang,
                {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", device_code, "-g", "-gdwarf-4",
                 "-pthread"},  // in DWARF 5 clang 14 names its copy of the source
                made);
    // The runtime finds its own libraries where it runs.
    host.insert(host.end(), {"-L", runtime_folder, "-lcudart", "-Wl,--allow-shlib-undefined"});
    return {device(device_code), host};
}

void make_link(const std::filesystem::path& to, const std::filesystem::path& link) {
    std::error_code problem;
    std::filesystem::create_symlink(to, link, problem);
    require_made(problem, link);
}

/// Makes 'made' in the folder.
void run_compiler(const std::filesystem::path& source, const std::vector<std::string>& defines,
                  const std::string& architecture, Wanted wanted, const TemporaryFolder& folder,
                  const std::stop_token& stop) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(source, problem))
        throw Error(ErrorKind::file,
                    fmt::format("'{}' cannot be {}", source.string(),
                                std::filesystem::exists(source, problem) ? "compiled: it is not a regular file"
                                                                         : "read: there is no such file"));
    const std::optional<CudaCompiler> compiler = find_cuda_compiler();
    if (!compiler) throw Error(ErrorKind::not_found, "there is no compiler for CUDA: install clang, or a CUDA toolkit");
    const std::filesystem::path whole = std::filesystem::absolute(source);
    const std::string name = name_in_source(whole), text = read_all(source);
    if (text.find('\0') != std::string::npos)
        throw Error(ErrorKind::usage, fmt::format("'{}' is not text: it holds bytes of value 0, and a CUDA source in "
                                                  "UTF-8 is what can be compiled",
                                                  source.string()));
    const std::string capability = architecture.empty() ? architecture_for(text) : architecture;
    // nvcc hands all names that it is given to a shell. None of them is a stranger's: the compiler runs in the folder,
    // on a copy, and what the file includes is found through a link.
    const std::vector<std::string> before = write_copy(folder, text, defines, name);
    make_link(whole.parent_path(), folder / included);
    for (const std::vector<std::string>& command : commands_for(*compiler, capability, wanted, folder)) {
        const ProgramEnd end =
            run_program(command, folder, stop, wanted == Wanted::program ? program_seconds : compiler_seconds);
        if (end.well) continue;
        const std::filesystem::space_info room = std::filesystem::space(folder, problem);
        if (end.reason.empty() && end.output.empty() && !problem && room.available < max_left_over)
            throw Error(ErrorKind::file, fmt::format("there is no room left for temporary files in {}",
                                                     std::filesystem::path(folder).parent_path().string()));
        throw CompileErrors(source.string(), compile_errors(end.output, {name, included, source.string(), before},
                                                            {program_name(compiler->path), end.reason}));
    }
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

std::string name_in_source(const std::filesystem::path& path) {
    std::string name = path.string();
    std::ranges::replace_if(
        name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, '_');
    return name;
}

std::string compile_to_ptx(const std::filesystem::path& source, const std::vector<std::string>& defines,
                           const std::string& architecture, const std::stop_token& stop) {
    const TemporaryFolder folder;
    run_compiler(source, defines, architecture, Wanted::ptx, folder, stop);
    return read_all(folder / made);
}

std::string compile_with_types(const std::filesystem::path& source, const std::vector<std::string>& defines,
                               const std::string& architecture, const std::stop_token& stop) {
    const TemporaryFolder folder;
    run_compiler(source, defines, architecture, Wanted::types, folder, stop);
    return read_all(folder / made);
}

std::string expand_macros(const std::filesystem::path& source, const std::vector<std::string>& defines,
                          const std::string& architecture, const std::stop_token& stop) {
    const std::string name = quoted(name_in_source(std::filesystem::absolute(source)));
    const TemporaryFolder folder;
    run_compiler(source, defines, architecture, Wanted::expanded, folder, stop);
    return expanded_source(read_all(folder / made), {name.substr(1, name.size() - 2), included, source.string()});
}

std::filesystem::path compile_program(const std::filesystem::path& source, const std::vector<std::string>& defines,
                                      const std::filesystem::path& runtime, const TemporaryFolder& folder,
                                      const std::stop_token& stop) {
    std::error_code problem;
    std::filesystem::create_directory(folder / runtime_folder, problem);
    require_made(problem, folder / runtime_folder);
    make_link(std::filesystem::absolute(runtime), folder / runtime_folder / "libcudart.so");
    run_compiler(source, defines, {}, Wanted::program, folder, stop);
    return folder / made;
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
                "{} of a CUDA toolkit is missing: it is neither next to nvcc nor in /usr/local/cuda/bin "
                "nor on the PATH",
                name);
    return {};
}

namespace {

/// For ptxas a file's name ends at its first quotation mark, whatever stands before that.
std::string with_plain_file_names(std::string ptx) {
    constexpr std::string_view directive = "\t.file\t";
    for (std::size_t at = 0; (at = ptx.find(directive, at)) != std::string::npos; at += directive.size()) {
        const std::size_t end = ptx.find('\n', at), first = ptx.find('"', at);
        const std::size_t last = ptx.rfind('"', end == std::string::npos ? end : end - 1);
        for (std::size_t i = first + 1; first < last && last < end && i < last; ++i)
            if (ptx[i] == '"' || ptx[i] == '\\') ptx[i] = '\'';
    }
    return ptx;
}

}  // namespace

std::optional<AssembledKernel> assemble(const AssemblyRequest& request, const std::stop_token& stop) {
    const std::optional<std::string> program = find_tool("ptxas");
    if (!program) return std::nullopt;
    const TemporaryFolder folder;
    write_all(folder / "kernel.ptx", with_plain_file_names(request.ptx));
    const std::string target = target_for(request);
    const ProgramEnd end = run_program(
        {*program, "-v", "--generate-line-info", "-arch=" + target, "kernel.ptx", "-o", "kernel.cubin"}, folder, stop);
    if (!end.well) return std::nullopt;
    auto kernel = assembled_of(end.output, request.symbol);
    if (!kernel) return std::nullopt;
    kernel->target = target;
    const std::optional<std::string> disassembler = request.sass ? find_tool("nvdisasm") : std::nullopt;
    if (!disassembler) return kernel;
    if (const ProgramEnd listed = run_program({*disassembler, "-c", "-gi", "kernel.cubin"}, folder, stop); listed.well)
        kernel->sass = read_sass(listed.output, request.symbol);
    return kernel;
}

}  // namespace convscope::ptx
