#include "kernels/ptx/toolchain/compile_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string_view>
#include <vector>

namespace convscope::ptx {
namespace {

constexpr std::size_t lines_of_define = 2;
constexpr std::string_view before_name = "#define ";

std::string name_of(const std::string& file, const SourceNames& names) {
    if (file == names.whole) return names.source;
    if (!file.starts_with(names.link + "/")) return file;
    return (std::filesystem::path(names.source).parent_path() / file.substr(names.link.size() + 1)).string();
}

struct CompileError {
    std::string file, line, column, sentence;
};

/// For an error in defines_file: which of the values, and the position in it.
std::string place_in_defines(const CompileError& error, const std::vector<std::string>& defines) {
    const std::size_t index = (std::stoul(error.line) - 1) / lines_of_define;
    if (index >= defines.size()) return "--define";
    const std::string name = fmt::format("--define '{}'", defines[index]);
    if (error.column.empty()) return name;
    const std::size_t column = std::stoul(error.column);
    const std::size_t character = column > before_name.size() ? column - before_name.size() : 1;
    return fmt::format("{}, character {}", name, std::min(character, defines[index].size()));
}

std::string place_of(const CompileError& error, const SourceNames& names) {
    if (std::filesystem::path(error.file).filename() == defines_file) return place_in_defines(error, names.defines);
    return fmt::format("{}:{}:{}", name_of(error.file, names), error.line, error.column.empty() ? "1" : error.column);
}

std::vector<CompileError> errors_in(const std::string& said) {
    static const std::regex of_clang(R"(^(.*):(\d+):(\d+): (?:fatal )?error: (.*)$)");
    static const std::regex of_nvcc(R"(^(.*)\((\d+)\): (?:catastrophic |fatal )?error(?: #\S+)?: (.*)$)");
    static const std::regex of_linker(R"(^(?:\S*ld: )?(.*):(\d+): (undefined reference to .*)$)");
    std::vector<CompileError> errors;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        const std::size_t mark = line.rfind('^');
        if (std::regex_match(line, match, of_clang)) {
            errors.push_back({match[1], match[2], match[3], match[4]});
        } else if (std::regex_match(line, match, of_nvcc) || std::regex_match(line, match, of_linker)) {
            errors.push_back({match[1], match[2], "", match[3]});
        } else if (mark != std::string::npos && line.find_first_not_of(' ') == mark && !errors.empty() &&
                   errors.back().column.empty()) {
            // nvcc shows the column by a ^ two lines further on, and puts two blanks before the source line.
            errors.back().column = std::to_string(mark > 1 ? mark - 1 : 1);
        }
    }
    return errors;
}

/// For a header that NVIDIA's toolkit has and our headers for clang lack: says where to get it.
std::string with_remedy(const std::string& sentence) {
    static const std::regex of_toolkit(
        R"('((?:thrust|cub|cuda|nv)/.*|(?:cuda|cublas|cufft|curand|cusparse|cusolver|cudnn|npp|nvml|nvTools|nvtx)\w*\.h)' )"
        "file not found");
    if (!std::regex_match(sentence, of_toolkit)) return sentence;
    return sentence +
           ": clang has only the headers of CUDA that come with convscope; with NVIDIA's toolkit, nvcc "
           "compiles it";
}

/// As the linkers say it.
bool lacks_main(const std::string& said) {
    static const std::regex no_main(R"(undefined (?:reference to|symbol:) [`'"]?main(?:['"]|\s|$))");
    return std::regex_search(said, no_main);
}

/// The line that tells most: the first that speaks of an error.
std::string main_line(const std::string& said) {
    std::istringstream lines(said);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("error") != std::string::npos || line.find("fatal") != std::string::npos) return line;
        if (first.empty()) first = line;
    }
    return first.empty() ? "it ended without a word" : first;
}

}  // namespace

std::string text_of_defines(const std::vector<std::string>& defines) {
    std::string text;
    for (const std::string& define : defines) {
        const std::size_t equals = define.find('=');
        // A backslash at its end takes the empty line along.
        text += fmt::format("{}{} {}\n\n", before_name, define.substr(0, equals),
                            equals == std::string::npos ? "1" : define.substr(equals + 1));
    }
    return text;
}

std::vector<std::string> compile_errors(const std::string& said, const SourceNames& names, const CompilerEnd& end) {
    std::vector<std::string> texts;
    for (const CompileError& error : errors_in(said)) {
        std::string text = fmt::format("{}: {}", place_of(error, names), with_remedy(error.sentence));
        if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
    }
    if (lacks_main(said))
        texts.push_back(
            fmt::format("{0} has no main(); 'convscope kernel {0}' runs a kernel of it alone", names.source));
    if (texts.empty() && !end.reason.empty()) return {fmt::format("{}: {} {}", names.source, end.compiler, end.reason)};
    if (texts.empty()) return {fmt::format("{}: {}: {}", names.source, end.compiler, main_line(said))};
    if (const std::size_t all = texts.size(); all > max_compile_errors) {
        texts.resize(max_compile_errors);
        texts.push_back(fmt::format("and {} more errors", all - max_compile_errors));
    }
    return texts;
}

CompileErrors::CompileErrors(std::string file, std::vector<std::string> lines)
    : Error(ErrorKind::usage, fmt::format("{}", fmt::join(lines, "\n"))),
      file_(std::move(file)),
      lines_(std::move(lines)) {}

}  // namespace convscope::ptx
