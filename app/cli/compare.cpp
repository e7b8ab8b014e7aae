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
#include "kernels/core/text_file.h"

namespace convscope::cli {
namespace {

struct CompareRequest {
    std::vector<std::string> files;
    std::string csv, json, tie = fmt::format("{}", default_tie_pct), between;
};

NamedComparison compared(const std::vector<std::string>& names, const std::vector<RecordFile>& files, std::size_t i,
                         const CompareOptions& options) {
    try {
        return {names[0], names[i], compare_records(files[0], files[i], options)};
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
    std::vector<RecordFile> files;
    for (const std::string& path : request.files) files.push_back(read_and_report(path));
    std::vector<NamedComparison> comparisons;
    for (std::size_t i = 1; i < files.size(); ++i) {
        comparisons.push_back(compared(request.files, files, i, options));
        fmt::print("{}{}", i > 1 ? "\n" : "", comparison_text(comparisons.back()));
    }
    if (!request.csv.empty()) write_text_file(request.csv, comparison_csv(comparisons));
    if (!request.json.empty()) write_text_file(request.json, comparison_json(comparisons));
    return lines_status(files);
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
