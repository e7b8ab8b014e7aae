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

void ArrayFolder::add(const std::string& name, std::span<const float> data, const NpyShape& shape,
                      const std::string& meaning) {
    write_npy(path(name), data, shape);
    describe(name, "float32", shape, meaning);
}

void ArrayFolder::add(const std::string& name, std::span<const std::int32_t> data, const NpyShape& shape,
                      const std::string& meaning) {
    write_npy(path(name), data, shape);
    describe(name, "int32", shape, meaning);
}

void ArrayFolder::add(const std::string& name, std::span<const std::int64_t> data, const NpyShape& shape,
                      const std::string& meaning) {
    write_npy(path(name), data, shape);
    describe(name, "int64", shape, meaning);
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
