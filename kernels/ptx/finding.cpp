#include "kernels/ptx/finding.h"

#include <fmt/format.h>

#include <filesystem>

namespace convscope::ptx {
namespace {

/// Threads in the order of the grid.
auto order_of(const Side& side) {
    return std::tuple(side.block.z, side.block.y, side.block.x, side.thread.z, side.thread.y, side.thread.x);
}

}  // namespace

const char* to_string(FindingKind kind) {
    constexpr const char* names[] = {"out_of_bounds",     "misaligned", "uninitialised", "race",
                                     "divergent_barrier", "endless",    "assertion"};
    return names[static_cast<std::size_t>(kind)];
}

std::string place(const Module& module, SourceLine at) {
    const std::string& file = at.file == 0 ? module.name : module.files[at.file];
    return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), at.line);
}

std::string thread_text(const Dim3& thread) {
    return fmt::format("({},{},{})", thread.x, thread.y, thread.z);
}

std::string Finding::line(const Module& module) const {
    std::string text = fmt::format("{} {} block {} thread {}", to_string(kind), place(module, found.at),
                                   thread_text(found.block), thread_text(found.thread));
    if (!element.empty()) text += " " + element;
    text += ": " + what;
    if (other)
        text += fmt::format("; block {} thread {} {} at {}", thread_text(other->block), thread_text(other->thread),
                            other_does, place(module, other->at));
    if (times > 1) text += fmt::format(" ({} times)", times);
    return text;
}

bool FindingList::add(Finding finding) {
    const std::string array = finding.element.substr(0, finding.element.find('['));
    const Key key{finding.kind, finding.found.at, array, finding.other ? finding.other->at : SourceLine{}};
    const std::lock_guard lock(mutex_);
    const bool more = ++times_ < max_times;
    const auto known = found_.find(key);
    if (known == found_.end()) {
        if (found_.size() < max_findings) found_.emplace(key, std::move(finding));
        return more;
    }
    finding.times = ++known->second.times;
    if (order_of(finding.found) < order_of(known->second.found)) known->second = std::move(finding);
    return more;
}

std::vector<Finding> FindingList::take() {
    std::vector<Finding> all;
    for (auto& [key, finding] : found_) all.push_back(std::move(finding));
    found_.clear();
    return all;
}

}  // namespace convscope::ptx
