// Reads records back from JSON.
#pragma once

#include "kernels/records/read_records.h"

namespace convscope {

/// Reads the rows of a JSON text that bench, sweep, network or export wrote: an array of objects, the object that
/// network writes around it, a Kernel Tuner cache or a T4 file of ours. A row that does not read becomes an error,
/// "FILE: row 3: what is wrong". Throws Error(file) when the text is not JSON or holds no records.
RecordFile read_json(const std::filesystem::path&, const std::string& text);

}  // namespace convscope
