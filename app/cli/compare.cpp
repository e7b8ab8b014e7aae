// convscope compare: files of records against a base, point by point.
#include "kernels/records/compare.h"
#include "app/cli/subcommand.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <new>

#include "app/cli/compare_output.h"
#include "app/cli/own_file.h"
#include "app/cli/record_files.h"
#include "app/request/numbers.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"

namespace convscope::cli {
namespace {

struct CompareRequest {
    std::vector<std::string> files;
    std::string csv, json, tie = fmt::format("{}", default_tie_pct), between;
};

/// The files' records, and which rows are whose.
struct Files {
    ComparedRecords records;
    std::vector<RowsOfFile> rows;
    std::vector<RecordFile> read;  ///< what else was found in them
};

void read_file(Files& files, const std::string& path) {
    const auto first = static_cast<std::uint32_t>(files.records.rows());
    files.read.push_back(read_and_report(path, [&](const Record& record) { files.records.add(record); }));
    files.rows.push_back({first, static_cast<std::uint32_t>(files.records.rows())});
}

NamedComparison compared(const std::vector<std::string>& names, const Files& files, std::size_t i,
                         const CompareOptions& options) {
    try {
        return {names[0], names[i], compare_records(files.records, files.rows[0], files.rows[i], options)};
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(
            fmt::format("'{}' and '{}' do not fit into the host's memory together; give files with fewer "
                        "rows",
                        names[0], names[i]));
    }
}

int compare(const CompareRequest& request) {
    if (request.files.size() < 2)
        throw Error(ErrorKind::usage, "compare what? Give the base and one or more other files");
    CompareOptions options{parse_real("--tie", request.tie, 0, 1000)};
    if (!request.between.empty()) options.between_pct = parse_real("--between", request.between, 0, 1000);
    std::vector<GivenFile> inputs;
    for (const std::string& path : request.files) inputs.push_back({inputs.empty() ? "the base" : "a file", path});
    const std::vector<GivenFile> outputs{{"--csv", request.csv}, {"--json", request.json}};
    require_own_files(outputs, inputs);
    require_json_or_nothing(outputs.back());
    for (const GivenFile& output : outputs) {
        require_no_records(output);
        if (!output.path.empty()) require_writable(output.path);
    }
    Files files;
    for (const std::string& path : request.files) read_file(files, path);
    std::vector<NamedComparison> comparisons;
    for (std::size_t i = 1; i < files.rows.size(); ++i) {
        comparisons.push_back(compared(request.files, files, i, options));
        if (i > 1) fmt::print("\n");
        print_comparison(files.records, comparisons.back());
    }
    if (!request.csv.empty()) write_text_file(request.csv, comparison_csv(files.records, comparisons));
    if (!request.json.empty()) write_text_file(request.json, comparison_json(files.records, comparisons));
    return lines_status(files.read);
}

}  // namespace

Command add_compare(CLI::App& program) {
    Subcommand command(program, "compare", "files of records against a base: improved, worse, tied or unclear");
    auto request = std::make_shared<CompareRequest>();
    command.option("FILE", request->files, "...", "the base, then the others: CSV or JSON");
    command.option("--tie", request->tie, "PCT", "a difference up to this is tied, however certain it is (1)");
    command.option("--between", request->between, "PCT",
                   "what separate records of the same thing differ by here, a standard deviation (on a GPU 1.8, "
                   "with --runs 0.6, outside of the scope kernel 20; on a CPU 40)");
    command.option("--csv", request->csv, "FILE", "write the rows as CSV");
    command.option("--json", request->json, "FILE", "write rows and summary as JSON");
    return command.runs([request] { return compare(*request); });
}

}  // namespace convscope::cli
