// convscope export: records in other programs' formats.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/own_file.h"
#include "app/cli/record_files.h"
#include "app/cli/subcommand.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/say.h"
#include "kernels/files/text_file.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/json.h"
#include "kernels/records/record_key.h"
#include "kernels/records/tuner_files.h"

namespace convscope::cli {
namespace {

struct ExportRequest {
    std::string file, to, out;
    bool force = false;  ///< write over files that are in the folder
};

using Writer = std::string (*)(const TuningSpace&);

/// Several spaces go into a folder, because a tuner's file holds one.
std::filesystem::path path_of(const ExportRequest& request, const TuningSpaces& found, std::size_t place) {
    const std::filesystem::path out = request.out;
    if (!std::filesystem::is_directory(out)) return out;
    const Record& first = found.spaces[place].points.front().record;
    return out / fmt::format("{}-{:03}.json", first.method, place + 1);
}

/// Files of an export before are not written over: their names follow from the rows, and nobody gave them.
void require_none_there(const ExportRequest& request, const TuningSpaces& found) {
    if (request.force || !std::filesystem::is_directory(request.out)) return;
    for (std::size_t i = 0; i < found.spaces.size(); ++i)
        if (const std::filesystem::path path = path_of(request, found, i); std::filesystem::exists(path))
            throw Error(ErrorKind::usage,
                        fmt::format("--out: '{}' is there already; give another folder, or --force to write over the "
                                    "files of this one",
                                    path.string()));
}

void export_spaces(const ExportRequest& request, const std::vector<Record>& records, Writer write) {
    const TuningSpaces found = tuning_spaces(records);
    if (found.left_out > 0)
        say("convscope: {} rows that were cancelled or lack a parameter are left out\n", found.left_out);
    if (found.spaces.empty())
        throw Error(ErrorKind::usage, fmt::format("'{}' has no row of a whole configuration to export", request.file));
    if (found.spaces.size() > 1 && !std::filesystem::is_directory(request.out))
        throw Error(
            ErrorKind::usage,
            fmt::format("'{}' has {} tuning spaces (a method on a workload each), and a {} file holds one; give "
                        "--out a folder that is there",
                        request.file, found.spaces.size(), request.to));
    require_none_there(request, found);
    for (std::size_t i = 0; i < found.spaces.size(); ++i) {
        const TuningSpace& space = found.spaces[i];
        const std::filesystem::path path = path_of(request, found, i);
        require_own_files({{"--out", path.string()}}, {{"the file of records", request.file}});
        write_text_file(path, write(space));
        fmt::print("{}: {} of {}\n", path.string(), counted(space.points.size(), "configuration"),
                   point_text(space.points.front().record));
    }
}

int export_records(const ExportRequest& request) {
    if (request.file.empty()) throw Error(ErrorKind::usage, "export what? Give the file of records");
    if (request.out.empty()) throw Error(ErrorKind::usage, "export where to? Give --out FILE");
    if (request.to.empty())
        throw Error(ErrorKind::usage,
                    "export as what? The ending of --out does not tell; give --to kernel-tuner, t4, json or csv");
    const bool tuner = request.to == "kernel-tuner" || request.to == "t4";
    if (!tuner && request.to != "json" && request.to != "csv")
        throw Error(ErrorKind::usage,
                    fmt::format("--to: '{}' is not accepted; give kernel-tuner, t4, json or csv", request.to));
    require_own_files({{"--out", request.out}}, {{"the file of records", request.file}});
    if (request.to != "csv" && !std::filesystem::is_directory(request.out))
        require_json_or_nothing({"--out", request.out});
    const RecordFile file = read_and_report(request.file);
    if (tuner) {
        export_spaces(request, file.records, request.to == "t4" ? to_t4 : to_kernel_tuner);
    } else {
        request.to == "json" ? write_text_file(request.out, to_json(file.records))
                             : write_csv(request.out, file.records);
        fmt::print("{}: {}\n", request.out, counted(file.records.size(), "row"));
    }
    return lines_status({file});
}

}  // namespace

Command add_export(CLI::App& program) {
    Subcommand command(program, "export", "records in Kernel Tuner's format, T4, JSON or CSV");
    auto request = std::make_shared<ExportRequest>();
    command.option("FILE", request->file, "FILE", "records: CSV, JSON, or what export wrote");
    command.option("--to", request->to, "FORMAT", "kernel-tuner, t4, json or csv");
    command.option("--out", request->out, "FILE", "the file; a folder where there are several tuning spaces");
    command.toggle("--force", request->force, "write over files that are in the folder");
    return command.runs([request] { return export_records(*request); });
}

}  // namespace convscope::cli
