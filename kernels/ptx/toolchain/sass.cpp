#include "kernels/ptx/toolchain/sass.h"

#include <regex>
#include <sstream>

#include "kernels/core/text.h"

namespace convscope::ptx {

std::vector<SassLine> read_sass(const std::string& said, const std::string& symbol) {
    static const std::regex place(R"re(//## File "([^"]*)", line (\d+).*)re");
    static const std::regex instruction(R"(/\*([0-9a-f]+)\*/\s+(.*?)(\s*/\*.*\*/)?)");
    std::vector<SassLine> lines;
    std::vector<SassLine::Place> places;
    bool inside = false, complete = false;  // 'places' has instructions already
    std::istringstream text(said);
    for (std::string whole; std::getline(text, whole);) {
        const std::string line = trimmed(whole);
        if (line.starts_with(".text.")) {
            inside = line == ".text." + symbol + ":";
            places.clear();
        }
        if (line.starts_with("//---") || line.starts_with(".section")) inside = false;
        std::smatch match;
        if (!inside) continue;
        if (std::regex_match(line, match, place)) {
            if (complete) places.clear();
            complete = false;
            places.push_back({match[1], static_cast<unsigned>(std::stoul(match[2]))});
        } else if (std::regex_match(line, match, instruction)) {
            lines.push_back({match[1].str() + "  " + match[2].str(), places});
            complete = true;
        } else if (line.starts_with(".L") && line.ends_with(':')) {
            lines.push_back({line, {}});
        }
    }
    return lines;
}

}  // namespace convscope::ptx
