#include "app/session/file_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/formats/array_file.h"

namespace convscope::app {
namespace {

struct FileKind {
    std::string name;
    std::vector<std::string> endings;
};

const std::vector<FileKind>& file_kinds() {
    static const std::vector<FileKind> kinds{{"a preset", {".toml"}},        {"x", {".npy", ".npz", ".safetensors"}},
                                             {"a model", {".onnx"}},         {"its input", {".png", ".ppm", ".pgm"}},
                                             {"records", {".csv", ".json"}}, {"a lesson", {".md"}},
                                             {"a kernel", {".cu"}}};
    return kinds;
}

}  // namespace

std::vector<std::string> opened_endings() {
    std::vector<std::string> all;
    for (const FileKind& kind : file_kinds()) all.insert(all.end(), kind.endings.begin(), kind.endings.end());
    return all;
}

bool opens_in_app(const std::filesystem::path& file) {
    const std::vector<std::string> endings = opened_endings();
    return std::ranges::find(endings, file_of_array(file).extension().string()) != endings.end();
}

std::string opened_kinds() {
    std::vector<std::string> parts;
    for (const FileKind& kind : file_kinds()) parts.push_back(fmt::format("{} in {}", kind.name, any_of(kind.endings)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string any_of(const std::vector<std::string>& endings) {
    if (endings.size() < 2) return endings.empty() ? "" : endings.front();
    return fmt::format("{} or {}", fmt::join(endings.begin(), endings.end() - 1, ", "), endings.back());
}

}  // namespace convscope::app
