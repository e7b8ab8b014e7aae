#include "app/cli/array_folder.h"

#include <fmt/format.h>

#include "kernels/core/error.h"
#include "kernels/core/text_file.h"

namespace convscope::cli {

ArrayFolder::ArrayFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error || !std::filesystem::is_directory(folder_, error))
        throw Error(ErrorKind::file, fmt::format("the folder '{}' cannot be made: {}", folder_.string(),
                                                 error ? error.message() : "a file has this name"));
}

void ArrayFolder::require_own(const std::vector<std::filesystem::path>& inputs) const {
    std::error_code none;
    const auto reject = [](const std::string& file) {
        throw Error(
            ErrorKind::usage,
            fmt::format("--out: '{}' lies in this folder and could be replaced; give a folder of its own", file));
    };
    for (const std::filesystem::path& input : inputs)
        if (!input.empty() &&
            std::filesystem::equivalent(std::filesystem::absolute(input, none).parent_path(), folder_, none))
            reject(input.string());
    if (std::filesystem::exists(folder_ / "layout.json", none)) return;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, none))
        if (entry.path().extension() == ".npy") reject(entry.path().filename().string());
}

void ArrayFolder::describe(const std::string& name, const char* dtype, const NpyShape& shape,
                           const std::string& meaning) {
    arrays_.push_back(
        {{"name", name}, {"file", name + ".npy"}, {"dtype", dtype}, {"shape", shape}, {"meaning", meaning}});
}

void ArrayFolder::finish(nlohmann::ordered_json about) {
    about["arrays"] = arrays_;
    write_text_file(folder_ / "layout.json",
                    about.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace convscope::cli
