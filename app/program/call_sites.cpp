#include "app/program/call_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "kernels/core/error.h"
#include "kernels/files/temporary_folder.h"
#include "kernels/ptx/toolchain/compiler_process.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_at_once = 500;

bool is_own(const std::string& file) {
    if (file.starts_with("??") || file.starts_with("/usr/")) return false;
    for (const char* part : {"/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "/cuda/include/",
                             "tmpxft_", ".cudafe1.", "crt/host_runtime.h", "cuda_runtime.h"})
        if (file.find(part) != std::string::npos) return false;
    return true;
}

std::string find_addr2line() {
    for (const char* path : {"/usr/bin/addr2line", "/usr/local/bin/addr2line"})
        if (std::filesystem::exists(path)) return path;
    return {};
}

}  // namespace

std::string CallSite::text() const {
    if (file.empty()) return function + "()";
    return fmt::format("{}:{}", file.filename().string(), line);
}

CallSites::CallSites(const std::filesystem::path& program, const std::vector<std::uint64_t>& addresses,
                     const std::stop_token& stop) {
    const std::string tool = find_addr2line();
    const std::set<std::uint64_t> each(addresses.begin(), addresses.end());
    if (tool.empty() || each.empty()) return;
    const TemporaryFolder folder;
    for (auto next = each.begin(); next != each.end();) {
        std::vector<std::string> words{tool, "-a", "-f", "-i", "-C", "-e", program.string()};
        for (std::size_t i = 0; i < max_at_once && next != each.end(); ++i)
            words.push_back(fmt::format("{:#x}", *next++));
        std::istringstream said(ptx::run_program(words, folder, stop).output);
        std::uint64_t of = 0;
        for (std::string line, place; std::getline(said, line);) {
            if (line.starts_with("0x")) {
                of = std::strtoull(line.c_str(), nullptr, 16);
                continue;
            }
            if (!std::getline(said, place)) break;
            CallSite site;
            site.function = line.substr(0, line.find('('));
            const std::size_t colon = place.rfind(':');
            if (const std::string file = place.substr(0, colon);
                colon != std::string::npos && !file.starts_with("??")) {
                site.file = file;
                site.line = static_cast<unsigned>(std::atoi(place.c_str() + colon + 1));
            }
            known_[of].push_back(std::move(site));
        }
    }
}

std::optional<CallSite> CallSites::of(const std::vector<std::uint64_t>& frames) const {
    std::optional<CallSite> without_line;
    for (const std::uint64_t frame : frames) {
        const auto known = known_.find(frame);
        if (known == known_.end()) continue;
        for (const CallSite& site : known->second) {
            if (!site.file.empty() && is_own(site.file.string())) return site;
            if (site.file.empty() && !without_line && !site.function.starts_with("??") &&
                !site.function.starts_with("__device_stub"))
                without_line = site;
        }
    }
    return without_line;
}

}  // namespace convscope::app
