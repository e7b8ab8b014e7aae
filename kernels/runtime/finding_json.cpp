#include "kernels/runtime/finding_json.h"

namespace convscope::runtime {
namespace {

using Json = nlohmann::ordered_json;

Json of_location(const ptx::Module& module, const ptx::ThreadLocation& location) {
    return {{"at", ptx::source_location(module, location.at)},
            {"line", location.at.line},
            {"block", json_of(location.block)},
            {"thread", json_of(location.thread)}};
}

Json of_traffic(const ptx::Traffic& loads, const ptx::Traffic& stores, const ptx::Traffic& atomics, bool shared) {
    const auto one = [&](const ptx::Traffic& traffic) {
        return Json{{"requests", traffic.requests},
                    {shared ? "wavefronts" : "sectors", shared ? traffic.wavefronts : traffic.sectors}};
    };
    return {{"loads", one(loads)}, {"stores", one(stores)}, {"atomics", one(atomics)}};
}

}  // namespace

Json json_of(const Dim3& d) {
    return {d.x, d.y, d.z};
}

Json json_of(const ptx::Module& module, const ptx::Finding& finding) {
    Json json{{"kind", to_string(finding.kind)}};
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

Json json_of(const ptx::LaunchCounts& counts) {
    Json by_kind;
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

}  // namespace convscope::runtime
