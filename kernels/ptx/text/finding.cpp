#include "kernels/ptx/text/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace convscope::ptx {
namespace {

/// Threads in the order of the grid.
auto order_of(const ThreadLocation& location) {
    return std::tuple(location.block.z, location.block.y, location.block.x, location.thread.z, location.thread.y,
                      location.thread.x);
}

std::string array_of(const Finding& finding) {
    return finding.element.substr(0, finding.element.find('['));
}

}  // namespace

const char* to_string(FindingKind kind) {
    constexpr const char* names[] = {
        "divergent_barrier", "out_of_bounds", "use_after_free", "invalid_free", "host_pointer", "misaligned", "race",
        "uninitialised",     "endless",       "assertion",      "leak"};
    return names[static_cast<std::size_t>(kind)];
}

std::string source_location(const Module& module, SourceLine at) {
    const std::string& file = at.file == 0 ? module.name : module.files[at.file];
    return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), at.line);
}

std::string thread_text(const Dim3& thread) {
    return fmt::format("({},{},{})", thread.x, thread.y, thread.z);
}

std::string Finding::line(const Module& module) const {
    std::string text = fmt::format("{} {} block {} thread {}", to_string(kind), source_location(module, found.at),
                                   thread_text(found.block), thread_text(found.thread));
    if (!element.empty()) text += " " + element;
    text += ": " + what;
    if (other)
        text += fmt::format("; block {} thread {} {} at {}", thread_text(other->block), thread_text(other->thread),
                            other_action, source_location(module, other->at));
    if (times > 1) text += fmt::format(" ({} times)", times);
    return text;
}

bool FindingList::add(Finding finding) {
    const std::string array = array_of(finding);
    const Key key{finding.kind, finding.found.at, array, finding.other ? finding.other->at : SourceLine{}};
    const std::lock_guard lock(mutex_);
    const bool more = ++times_ < max_times;
    if (finding.kind == FindingKind::uninitialised) unwritten_[{finding.found.at, array}].insert(finding.element);
    // Threads that race about it at one line, as at h[i]++, each read it before they write it: whoever comes first
    // reads what nobody has written.
    if (finding.kind == FindingKind::race && !(finding.other && finding.other->at == finding.found.at)) {
        raced_[{finding.found.at, array}].insert(finding.element);
        if (finding.other) raced_[{finding.other->at, array}].insert(finding.element);
    }
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
    for (auto& [key, finding] : found_)
        if (!explained(finding)) all.push_back(std::move(finding));
    found_.clear();
    return all;
}

bool FindingList::explained(const Finding& finding) const {
    if (finding.kind != FindingKind::uninitialised) return false;
    const auto unwritten = unwritten_.find({finding.found.at, array_of(finding)});
    const auto raced = raced_.find({finding.found.at, array_of(finding)});
    return raced != raced_.end() && std::ranges::includes(raced->second, unwritten->second);
}

}  // namespace convscope::ptx
