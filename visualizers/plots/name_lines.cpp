#include "visualizers/plots/name_lines.h"

#include <algorithm>

namespace convscope {
namespace {

constexpr std::size_t max_lines = 3;

/// Each with the sign or the blank behind which it may end.
std::vector<std::string> pieces_of(const std::string& name) {
    std::vector<std::string> pieces;
    for (std::size_t from = 0; from < name.size();) {
        const std::size_t end = std::min(name.find_first_of("-/+ ", from), name.size() - 1);
        pieces.push_back(name.substr(from, end + 1 - from));
        from = end + 1;
    }
    return pieces;
}

}  // namespace

std::vector<std::string> name_lines(Canvas& canvas, const std::string& name, double size, double room) {
    std::vector<std::string> lines;
    for (const std::string& piece : pieces_of(name)) {
        if (!lines.empty() && canvas.text_width(lines.back() + piece, size) <= room)
            lines.back() += piece;
        else
            lines.push_back(piece);
        if (canvas.text_width(lines.back(), size) > room || lines.size() > max_lines) return {};
    }
    return lines;
}

double widest_piece(Canvas& canvas, const std::vector<std::string>& names, double size) {
    double widest = 0;
    for (const std::string& name : names)
        for (const std::string& piece : pieces_of(name)) widest = std::max(widest, canvas.text_width(piece, size));
    return widest;
}

}  // namespace convscope
