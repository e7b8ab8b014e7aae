#include "app/cli/kernel_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kernels/runtime/finding_json.h"

namespace convscope::cli {

using KernelJson = nlohmann::ordered_json;

std::string kernel_json(const ptx::Program& program, const std::string& kernel, const ptx::LaunchRequest& request,
                        const ptx::LaunchResult& result, const std::string& difference) {
    KernelJson json{{"kernel", kernel},
                    {"grid", runtime::json_of(request.grid)},
                    {"block", runtime::json_of(request.block)},
                    {"shared_bytes", program.static_shared_bytes + request.shared_bytes},
                    {"clean", result.findings.empty() && result.failure.empty() && difference.empty()}};
    if (!result.failure.empty()) json["failure"] = result.failure;
    if (!difference.empty()) json["difference"] = difference;
    json["findings"] = KernelJson::array();
    for (const ptx::Finding& finding : result.findings)
        json["findings"].push_back(runtime::json_of(*program.module, finding));
    if (!result.unwritten.empty()) json["unwritten"] = KernelJson::array();
    for (const ptx::UnwrittenElements& each : result.unwritten)
        json["unwritten"].push_back(
            {{"array", each.array}, {"elements", each.count}, {"of", each.of}, {"first", each.first}});
    if (!result.notes.empty()) json["notes"] = result.notes;
    json["figures"] = runtime::json_of(result.counts);
    json["lines"] = KernelJson::array();
    for (const auto& [at, counts] : result.counts.by_line)
        json["lines"].push_back({{"at", ptx::source_location(*program.module, at)},
                                 {"warp_instructions", counts.issued},
                                 {"thread_instructions", counts.lanes},
                                 {"global_requests", counts.global.requests},
                                 {"global_sectors", counts.global.sectors},
                                 {"shared_requests", counts.shared.requests},
                                 {"shared_wavefronts", counts.shared.wavefronts}});
    json["printed"] = result.printed;
    return json.dump(2, ' ', false, KernelJson::error_handler_t::replace) + "\n";
}

std::string kernel_csv(const ptx::Module& module, const ptx::LaunchCounts& counts) {
    std::string csv =
        "file,line,warp_instructions,thread_instructions,global_requests,global_sectors,shared_requests,"
        "shared_wavefronts\n";
    for (const auto& [at, line] : counts.by_line) {
        const std::string place = ptx::source_location(module, at);
        csv += fmt::format("{},{},{},{},{},{},{},{}\n", place.substr(0, place.rfind(':')), at.line, line.issued,
                           line.lanes, line.global.requests, line.global.sectors, line.shared.requests,
                           line.shared.wavefronts);
    }
    return csv;
}

}  // namespace convscope::cli
