#include "app/lessons/catalogue.h"

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/files/preset_folder.h"
#include "kernels/files/user_folders.h"

namespace convscope::lessons {
namespace {

void add_files(const std::filesystem::path& folder, std::vector<std::filesystem::path>& files) {
    std::vector<std::filesystem::path> here;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().extension() == ".md" && entry.path().stem() != "README") here.push_back(entry.path());
    std::ranges::sort(here);
    files.insert(files.end(), here.begin(), here.end());
}

}  // namespace

std::filesystem::path own_lesson_folder() {
    const std::filesystem::path data = user_folder(UserFolder::data);
    return data.empty() ? data : data / "lessons";
}

std::vector<std::filesystem::path> lesson_files() {
    std::vector<std::filesystem::path> files;
    add_files(preset_folder() / "lessons", files);
    if (const std::filesystem::path own = own_lesson_folder(); !own.empty()) add_files(own, files);
    return files;
}

std::vector<ReadLesson> read_lessons(const Registry& registry) {
    std::vector<ReadLesson> lessons;
    for (const std::filesystem::path& file : lesson_files()) {
        try {
            lessons.push_back(read_lesson(file, registry));
        } catch (const Error& error) {
            ReadLesson& broken = lessons.emplace_back();
            broken.lesson.file = file;
            broken.lesson.id = file.stem().string();
            broken.problems.push_back({1, error.what()});
        }
    }
    return lessons;
}

}  // namespace convscope::lessons
