#include "app/reproduce/page_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <span>
#include <utility>

#include "kernels/core/text.h"
#include "kernels/files/embedded_text.h"
#include "kernels/reproduce/fill_in.h"

namespace convscope::reproduce {

std::span<const EmbeddedText> templates();

namespace {

struct Stamp {
    std::string device, versions, first_day, last_day;

    std::string days() const { return first_day == last_day ? first_day : first_day + " to " + last_day; }
};

std::string versions_of(const Record& record) {
    std::string text;
    for (const auto& [name, version] : {std::pair{"driver ", record.driver_version},
                                        {"CUDA ", record.cuda_version},
                                        {"", record.vendor_version},
                                        {"convscope ", record.app_version}})
        if (!version.empty()) text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name, version);
    return text;
}

/// In the order of the rows.
std::vector<Stamp> stamps_of(const std::vector<Record>& records) {
    std::vector<Stamp> stamps;
    for (const Record& record : records) {
        const std::string day = record.timestamp_utc.substr(0, 10), versions = versions_of(record);
        const auto same = std::ranges::find_if(stamps, [&](const Stamp& stamp) {
            return stamp.device == record.device_name && stamp.versions == versions;
        });
        if (same == stamps.end()) {
            stamps.push_back({record.device_name, versions, day, day});
        } else {
            same->first_day = std::min(same->first_day, day);
            same->last_day = std::max(same->last_day, day);
        }
    }
    return stamps;
}

}  // namespace

std::string filled(const std::string& name, const std::map<std::string, std::string>& values) {
    const auto page = std::ranges::find_if(
        templates(), [&](const EmbeddedText& each) { return std::filesystem::path(each.path).stem() == name; });
    std::string text =
        fill_in(page->text, [&](const std::vector<std::string>& parts) { return values.at(parts.front()); });
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
}

std::string markdown_rows(const std::vector<std::vector<std::string>>& rows) {
    std::string text;
    for (const auto& cells : rows) {
        text += '|';
        for (const std::string& cell : cells) text += fmt::format(" {} |", replaced(cell, "|", "\\|"));
        text += '\n';
    }
    return text;
}

std::string markdown_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& body) {
    return markdown_rows({head, std::vector<std::string>(head.size(), "---")}) + markdown_rows(body) + "\n";
}

std::string where_and_when(const std::vector<Record>& records) {
    std::string text;
    for (const Stamp& stamp : stamps_of(records))
        text += fmt::format("Measured on {}{}{}, on {}.\n\n", stamp.device, stamp.versions.empty() ? "" : ", ",
                            stamp.versions, stamp.days());
    return text;
}

std::string measured_files(const std::vector<MeasuredFile>& files) {
    std::vector<std::vector<std::string>> body;
    std::set<std::string> named;
    for (const MeasuredFile& file : files) {
        if (!named.insert(file.name).second) continue;
        for (const Stamp& stamp : stamps_of(*file.records))
            body.push_back({fmt::format("[{0}]({0})", file.name), stamp.device, stamp.versions, stamp.days()});
    }
    return body.empty() ? std::string() : markdown_table({"rows", "device", "versions", "measured on"}, body);
}

std::string command_in(const std::filesystem::path& page) {
    std::ifstream lines(page);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("    convscope ")) return line.substr(4);
    return {};
}

}  // namespace convscope::reproduce
