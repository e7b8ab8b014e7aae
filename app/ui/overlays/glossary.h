// The terms that a user meets first, from docs/glossary.md: searched as one types.
#pragma once

#include <string>
#include <vector>

#include "app/ui/widgets/frame.h"

namespace convscope::app {

struct GlossaryEntry {
    std::string group;  ///< the page's heading: "Memory"
    std::string term;   ///< "shared memory"
    std::string also;   ///< other words for it, with commas between them; empty for none
    std::string text;   ///< plain sentences
};

/// In the page's order. An entry of the page is one line: **term** (also: word, word): sentences.
std::vector<GlossaryEntry> read_glossary(const std::string& page);
/// Those of docs/glossary.md, which is a part of the program.
const std::vector<GlossaryEntry>& glossary();
/// Whether a term or one of its other words has 'words' in it; upper and lower case are the same.
bool is_named(const GlossaryEntry&, const std::string& words);

class Glossary {
public:
    void draw(Frame&);

private:
    std::string search_;
    bool was_open_ = false;
};

}  // namespace convscope::app
