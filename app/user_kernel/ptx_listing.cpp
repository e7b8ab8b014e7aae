#include "app/user_kernel/ptx_listing.h"

#include <algorithm>
#include <sstream>

#include "kernels/ptx/toolchain/compile.h"

namespace convscope::app {
namespace {

/// Nothing that a thread executes or that the kernel has: places in the source, and where the compiler put in assembly.
bool says_nothing(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) return true;
    const std::string_view text = std::string_view(line).substr(first);
    return text.starts_with(".loc") || text.starts_with("//");
}

}  // namespace

std::vector<unsigned> PtxListing::lines_of(unsigned source_line) const {
    std::vector<unsigned> lines;
    for (unsigned line = 1; source_line > 0 && line < source.size(); ++line)
        if (source[line] == source_line) lines.push_back(line);
    return lines;
}

PtxListing ptx_listing(const KernelCheckResult& check) {
    PtxListing listing;
    listing.source.push_back(0);
    listing.place.push_back(0);
    if (!check.prepared) return listing;
    const UserKernel& kernel = check.kernel();
    std::map<std::uint32_t, unsigned> source_of;
    for (const ptx::Instruction& each : kernel.module.find(kernel.symbol)->code)
        if (const unsigned line = check.line_of(each.source)) source_of[each.text_line] = line;
    std::istringstream lines(kernel.ptx);
    bool inside = false;
    std::ptrdiff_t depth = 0;  // of braces: assembly in the source has some of its own
    unsigned shown = 0;
    std::uint32_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        inside = inside || line.find(".entry " + kernel.symbol + "(") != std::string::npos;
        const bool kept = inside && !says_nothing(line);
        const std::ptrdiff_t before = depth;
        if (inside) depth += std::ranges::count(line, '{') - std::ranges::count(line, '}');
        listing.place.push_back(kept ? ++shown : 0);
        if (!kept) continue;
        listing.text += line + "\n";
        const auto of = source_of.find(number);
        listing.source.push_back(of == source_of.end() ? 0 : of->second);
        if (before > 0 && depth == 0) inside = false;
    }
    listing.place.resize(number + 2);
    if (!check.result) return listing;
    for (const auto& [line, count] : check.result->counts.by_ptx_line)
        if (line < listing.place.size() && listing.place[line] > 0) listing.counts[listing.place[line]] += count;
    return listing;
}

PtxListing sass_listing(const KernelCheckResult& check, const std::vector<ptx::SassLine>& lines) {
    PtxListing listing;
    listing.source.push_back(0);
    for (const ptx::SassLine& line : lines) {
        const auto place = std::ranges::find_if(line.places, [&](const ptx::SassLine::Place& of) {
            return std::filesystem::path(of.file).filename() == ptx::name_in_source(check.call.file.filename());
        });
        listing.source.push_back(place == line.places.end() ? 0 : place->line);
        listing.text += (line.text.starts_with('.') ? "" : "    ") + line.text + "\n";
    }
    return listing;
}

}  // namespace convscope::app
