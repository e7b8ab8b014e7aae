// 'Does skipping zeros pay?': the answer per layer and per network, from the CSVs of the figures that are about it.
#pragma once

#include <filesystem>
#include <string>

namespace convscope::cli {

/// A table of what each figure with 'sparse' comes to, of those whose CSV in 'folder' is complete; empty where none is.
std::string pays_summary(const std::filesystem::path& folder);

/// Writes FOLDER/pays.md. Throws Error(file), also where no such CSV is complete.
void write_pays_page(const std::filesystem::path& folder);

}  // namespace convscope::cli
