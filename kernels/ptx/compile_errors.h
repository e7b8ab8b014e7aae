// What a compiler says is wrong with a .cu file, as places in it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/error.h"

namespace convscope::ptx {

constexpr std::size_t max_compile_errors = 20;

/// What a file is called: by the compiler, the link through which it finds what the file includes, by the user.
struct SourceNames {
    std::string whole, link, source;
};

/// "FILE:LINE:COLUMN: sentence" of each error that nvcc ("FILE(LINE): error: ...") or clang ("FILE:LINE:COLUMN: error:
/// ...") names, a line each: none twice, as templates have them, and of many the first with a line that says how many
/// more there are. All that was said where no error is in it.
std::vector<std::string> compile_errors(const std::string& said, const SourceNames&);

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
