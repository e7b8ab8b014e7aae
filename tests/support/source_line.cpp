#include "tests/support/source_line.h"

#include <fstream>
#include <stdexcept>

namespace convscope::testing {

unsigned line_of(const std::string& file, const std::string& text) {
    std::ifstream in(CONVSCOPE_SOURCE_DIR "/" + file);
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.find(text) != std::string::npos) return number;
    }
    throw std::runtime_error(file + " has no line with " + text);
}

}  // namespace convscope::testing
