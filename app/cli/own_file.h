// Keeps what a command writes apart from what it reads, and from records.
#pragma once

#include <string>
#include <vector>

namespace convscope::cli {

/// A file and what the user gave it as: "--csv", or "the base".
struct GivenFile {
    std::string what, path;
};

/// Throws Error(usage) when an output is one of the inputs or another output: it would replace it. Devices and pipes
/// may be given twice; paths that are empty were not given.
void require_own_files(const std::vector<GivenFile>& outputs, const std::vector<GivenFile>& inputs);

/// Throws Error(usage) when the file holds anything but JSON, which would be replaced.
void require_json_or_nothing(const GivenFile& output);

/// Throws Error(usage) when the file holds measurements, which a file of something else would replace.
void require_no_records(const GivenFile& output);

}  // namespace convscope::cli
