// What a compiler says is wrong with a .cu file, as places in it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/error.h"

namespace convscope::ptx {

constexpr std::size_t max_compile_errors = 20;
/// In which the values of --define are given to the compiler, as text_of_defines writes them.
constexpr const char* defines_file = ".defines.h";
/// "#define NAME VALUE" of each "NAME=VALUE", or of "NAME", which is 1.
std::string text_of_defines(const std::vector<std::string>&);

/// What a file is called: by the compiler, the link through which it finds what the file includes, by the user.
struct SourceNames {
    std::string whole, link, source;
    std::vector<std::string> defines{};  ///< "NAME=VALUE", as defines_file has them
};

/// The compiler's name, and why it ended without being done (ProgramEnd::reason).
struct CompilerEnd {
    std::string compiler, reason;
};

/// "FILE:LINE:COLUMN: sentence" of each error that nvcc ("FILE(LINE): error: ...") or clang ("FILE:LINE:COLUMN: error:
/// ...") names, and of what the linker misses ("FILE:LINE: undefined reference to ..."), a line each; "--define
/// 'NAME=VALUE', character 3: sentence" of a value that was given: none twice, as templates have them, and of many the
/// first with a line that says how many more there are. One sentence, of the file as a whole, where the compiler
/// crashed or met a limit, and where no error is in what it said.
std::vector<std::string> compile_errors(const std::string& said, const SourceNames&, const CompilerEnd&);

class CompileErrors : public Error {
public:
    CompileErrors(std::string file, std::vector<std::string> lines);
    const std::string& file() const { return file_; }
    const std::vector<std::string>& lines() const { return lines_; }

private:
    std::string file_;
    std::vector<std::string> lines_;
};

}  // namespace convscope::ptx
