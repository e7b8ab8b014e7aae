#include "app/cli/trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "app/cli/cost_json.h"
#include "kernels/simt/block_cost.h"
#include "kernels/simt/kernel_sources.h"
#include "kernels/simt/summary.h"

namespace convscope::cli {
namespace {

using simt::BlockCost;
using simt::BlockTrace;
using simt::EventKind;
using simt::TraceEvent;

double ratio(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// JSON has no NaN and no infinity: they are written as text.
Json number(double value, bool real) {
    if (!real) return static_cast<std::int64_t>(value);
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/// A number, or those of a vector.
Json value(const BlockTrace& trace, const TraceEvent& event) {
    if (event.elements == 1) return number(event.value, event.real);
    Json list = Json::array();
    for (unsigned i = 0; i < event.elements; ++i) list.push_back(number(trace.value(event, i), event.real));
    return list;
}

Json sources(const BlockTrace& trace) {
    Json list = Json::array();
    for (const std::source_location& at : trace.sources)
        list.push_back({{"file", simt::source_path(at)}, {"line", at.line()}, {"text", simt::source_line(at)}});
    return list;
}

Json arrays(const BlockTrace& trace) {
    Json list = Json::array();
    for (const simt::TraceArray& array : trace.arrays)
        list.push_back({{"name", array.name}, {"space", array.space == simt::Space::shared ? "shared" : "global"}});
    return list;
}

Json global_ratios(const simt::MemoryCost& cost) {
    Json json = global_cost(cost);
    json["sectors_per_request"] = ratio(cost.sectors, cost.requests);
    json["wanted_over_moved"] = ratio(cost.bytes_wanted, cost.bytes_moved());
    json["active_lanes_per_request"] = ratio(cost.active_lanes, cost.requests);
    return json;
}

Json shared_ratios(const simt::MemoryCost& cost) {
    Json json = shared_cost(cost);
    json["active_lanes_per_request"] = ratio(cost.active_lanes, cost.requests);
    return json;
}

/// The work of a warp's lanes; they wait for the one that has most.
Json multiplications(const std::vector<std::int64_t>& lanes) {
    std::int64_t done = 0;
    for (std::int64_t lane : lanes) done += lane;
    const std::int64_t most = *std::max_element(lanes.begin(), lanes.end());
    const auto count = static_cast<std::int64_t>(lanes.size());
    return {{"done", done}, {"of_lane", lanes}, {"most_of_a_lane", most}, {"imbalance", ratio(most * count, done)}};
}

Json warps(const BlockCost& cost) {
    Json list = Json::array();
    for (std::size_t i = 0; i < cost.warps.size(); ++i) {
        const simt::WarpCost& warp = cost.warps[i];
        list.push_back({{"warp", i},
                        {"lanes", warp.multiplications.size()},
                        {"global", global_ratios(warp.global)},
                        {"shared", shared_ratios(warp.shared)},
                        {"multiplications", multiplications(warp.multiplications)}});
    }
    return list;
}

Json requests(const BlockCost& cost) {
    Json list = Json::array();
    for (const simt::Request& request : cost.requests) {
        Json json{{"warp", request.warp},
                  {"kind", to_string(request.kind)},
                  {"array", request.array},
                  {"source", request.source},
                  {"active_lanes", std::popcount(request.lanes)},
                  {"lane_mask", fmt::format("{:#010x}", request.lanes)},
                  {"bytes_wanted", request.bytes_wanted}};
        if (request.space == simt::Space::shared) {
            json["wavefronts"] = request.wavefronts.count;
            json["bank_conflicts"] = request.wavefronts.conflicts;
        } else {
            json["sectors"] = request.sectors;
            json["lines"] = request.lines;
        }
        list.push_back(std::move(json));
    }
    return list;
}

Json steps(const BlockTrace& trace, const std::optional<Dim3>& wanted) {
    Json list = Json::array();
    for (const TraceEvent& event : trace.events) {
        if (event.kind == EventKind::basic_block) continue;
        const simt::Index3 thread = trace.thread_index(event.thread);
        if (wanted && *wanted != Dim3{thread.x, thread.y, thread.z}) continue;
        Json json{{"thread", triple(thread)}, {"kind", to_string(event.kind)}, {"source", event.source}};
        if (event.array >= 0) {
            json["array"] = event.array;
            json["index"] = event.index;
        }
        if (event.array >= 0 || event.kind == EventKind::multiply_add) json["value"] = value(trace, event);
        if (event.kind == EventKind::atomic) json["leaves"] = number(trace.left(event), event.real);
        list.push_back(std::move(json));
    }
    return list;
}

Json side(const simt::Side& side) {
    return {{"block", triple(side.block)},
            {"thread", triple(side.thread)},
            {"file", simt::source_path(side.at)},
            {"line", side.at.line()},
            {"does", side.does}};
}

Json finding(const simt::Finding& found) {
    Json json{{"kind", to_string(found.kind())}, {"sentence", found.what()}, {"found", side(found.found())}};
    if (found.other()) json["other"] = side(*found.other());
    return json;
}

Json about(const TraceResult& report, const std::optional<Dim3>& thread) {
    const KernelLaunch& launch = report.trace.launch;
    Json json{{"method", report.plan.method.id},
              {"title", report.plan.method.title},
              {"workload", report.workload.name},
              {"shape", to_string(report.workload.shape)},
              {"kernel", launch.kernel},
              {"grid", triple(launch.grid)},
              {"block_size", triple(launch.block)},
              {"block", triple(report.trace.block)}};
    if (thread) json["thread"] = triple(*thread);
    return json;
}

Json block_json(const TraceResult& report, const BlockCost& cost) {
    const Occupancy occupied = occupancy(report.plan.model, report.trace.launch);
    Json json{{"shared_bytes", report.trace.launch.shared_bytes},
              {"barriers", cost.barriers},
              {"occupancy_pct", occupied.percent},
              {"occupancy_limiter", occupied.limiter}};
    if (cost.multiplications == 0) return json;
    json["multiplications_done"] = cost.multiplications;
    // A run that ended before its time has not stored its outputs.
    if (report.finding || report.multiplications_per_output == 0) return json;
    const std::int64_t dense = cost.outputs_written * report.multiplications_per_output;
    json["multiplications_dense"] = dense;
    if (cost.multiplications <= dense) json["multiplications_skipped"] = dense - cost.multiplications;
    return json;
}

std::string text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A member, or an element of a list of objects, on each line: traces are long.
void print_members(const Json& json) {
    const char* before = "{\n";
    for (const auto& [name, member] : json.items()) {
        fmt::print("{}\"{}\": ", before, name);
        before = ",\n";
        if (!member.is_array() || member.empty() || !member.front().is_object()) {
            fmt::print("{}", text(member));
            continue;
        }
        const char* between = "[\n  ";
        for (const Json& element : member) {
            fmt::print("{}{}", between, text(element));
            between = ",\n  ";
        }
        fmt::print("\n]");
    }
    fmt::print("\n}}\n");
}

}  // namespace

void write_trace(const TraceResult& report, const std::optional<Dim3>& thread) {
    const BlockCost cost = cost_of(report.trace);
    Json json = about(report, thread);
    json["totals"] = block_json(report, cost);
    json["summary"] = describe(report.trace, cost, report.plan.model, report.multiplications_per_output);
    if (report.finding) json["finding"] = finding(*report.finding);
    json["arrays"] = arrays(report.trace);
    json["sources"] = sources(report.trace);
    json["warps"] = warps(cost);
    json["requests"] = requests(cost);
    json["steps"] = steps(report.trace, thread);
    print_members(json);
}

}  // namespace convscope::cli
