#include "app/lessons/hideable.h"

#include <algorithm>

#include "app/lessons/names.h"
#include "app/lessons/shown_formats.h"

namespace convscope::lessons {

std::vector<std::string> hideable() {
    std::vector<std::string> all = words(WordKind::array);
    std::erase(all, "mec");  // a name of L in expressions
    for (const std::string& name : format_array_names()) {
        const std::string array = name.substr(name.find('.') + 1);
        if (std::ranges::find(all, array) == all.end()) all.push_back(array);
    }
    all.insert(all.end(), {summary_word, cards_word});
    return all;
}

}  // namespace convscope::lessons
