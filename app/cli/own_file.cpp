#include "app/cli/own_file.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>

#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/files/text_file.h"
#include "kernels/formats/array_file.h"

namespace convscope::cli {
namespace {

bool same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
    std::error_code none;
    if (is_special_file(one)) return false;
    // weakly_canonical leaves a relative path relative where nothing exists at it.
    const auto whole = [&](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, none), none);
    };
    return whole(one) == whole(other) || std::filesystem::equivalent(one, other, none);
}

void require_other(const GivenFile& output, const GivenFile& other) {
    // An array of a file is that file.
    if (output.path.empty() || other.path.empty() || !same_file(output.path, file_of_array(other.path))) return;
    throw Error(ErrorKind::usage, fmt::format("{} and {} name the same file, '{}'; give {} a file of its own",
                                              output.what, other.what, output.path, output.what));
}

/// Empty where there is no file, or no regular one.
std::string beginning_of(const std::string& path) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return {};
    std::ifstream file(path, std::ios::binary);
    std::string beginning(4096, '\0');
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(file.gcount()));
    return beginning;
}

}  // namespace

void require_own_files(const std::vector<GivenFile>& outputs, const std::vector<GivenFile>& inputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (const GivenFile& input : inputs) require_other(outputs[i], input);
        for (std::size_t j = i + 1; j < outputs.size(); ++j) require_other(outputs[i], outputs[j]);
    }
}

void require_json_or_nothing(const GivenFile& output) {
    const std::string text = trimmed(beginning_of(output.path));
    const bool table_of_toml = text.size() > 1 && text[0] == '[' &&
                               (std::isalpha(static_cast<unsigned char>(text[1])) || text.starts_with("[["));
    if (!text.empty() && ((text.front() != '[' && text.front() != '{') || table_of_toml))
        throw Error(ErrorKind::usage, fmt::format("{}: '{}' holds something else than JSON, which would be lost; give "
                                                  "another file",
                                                  output.what, output.path));
}

void require_no_records(const GivenFile& output) {
    const std::string beginning = beginning_of(output.path);
    for (const char* column : {"schema_version", "run_id", "timestamp_utc"})
        if (beginning.find(column) == std::string::npos) return;
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' holds measurements, which would be lost; give another file",
                                              output.what, output.path));
}

}  // namespace convscope::cli
