#include "app/cli/array_folder.h"

#include <fmt/format.h>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/files/user_folders.h"
#include "kernels/formats/array_file.h"

namespace convscope::cli {

ArrayFolder::ArrayFolder(const FlagValues& flags) : folder_(flags.get("--out")) {
    make_folder(folder_);
    std::error_code none;
    const auto reject = [](const std::string& file) {
        throw Error(
            ErrorKind::usage,
            fmt::format("--out: '{}' lies in this folder and could be replaced; give a folder of its own", file));
    };
    for (const char* flag : {"--input", "--weights", "--from", "--model"})
        if (const std::filesystem::path input = file_of_array(flags.get_or(flag, ""));
            !input.empty() &&
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
