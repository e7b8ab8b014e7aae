// One record as a JSON object, for the files that have such objects in them. For use inside this folder.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/records/record.h"

namespace convscope {

using Json = nlohmann::ordered_json;

/// The CSV's columns as keys, with numbers as numbers and empty cells as null. Of padding that differs by side, "pad_h"
/// is that above and "pad_extra_h" what there is more below; without that key both are the same. Likewise
/// "pad_extra_w".
Json json_of_cells(const Record&);

/// These, and what does not fit a cell.
Json json_of(const Record&);

/// The record of such an object. Keys that may be null may be missing; those that are not ours are passed over. NaN and
/// infinity were written as null and read as nothing. Throws cell::BadCell naming the key.
Record record_of(const Json&);

}  // namespace convscope
