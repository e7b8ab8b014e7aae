// One record as a JSON object. For use inside this folder.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/records/record.h"

namespace convscope {

using Json = nlohmann::ordered_json;

/// The CSV's columns as keys, with numbers as numbers and empty cells as null. Where the padding differs by side,
/// "pad_h" is the padding above and "pad_extra_h" the excess below; without that key both sides are the same. Likewise
/// "pad_extra_w".
Json json_of_cells(const Record&);

/// Adds the fields that do not fit a cell.
Json json_of(const Record&);

/// Reads such an object. Keys that may be null may be missing; unknown keys are skipped. NaN and infinity were written
/// as null and read as nothing. Throws cell::BadCell naming the key.
Record record_of(const Json&);

}  // namespace convscope
