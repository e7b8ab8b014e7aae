// convscope fit: the time of each method that skips zeros as a line over the work that is left.
#include "app/cli/subcommand.h"
#include "kernels/records/work_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/own_file.h"
#include "app/cli/record_files.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"
#include "kernels/records/record_key.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FitRequest {
    std::vector<std::string> files;
    std::string json;
};

std::string line_text(const WorkLine& line, std::size_t width) {
    if (line.rate <= 0)
        return fmt::format("  {:<{}}  {} to {}: does not take longer with more work ({} points)\n", line.method, width,
                           format_time_us(line.fastest_us), format_time_us(line.slowest_us), line.points);
    const double range = line.slowest_us - line.fastest_us;
    return fmt::format("  {:<{}}  t = {} + multiply-adds / {}; {} points, {} off at most ({:.1f} % of their range)\n",
                       line.method, width, format_time_us(line.t0_us), format_rate(line.rate), line.points,
                       format_time_us(line.off_us), range > 0 ? 100 * line.off_us / range : 0.0);
}

std::string layer_text(const LayerFit& layer) {
    const Record& at = layer.conditions;
    std::string text =
        fmt::format("{}, {} data, {}{}, scope {}, cache {}\n", to_string(at.shape), at.source,
                    at.weight_sparsity_target > 0 ? weights_text(at) + ", " : "",
                    at.device_name.empty() ? "device not named" : at.device_name, at.timing_scope, at.cache_mode);
    std::size_t width = 0;
    for (const WorkLine& line : layer.lines) width = std::max(width, line.method.size());
    const std::string indent(width + 4, ' ');
    const std::optional<double> ceiling = shared_operand_rate(at);
    for (const WorkLine& line : layer.lines) {
        text += line_text(line, width);
        if (line.rate <= 0) continue;
        if (const std::string doubt = line.doubt(); !doubt.empty()) {
            text += fmt::format("{}not compared with dense methods: {}\n", indent, doubt);
            continue;
        }
        if (ceiling && line.arithmetic == "fp32")
            text += fmt::format("{}{:.0f} % of {}, at which each multiply-add reads one operand from shared memory\n",
                                indent, 100 * line.rate / *ceiling, format_rate(*ceiling));
        for (const DenseTime& dense : layer.fastest) text += indent + crossing_text(line, dense) + "\n";
    }
    return text;
}

Json layer_json(const LayerFit& layer) {
    const Record& at = layer.conditions;
    Json json{{"layer", to_string(at.shape)},
              {"source", at.source},
              {"device_name", at.device_name},
              {"timing_scope", at.timing_scope},
              {"cache_mode", at.cache_mode},
              {"shared_operand_rate_per_s", nullptr},
              {"weight_pattern", at.weight_pattern},
              {"weight_sparsity_target", at.weight_sparsity_target},
              {"methods", Json::array()},
              {"dense", Json::array()}};
    constexpr double microseconds = 1e6;
    if (const auto ceiling = shared_operand_rate(at)) json["shared_operand_rate_per_s"] = *ceiling * microseconds;
    for (const DenseTime& dense : layer.fastest)
        json["dense"].push_back({{"method", dense.method}, {"arithmetic", dense.arithmetic}, {"time_us", dense.us}});
    for (const WorkLine& line : layer.lines) {
        Json one{{"method", line.method},
                 {"arithmetic", line.arithmetic},
                 {"points", line.points},
                 {"t0_us", line.t0_us},
                 {"rate_per_s", line.rate > 0 ? Json(line.rate * microseconds) : Json(nullptr)},
                 {"off_us", line.off_us},
                 {"holds", line.holds()},
                 {"multiply_adds_without_zeros", std::llround(line.work_without_zeros)},
                 {"faster_above", Json::array()}};
        for (const DenseTime& dense : layer.fastest) {
            const double zeros = line.holds() ? line.zeros_for(dense.us).value_or(NAN) : NAN;
            one["faster_above"].push_back({{"method", dense.method},
                                           {"arithmetic", dense.arithmetic},
                                           {"zeros", std::isnan(zeros) ? Json(nullptr) : Json(zeros)},
                                           {"extrapolated", zeros > line.max_zeros}});
        }
        json["methods"].push_back(std::move(one));
    }
    return json;
}

/// "winograd1 (11 rows: Too busy: 5 of 5 samples waited for a core; 1 row: out of memory)": the methods that could have
/// been timed and were not at some places, which the fastest dense ones may be among. Empty: none.
std::string untimed_text(const std::vector<Record>& rows) {
    std::map<std::string, std::map<std::string, std::size_t>> untimed;  // how many rows, by method and reason
    for (const Record& row : rows)
        if (!is_timed(row) && row.status != Status::not_supported && row.status != Status::invalid_config)
            ++untimed[row.method][row.status_reason.empty() ? to_string(row.status) : row.status_reason];
    std::string text;
    for (const auto& [method, reasons] : untimed) {
        std::vector<std::string> each;
        for (const auto& [reason, count] : reasons)
            each.push_back(fmt::format("{}: {}", counted(count, "row"), reason));
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", method, fmt::join(each, "; "));
    }
    return text;
}

std::string why_nothing(const std::vector<Record>& rows) {
    if (std::ranges::none_of(rows, [](const Record& row) { return is_timed(row) && row.flops_executed; }))
        return "There is nothing to fit: no row with a time says what was executed (flops_executed), which the line is "
               "drawn over. 'convscope sweep --sparsity 0:0.9:0.1 --csv FILE' measures rows that do, of methods that "
               "skip zeros.";
    return "There is nothing to fit: it takes a method's times with different multiply-adds at three or more shares of "
           "zeros of one layer, as 'convscope sweep --sparsity 0:0.9:0.1 --csv FILE' measures them.";
}

int fit(const FitRequest& request) {
    if (request.files.empty())
        throw Error(ErrorKind::usage, "fit what? Give files of records, .csv or .json, that vary the zeros of a layer");
    std::vector<GivenFile> inputs;
    for (const std::string& path : request.files) inputs.push_back({"a file", path});
    const GivenFile output{"--json", request.json};
    require_own_files({output}, inputs);
    require_json_or_nothing(output);
    require_no_records(output);
    if (!output.path.empty()) require_writable(output.path);
    std::vector<RecordFile> files;
    std::vector<Record> rows;
    for (const std::string& path : request.files) {
        files.push_back(read_and_report(path));
        rows.insert(rows.end(), files.back().records.begin(), files.back().records.end());
    }
    const std::vector<LayerFit> layers = fit_work(rows);
    const std::string untimed = untimed_text(rows);
    if (!untimed.empty()) fmt::print("Left out, for they have no time: {}.\n", untimed);
    if (layers.empty()) fmt::print("{}\n", why_nothing(rows));
    Json all{{"layers", Json::array()}};
    for (const LayerFit& layer : layers) {
        fmt::print("{}{}", &layer == &layers.front() ? "" : "\n", layer_text(layer));
        all["layers"].push_back(layer_json(layer));
    }
    if (!request.json.empty()) write_text_file(request.json, all.dump(2) + "\n");
    return lines_status(files);
}

}  // namespace

Command add_fit(CLI::App& program) {
    Subcommand command(program, "fit",
                       "what zeros buy: t0 + multiply-adds / rate, of records over the zeros of a layer");
    auto request = std::make_shared<FitRequest>();
    command.option("FILE", request->files, "...", "records: CSV or JSON");
    command.option("--json", request->json, "FILE", "write the lines as JSON");
    return command.runs([request] { return fit(*request); });
}

}  // namespace convscope::cli
