// Reads and writes whole text files, with errors as one sentence.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace convscope {

/// Throws Error(file): "'PATH' what".
[[noreturn]] void fail_on_file(const std::filesystem::path&, const std::string& what);

/// Throws Error(file): "'PATH' cannot be written: " and errno's reason.
[[noreturn]] void fail_on_write(const std::filesystem::path&);

/// Settings, sessions, lessons and presets are smaller; files of records may be as large as the second.
constexpr std::size_t max_text_bytes = std::size_t{1} << 20, max_records_bytes = std::size_t{1} << 30;

/// Throws Error(file) naming the file and the system's reason, also when it is larger than 'max_bytes'. A pipe or a
/// device is read to its end, and may give 64 MiB at most; a pipe that nobody writes to is an error.
std::string read_text_file(const std::filesystem::path&, std::size_t max_bytes = max_text_bytes);

/// Whether it is a device or a pipe (/dev/stdout): not a regular file, not a folder, not missing. Such a path has no
/// neighbour to be renamed from.
bool is_special_file(const std::filesystem::path&);

/// Throws Error(file) when the file could not be written later. Keeps its content, and leaves no new file: a run that
/// is killed must not leave an empty file that looks like its result.
void require_writable(const std::filesystem::path&);

/// Writes all of the text to an open file. Throws Error(file), naming 'path'.
void write_all(const std::filesystem::path& path, int descriptor, const std::string& text);

/// Replaces the file in one step: a reader sees the old or the new text, never half of one, and its permissions stay
/// (NewFile). A device, or a pipe with a reader, is written directly. Throws Error(file).
void write_text_file(const std::filesystem::path&, const std::string& text);

}  // namespace convscope
