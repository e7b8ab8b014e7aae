#include "app/lessons/hideable.h"

#include "app/lessons/names.h"

namespace convscope::lessons {

std::vector<std::string> hideable() {
    std::vector<std::string> all = words(WordKind::array);
    std::erase(all, "mec");  // a name of L in expressions
    all.insert(all.end(), {summary_word, cards_word});
    return all;
}

}  // namespace convscope::lessons
