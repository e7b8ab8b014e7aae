#include "app/ui/dialogs/file_question.h"

#include <algorithm>

namespace convscope::app {

bool fits(const FileFilter& filter, const std::string& name) {
    return std::ranges::any_of(filter.patterns, [&](const std::string& pattern) {
        return pattern.starts_with('*') && name.ends_with(pattern.substr(1));
    });
}

}  // namespace convscope::app
