// Compiles a .cu file to PTX, or to a whole program: with nvcc where there is a CUDA toolkit, else with clang and
// headers of our own (kernels/ptx/clang/).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/files/temporary_folder.h"
#include "kernels/ptx/toolchain/sass.h"

namespace convscope::ptx {

struct CudaCompiler {
    std::string path;
    bool is_clang = false;
};

/// Tries $CONVSCOPE_CUDA_COMPILER, $CUDACXX, nvcc on the PATH or in /usr/local/cuda, then the newest clang on the PATH.
std::optional<CudaCompiler> find_cuda_compiler();

/// A link to the source's folder, in the folder where the compiler runs. Names of the source's headers in PTX begin
/// with it.
inline constexpr const char* included_folder = ".source";

/// Compiles a .cu file to PTX. 'defines' are "NAME" or "NAME=VALUE"; they replace the value of a constant of that name
/// in the source. 'architecture' is the compute capability that nvcc compiles for, "90a"; empty: 8.0, or 9.0a where the
/// source names instructions of 9.0. Clang compiles for 8.0. No text of 'source' or 'defines' gets on a command line.
/// Throws CompileErrors (compile_errors.h) where it does not compile, or the compiler crashes or exceeds a limit
/// (compiler_process.h); Error(not_found) without a compiler; Error(file) without the file; Error(usage) where it is
/// not text; Error(failed) where it was stopped.
std::string compile_to_ptx(const std::filesystem::path& source, const std::vector<std::string>& defines,
                           const std::string& architecture = {}, const std::stop_token& = {});

/// Runs the compiler's preprocessor on the file and lays out the result by expanded_source.h. Throws as compile_to_ptx.
std::string expand_macros(const std::filesystem::path& source, const std::vector<std::string>& defines,
                          const std::string& architecture = {}, const std::stop_token& = {});

/// Returns PTX with the compiler's description of the parameters' types (parameter_members.h); its code is not for
/// running. Throws as compile_to_ptx.
std::string compile_with_types(const std::filesystem::path& source, const std::vector<std::string>& defines,
                               const std::string& architecture = {}, const std::stop_token& = {});

/// Compiles a whole program, host and device code: linked with the shared CUDA runtime (by nvcc with NVIDIA's, by clang
/// with 'runtime', the file that replaces it), its PTX in it as text, with the lines of both. Returns its path in the
/// folder. Throws as compile_to_ptx.
std::filesystem::path compile_program(const std::filesystem::path& source, const std::vector<std::string>& defines,
                                      const std::filesystem::path& runtime, const TemporaryFolder&,
                                      const std::stop_token& = {});

/// The compiler's name for a source file, as in ".file" of its PTX: the path, with '_' for characters that end or
/// control a line.
std::string name_in_source(const std::filesystem::path&);

/// The result of ptxas, the toolkit's assembler, for one kernel.
struct AssembledKernel {
    int registers = 0;
    std::int64_t spill_stores = 0, spill_loads = 0;  ///< bytes of each thread
    std::string target = {};                         ///< "sm_80"
    std::vector<SassLine> sass = {};                 ///< where it is wanted
};
struct AssemblyRequest {
    std::string ptx, symbol;
    std::string architecture = {};  ///< of a GPU, "90a"; empty, or older than the text: what the text is for
    bool sass = false;
    bool operator==(const AssemblyRequest&) const = default;
};
/// Runs ptxas. Empty where there is none next to nvcc, in /usr/local/cuda/bin or on the PATH, and where it rejects the
/// text or exceeds the limits of compiler_process.h. Throws Error(failed) where it was stopped.
std::optional<AssembledKernel> assemble(const AssemblyRequest&, const std::stop_token& = {});
/// Why there is no SASS, as a sentence: ptxas or nvdisasm is missing. Empty where both are there.
std::string why_no_sass();
/// Parses the output of ptxas -v.
std::optional<AssembledKernel> assembled_of(const std::string& said, const std::string& symbol);

}  // namespace convscope::ptx
