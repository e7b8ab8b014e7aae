// How a live value is written in a text: "{= skipped | percent}".
#pragma once

#include <optional>
#include <string>

#include "app/lessons/expression.h"

namespace convscope::lessons {

struct LiveValue {
    Expression expression;
    std::string format;  ///< ".0f" as fmt takes it, or a named one; empty: as short as it is exact
};

/// Whether a format is accepted; 'accepted_formats' says what is.
bool is_format(const std::string&);
const char* accepted_formats();
/// A number in a format that is_format() holds for.
std::string in_format(double value, const std::string& format);

}  // namespace convscope::lessons
