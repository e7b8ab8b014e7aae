// convscope reproduce: a table or a figure of a paper, measured here, with the paper's figures next to ours.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "app/cli/interrupt.h"
#include "app/cli/status_line.h"
#include "app/cli/subcommand.h"
#include "app/reproduce/reproduction.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/measure/run_stamp.h"

namespace convscope::cli {
namespace {

constexpr Flag reproduce_flags[] = {
    {"--out", "DIR", "folder for the CSV, the charts and the page, made when missing"},
};

struct Request {
    std::vector<std::string> names;
    bool list = false, exact = false;
    FlagValues flags;
};

void list_figures() {
    using Row = std::array<std::string, 5>;  // name, device, paper, what it shows, title
    std::vector<Row> rows;
    for (const PaperFigure& figure : all_figures())
        rows.push_back({figure.name, to_string(figure.device), figure.paper, figure.shows, figure.title});
    for (const reproduce::PageOverMany& page : reproduce::pages_over_many())
        rows.push_back({page.name, page.device, "convscope", page.shows, page.title});
    std::array<std::size_t, 4> widths{};
    for (const Row& row : rows)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    for (const Row& row : rows)
        fmt::print("{:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0], row[1], widths[1], row[2], widths[2],
                   row[3], widths[3], row[4]);
}

/// 'all', names, or beginnings of names that end in a star: "cho-*".
std::vector<const PaperFigure*> figures_of(const std::vector<std::string>& names) {
    std::vector<const PaperFigure*> figures;
    for (const std::string& name : names) {
        const std::size_t before = figures.size();
        const bool many = name == "all" || name.ends_with('*');
        const std::string beginning = name == "all" ? "" : name.substr(0, name.size() - 1);
        if (many)
            for (const PaperFigure& figure : all_figures())
                if (figure.name.starts_with(beginning)) figures.push_back(&figure);
        if (figures.size() == before) figures.push_back(&find_figure(name));
    }
    return figures;
}

/// Enough for a page: a percent of noise more or less does not change what it says. Flags change them.
MeasureOptions options_of(const FlagValues& flags) {
    MeasureOptions options = read_timing(flags);
    if (!flags.has("--min-samples")) options.min_samples = 10;
    if (!flags.has("--timeout")) options.timeout_s = 1;
    options.run_id = make_run_id();
    return options;
}

std::string timing_of(const FlagValues& flags) {
    std::string text;
    for (const Flag& flag : timing_flags())
        if (flags.has(flag.name)) text += fmt::format(" {} {}", flag.name, shell_word(flags.get(flag.name)));
    return text;
}

constexpr const char* rejected_flags[] = {"--scope", "--cache"};

int run_reproduce(const Request& request) {
    if (request.list) return list_figures(), 0;
    if (request.names.empty())
        throw Error(ErrorKind::usage, "reproduce needs a NAME, or all; 'convscope reproduce --list' shows the names");
    std::string page;
    for (const reproduce::PageOverMany& each : reproduce::pages_over_many())
        if (std::ranges::find(request.names, each.name) != request.names.end()) page = each.name;
    if (!page.empty() && request.names.size() > 1)
        throw Error(
            ErrorKind::usage,
            fmt::format("reproduce {} is a page over many figures and stands alone; leave out the others", page));
    std::vector<const PaperFigure*> figures;
    if (page.empty()) figures = figures_of(request.names);
    for (const char* flag : rejected_flags)
        if (request.flags.has(flag))
            throw Error(ErrorKind::usage,
                        fmt::format("reproduce takes no {}: each figure has those that its page compares", flag));
    if (request.exact && !page.empty())
        throw Error(ErrorKind::usage,
                    fmt::format("reproduce {} takes no --exact: the pages of figures alone have all digits", page));
    if (!request.flags.has("--out"))
        throw Error(ErrorKind::usage, "reproduce needs --out DIR, the folder for the results");
    const Interrupt interrupt;
    StatusLine line;
    const bool right = reproduce::reproduce(
        {.figures = std::move(figures),
         .page = page,
         .folder = request.flags.get("--out"),
         .options = options_of(request.flags),
         .timing = timing_of(request.flags),
         .digits = request.exact ? Digits::all : Digits::few,
         .progress = [&](const std::string& text) { text.empty() ? line.clear() : line.show(text); },
         .page_written =
             [](const std::filesystem::path& path) {
                 fmt::print("{}\n", path.string());
                 std::fflush(stdout);
             }},
        interrupt.token());
    if (interrupt.requested()) return interrupted_status;
    return right ? 0 : static_cast<int>(ErrorKind::wrong);
}

}  // namespace

Command add_reproduce(CLI::App& program) {
    Subcommand command(program, "reproduce",
                       "a table or figure of the papers, measured here: CSV, charts, a page with the printed numbers");
    auto request = std::make_shared<Request>();
    command.option("NAME", request->names, "...", "as --list shows them; a beginning and '*', or all");
    command.toggle("--list", request->list, "what can be reproduced, and on which device");
    command.toggle("--exact", request->exact, "numbers with all their digits in the page, and no charts");
    command.flags(request->flags, reproduce_flags, "Output");
    command.flags(request->flags, timing_flags(), "Timing");
    for (const char* flag : rejected_flags) command.hide(flag);  // not in the help
    return command.runs([request] { return run_reproduce(*request); });
}

}  // namespace convscope::cli
