#include "app/user_kernel/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/user_kernel/difference.h"
#include "kernels/core/error.h"
#include "kernels/files/preset_folder.h"
#include "kernels/files/text_file.h"
#include "kernels/files/user_folders.h"
#include "kernels/ptx/text/expression.h"

namespace convscope::app {
namespace {

constexpr std::string_view about = "//! ", student_line = "// exercise: ";
constexpr const char* solution_define = "SOLUTION";
constexpr std::size_t line_width = 96;

std::string words_after(const std::string& line, std::size_t at) {
    const std::size_t begin = line.find_first_not_of(' ', at);
    return begin == std::string::npos ? "" : line.substr(begin);
}

/// The text as comments.
std::string commented(const std::string& text) {
    std::istringstream words(text);
    std::string all, line = "//";
    for (std::string word; words >> word;) {
        if (line.size() + 1 + word.size() > line_width) {
            all += line + '\n';
            line = "//";
        }
        line += ' ' + word;
    }
    return all + line + '\n';
}

/// Takes the lines '//! KEY: WORDS', each with the lines '//!  WORDS' below it.
void take(const std::string& text, Exercise& exercise) {
    const std::size_t colon = text.find(':');
    const std::string key = text.substr(0, colon);
    const std::string words = colon == std::string::npos ? "" : words_after(text, colon + 1);
    if (key == "title") {
        exercise.title = words;
    } else if (key == "task") {
        exercise.task = words;
    } else if (key == "hint") {
        exercise.hints.push_back(words);
    } else if (const std::size_t bar = words.find('|'); key == "check" && bar != std::string::npos) {
        exercise.checks.push_back({words.substr(0, bar), words_after(words, bar + 1)});
    } else {
        fail_on_file(exercise.file,
                     fmt::format("has the line '//! {}'; accepted are '//! title: ', 'task: ', 'hint: ' and "
                                 "'check: CONDITION | SENTENCE'",
                                 text));
    }
}

/// The first element that the student's kernel left as it was made.
std::string unwritten_elements(const std::string& name, const KernelArray& got, const KernelArray& expected) {
    if (got.written || got.array.data.size() != expected.array.data.size()) return {};
    const std::size_t size = got.array.element_bytes(), count = got.array.data.size() / size;
    std::size_t missing = 0, first = 0;
    for (std::size_t i = count; i-- > 0;) {
        const auto begin = static_cast<std::ptrdiff_t>(i * size), end = begin + static_cast<std::ptrdiff_t>(size);
        const auto* data = got.array.data.data();
        if (!std::all_of(data + begin, data + end, [](std::byte b) { return b == std::byte{0xff}; }) ||
            std::equal(data + begin, data + end, expected.array.data.data() + begin))
            continue;
        ++missing;
        first = i;
    }
    if (missing == 0) return {};
    return fmt::format("{}[{}] is not written yet; of {} elements {} are missing", name, first, count, missing);
}

void add_names(ptx::Names& names, const std::string& prefix, const ptx::LaunchCounts& counts) {
    const auto add = [&](const char* name, std::int64_t value) { names[prefix + name] = static_cast<double>(value); };
    const ptx::Traffic &loads = counts.shared_loads, &stores = counts.shared_stores;
    add("warp_instructions", counts.warp_instructions);
    add("thread_instructions", counts.thread_instructions);
    add("global_load_requests", counts.global_loads.requests);
    add("global_load_sectors", counts.global_loads.sectors);
    add("global_store_sectors", counts.global_stores.sectors);
    add("atomics", counts.global_atomics.requests + counts.shared_atomics.requests);
    add("shared_requests", loads.requests + stores.requests);
    add("bank_conflicts", loads.bank_conflicts + stores.bank_conflicts);
    add("multiplications", counts.multiplications);
    add("zero_multiplications", counts.zero_multiplications);
    add("barriers", counts.by_kind[static_cast<std::size_t>(ptx::Kind::barrier)]);
    add("warp_operations", counts.by_kind[static_cast<std::size_t>(ptx::Kind::warp)]);
}

std::string compare_arrays(const PreparedKernel& student, const PreparedKernel& solution) {
    for (const ptx::ParameterText& parameter : solution.kernel->text.parameters) {
        if (!parameter.pointer || parameter.constant) continue;
        const auto got = student.arguments.arrays.find(parameter.name);
        if (got == student.arguments.arrays.end())
            return fmt::format("the kernel has no array '{}' any more; leave its parameters as they are",
                               parameter.name);
        const KernelArray& expected = solution.arguments.arrays.at(parameter.name);
        if (std::string missing = unwritten_elements(parameter.name, got->second, expected); !missing.empty())
            return missing;
        if (std::string wrong = difference_to(parameter.name, got->second.array, expected.array); !wrong.empty())
            return wrong;
    }
    return {};
}

/// Empty where the user has no folder.
std::filesystem::path own_file(const std::string& name) {
    const std::filesystem::path folder = user_folder(UserFolder::data);
    return folder.empty() ? folder : folder / "exercises" / (name + ".cu");
}

Exercise find_exercise(const std::string& id) {
    const std::filesystem::path file = preset_folder() / "exercises" / (id + ".cu");
    std::error_code none;
    if (id.find('/') != std::string::npos || !std::filesystem::is_regular_file(file, none))
        throw Error(ErrorKind::usage,
                    fmt::format("there is no exercise '{}'; convscope lesson exercises lists them", id));
    return read_exercise(file);
}

/// The part that a line of the file belongs to.
enum class Part { both, start, solution };

}  // namespace

Exercise read_exercise(const std::filesystem::path& file) {
    Exercise exercise;
    exercise.id = file.stem().string();
    exercise.file = file;
    std::istringstream lines(read_text_file(file));
    std::string start, solution;
    std::vector<std::string> said;
    Part part = Part::both;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("//!  ") && !said.empty())
            said.back() += ' ' + words_after(line, about.size());
        else if (line.starts_with(about))
            said.push_back(line.substr(about.size()));
        else if (line == fmt::format("#ifdef {}", solution_define))
            part = Part::solution;
        else if (line == "#else")
            part = Part::start;
        else if (line == "#endif")
            part = Part::both;
        else {
            if (part != Part::solution) start += line + '\n';
            if (part != Part::start) solution += line + '\n';
        }
    }
    for (const std::string& each : said) take(each, exercise);
    if (exercise.title.empty() || exercise.task.empty() || exercise.hints.empty())
        fail_on_file(file, "has no '//! title: ', '//! task: ' or '//! hint: '");
    const std::string first = fmt::format("{}{}\n", student_line, exercise.id);
    exercise.start = fmt::format(
        "{}{}// Check it: convscope kernel THIS_FILE, or open it in the app, which checks it "
        "whenever you save it.\n{}",
        first, commented(exercise.title + ". " + exercise.task), start);
    exercise.solution = fmt::format("{}{}{}", first, commented(exercise.title + ", solved."), solution);
    return exercise;
}

std::vector<Exercise> all_exercises() {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(preset_folder() / "exercises", none))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<Exercise> exercises;
    for (const std::filesystem::path& file : files) exercises.push_back(read_exercise(file));
    return exercises;
}

std::optional<Exercise> exercise_of(const std::string& source) {
    std::size_t at = source.find(student_line);
    if (at == std::string::npos || (at > 0 && source[at - 1] != '\n')) return std::nullopt;
    at += student_line.size();
    std::string id = source.substr(at, source.find_first_of("\r\n", at) - at);
    while (id.ends_with(' ')) id.pop_back();
    return find_exercise(id);
}

std::filesystem::path own_exercise(const std::string& id, bool solution) {
    const Exercise exercise = find_exercise(id);
    const std::filesystem::path file = own_file(id + (solution ? "-solution" : ""));
    if (file.empty()) throw Error(ErrorKind::file, "there is no folder for exercises: $HOME is not set");
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    if (solution)
        write_text_file(file, exercise.solution);
    else if (!is_begun(exercise))
        start_exercise(exercise, file);
    return file;
}

bool is_begun(const Exercise& exercise) {
    std::error_code none;
    return std::filesystem::exists(own_file(exercise.id), none);
}

void start_exercise(const Exercise& exercise, const std::filesystem::path& file) {
    std::error_code none;
    if (std::filesystem::exists(file, none))
        throw Error(ErrorKind::usage, fmt::format("'{}' is there already; give another file", file.string()));
    write_text_file(file, exercise.start);
}

std::string check_exercise(const Exercise& exercise, const PreparedKernel& student, const ptx::LaunchResult& result,
                           const std::stop_token& stop) {
    if (!result.failure.empty()) return result.failure;
    if (!result.findings.empty()) return result.findings.front().line(student.kernel->module);
    KernelCall call;
    call.file = exercise.file;
    call.defines = {solution_define};
    const auto solution = prepare_kernel(open_kernel(call, read_text_file(exercise.file), stop), call);
    if (const ArgumentState* rejected = solution->arguments.rejected()) throw Error(rejected->kind, rejected->reason);
    ptx::LaunchRequest launch = solution->request();
    launch.counts = true;
    launch.stop = stop;
    const ptx::LaunchResult solved = ptx::run(solution->kernel->program, launch);
    if (std::string wrong = compare_arrays(student, *solution); !wrong.empty()) return wrong;
    ptx::Names names;
    add_names(names, "", result.counts);
    add_names(names, "solution_", solved.counts);
    for (const Exercise::Check& check : exercise.checks)
        if (ptx::evaluate(check.condition, names, "the exercise " + exercise.id) == 0)
            return "the result is right, but " + check.sentence;
    return {};
}

}  // namespace convscope::app
