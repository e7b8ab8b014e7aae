// Turns a compiler's messages about a .cu file into errors with their places in it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/error.h"

namespace convscope::ptx {

constexpr std::size_t max_compile_errors = 20;
/// The file through which the compiler gets the values of --define, as text_of_defines writes them.
constexpr const char* defines_file = ".defines.h";
/// One "#define NAME VALUE" for each "NAME=VALUE", or for "NAME", which is 1.
std::string text_of_defines(const std::vector<std::string>&);

/// The names of a file: the compiler's, the link's through which it finds the file's includes, and the user's.
struct SourceNames {
    std::string whole, link, source;
    std::vector<std::string> defines{};  ///< "NAME=VALUE", as defines_file has them
};

/// The compiler's name, and why it ended early (ProgramEnd::reason).
struct CompilerEnd {
    std::string compiler, reason;
};

/// Returns a line for each error that nvcc ("FILE(LINE): error: ...") or clang ("FILE:LINE:COLUMN: error: ...") names,
/// as "FILE:LINE:COLUMN: sentence", and for each symbol that the linker misses ("FILE:LINE: undefined reference to
/// ..."); "--define 'NAME=VALUE', character 3: sentence" for a value that was given. Templates' repetitions appear
/// once, and a long list ends with a line that says how many more there are. One sentence, about the file as a whole,
/// where the compiler crashed or met a limit, and where its output has no error.
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
