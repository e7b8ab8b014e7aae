#include "app/cli/kernel_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace convscope::cli {
namespace {

using KernelJson = nlohmann::ordered_json;

KernelJson of_dim3(const Dim3& d) {
    return {d.x, d.y, d.z};
}

KernelJson of_location(const ptx::Module& module, const ptx::ThreadLocation& location) {
    return {{"at", ptx::source_location(module, location.at)},
            {"line", location.at.line},
            {"block", of_dim3(location.block)},
            {"thread", of_dim3(location.thread)}};
}

KernelJson of_finding(const ptx::Module& module, const ptx::Finding& finding) {
    KernelJson json{{"kind", to_string(finding.kind)}};
    json.update(of_location(module, finding.found));
    if (!finding.element.empty()) json["element"] = finding.element;
    json["what"] = finding.what;
    if (finding.other) {
        json["other"] = of_location(module, *finding.other);
        json["other"]["does"] = finding.other_action;
    }
    json["times"] = finding.times;
    json["text"] = finding.line(module);
    return json;
}

KernelJson of_traffic(const ptx::Traffic& loads, const ptx::Traffic& stores, const ptx::Traffic& atomics, bool shared) {
    const auto one = [&](const ptx::Traffic& traffic) {
        return KernelJson{{"requests", traffic.requests},
                          {shared ? "wavefronts" : "sectors", shared ? traffic.wavefronts : traffic.sectors}};
    };
    return {{"loads", one(loads)}, {"stores", one(stores)}, {"atomics", one(atomics)}};
}

KernelJson of_counts(const ptx::LaunchCounts& counts) {
    KernelJson by_kind;
    for (unsigned kind = 0; kind < ptx::kinds; ++kind)
        by_kind[to_string(static_cast<ptx::Kind>(kind))] = counts.by_kind[kind];
    return {{"warp_instructions", counts.warp_instructions},
            {"thread_instructions", counts.thread_instructions},
            {"active_lanes", counts.active_lanes()},
            {"by_kind", by_kind},
            {"global", of_traffic(counts.global_loads, counts.global_stores, counts.global_atomics, false)},
            {"shared", of_traffic(counts.shared_loads, counts.shared_stores, counts.shared_atomics, true)},
            {"multiplications", counts.multiplications},
            {"multiplications_by_zero", counts.zero_multiplications}};
}

}  // namespace

std::string kernel_json(const ptx::Program& program, const std::string& kernel, const ptx::LaunchRequest& request,
                        const ptx::LaunchResult& result, const std::string& difference) {
    KernelJson json{{"kernel", kernel},
                    {"grid", of_dim3(request.grid)},
                    {"block", of_dim3(request.block)},
                    {"shared_bytes", program.static_shared_bytes + request.shared_bytes},
                    {"clean", result.findings.empty() && result.failure.empty() && difference.empty()}};
    if (!result.failure.empty()) json["failure"] = result.failure;
    if (!difference.empty()) json["difference"] = difference;
    json["findings"] = KernelJson::array();
    for (const ptx::Finding& finding : result.findings)
        json["findings"].push_back(of_finding(*program.module, finding));
    if (!result.unwritten.empty()) json["unwritten"] = KernelJson::array();
    for (const ptx::UnwrittenElements& each : result.unwritten)
        json["unwritten"].push_back(
            {{"array", each.array}, {"elements", each.count}, {"of", each.of}, {"first", each.first}});
    if (!result.notes.empty()) json["notes"] = result.notes;
    json["figures"] = of_counts(result.counts);
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
