// Whole text files, with errors as one sentence.
#pragma once

#include <filesystem>
#include <string>

namespace convscope {

/// Throws Error(file): "'PATH' what".
[[noreturn]] void fail_on_file(const std::filesystem::path&, const std::string& what);

/// Throws Error(file) naming the file and the system's reason.
std::string read_text_file(const std::filesystem::path&);

/// Throws Error(file) when the file could not be written later. What it holds stays; a new file is made, empty.
void require_writable(const std::filesystem::path&);

/// Replaces the file in one step: a reader sees the old or the new text, never half of one. Throws Error(file).
void write_text_file(const std::filesystem::path&, const std::string& text);

}  // namespace convscope
