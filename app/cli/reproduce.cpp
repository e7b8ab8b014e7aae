// convscope reproduce: a table or a figure of a paper, measured here, with the paper's figures beside ours.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <memory>

#include "app/cli/figure_page.h"
#include "app/cli/goal_page.h"
#include "app/cli/interrupt.h"
#include "app/cli/markdown.h"
#include "app/cli/overview_page.h"
#include "app/cli/pays_page.h"
#include "app/cli/status_line.h"
#include "app/cli/subcommand.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/core/text.h"
#include "kernels/cpu/threads.h"
#include "kernels/measure/run_stamp.h"

namespace convscope::cli {
namespace {

constexpr Flag reproduce_flags[] = {
    {"--out", "DIR", "folder for the CSV, the charts and the page, made when missing"},
};

// Not figures, but pages over many.
constexpr const char *pays_name = "pays", *overview_name = "overview";

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
    const auto page = [&](const char* name, const char* device, const char* shows, const std::string& title) {
        rows.push_back({name, device, "convscope", shows, title});
    };
    for (const auto& [name, goals] : goal_pages()) page(name, "cuda", "targets", describe(goals));
    page(pays_name, "-", "pays.md", "Does skipping zeros pay? From the CSVs that DIR has");
    page(overview_name, "-", "README.md", "What stands out, and every page. From the CSVs that DIR has");
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

/// The first device of the figure's kind that can be used. Throws Error(not_found) that says what would run.
Device& device_for(Registry& registry, const PaperFigure& figure) {
    std::string reason = "this build has none";
    for (const DeviceInfo* info : registry.devices()) {
        if (info->kind != figure.device) continue;
        if (info->available) return registry.device(info->id);
        reason = info->reason;
    }
    std::string others;
    for (const PaperFigure& other : all_figures())
        if (other.device == DeviceKind::cpu) others += (others.empty() ? "" : ", ") + other.name;
    throw Error(ErrorKind::not_found,
                fmt::format("{} needs an NVIDIA GPU, and there is none in use ({}); without one these run: {}",
                            figure.name, reason, others));
}

/// What cannot run is known before anything is measured. What was measured already needs no device.
void require_runnable(const std::vector<const PaperFigure*>& figures, const std::filesystem::path& folder) {
    std::unique_ptr<Registry> registry;
    for (const PaperFigure* figure : figures) {
        if (FigureRecords(*figure, folder).complete()) continue;
        if (!registry) registry = make_registry();
        const DeviceKind kind = device_for(*registry, *figure).info().kind;
        for (const std::string& method : figure->methods) registry->get(parse_figure_method(method).id, kind);
    }
}

/// Says why not.
bool can_run_again(const PaperFigure& figure, const std::filesystem::path& folder) {
    try {
        require_runnable({&figure}, folder);
        return true;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::not_found) throw;
        say("convscope: {} has no complete second run, and dashes for it on the page: {}\n", figure.name, error.what());
        return false;
    }
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (std::error_code none; !std::filesystem::is_directory(folder, none))
        throw Error(ErrorKind::file, fmt::format("the folder '{}' cannot be made: {}", folder.string(),
                                                 problem ? problem.message() : "a file of that name is in the way"));
}

std::filesystem::path folder_of(const FlagValues& flags) {
    if (!flags.has("--out")) throw Error(ErrorKind::usage, "reproduce needs --out DIR, the folder for the results");
    make_folder(flags.get("--out"));
    return flags.get("--out");
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

class Reproduction {
public:
    Reproduction(const FlagValues& flags, Digits digits)
        : options_(options_of(flags)), timing_(timing_of(flags)), folder_(folder_of(flags)), digits_(digits) {}

    /// A page for each figure. Returns the exit status.
    int figures(const std::vector<const PaperFigure*>& figures) {
        require_runnable(figures, folder_);
        for (const PaperFigure* figure : figures) {
            const FigureRecords* records = page_of(*figure);
            if (!records) return interrupted_status;
            tell(figure->name);
        }
        return status();
    }

    /// Every figure with goals of the page, those that are measured twice a second time, and the page over all of them.
    /// What the second run lacks where it cannot be measured has a dash on the page. Returns the exit status.
    int goals(const char* name, GoalPage page) {
        const std::vector<const PaperFigure*> figures = figures_with_goals(page);
        const std::filesystem::path again = folder_ / second_folder;
        make_folder(again);
        require_runnable(figures, folder_);
        std::vector<GoalRuns> all;
        std::deque<PaperFigure> of_page;
        for (const PaperFigure* figure : figures) {
            PaperFigure& shown = of_page.emplace_back(*figure);
            std::erase_if(shown.goals, [&](const FigureGoal& goal) { return goal.page != page; });
            all.push_back({&shown, page_of(*figure), nullptr, records_of(*figure, earlier_folder, false)});
            if (!all.back().first) return interrupted_status;
        }
        const auto number = [](const GoalRuns& runs) { return std::stoi(runs.figure->goals.front().target); };
        std::ranges::stable_sort(all, {}, number);
        for (GoalRuns& runs : all)
            if (!(runs.second = records_of(*runs.figure, second_folder,
                                           runs.figure->twice && can_run_again(*runs.figure, again))))
                return interrupted_status;
        write_goal_page(page, all, command_of(name, measured_ > 0), folder_);
        tell(name);
        return status();
    }

    /// The pages over what the folder has; nothing is measured. Returns the exit status.
    int pays() const {
        write_pays_page(folder_);
        tell("pays");
        return 0;
    }
    int overview() const {
        write_overview(folder_);
        tell("README");
        return 0;
    }

private:
    /// Those of a GPU; those of a CPU where they were measured already: it is seldom the GPU's machine that is meant.
    std::vector<const PaperFigure*> figures_with_goals(GoalPage page) const {
        std::vector<const PaperFigure*> figures;
        for (const PaperFigure& figure : all_figures()) {
            if (std::ranges::find(figure.goals, page, &FigureGoal::page) == figure.goals.end()) continue;
            const auto measured = [&](const std::filesystem::path& folder) {
                return FigureRecords(figure, folder).complete();
            };
            if (figure.device == DeviceKind::cuda ||
                (measured(folder_) && (!figure.twice || measured(folder_ / second_folder))))
                figures.push_back(&figure);
        }
        return figures;
    }

    /// The figure's records, measured where they are not there yet, and its page; null when interrupted.
    const FigureRecords* page_of(const PaperFigure& figure) {
        const int before = measured_;
        const FigureRecords* records = records_of(figure, {});
        if (records) write_figure_page(figure, *records, command_of(figure.name, measured_ > before), folder_, digits_);
        return records;
    }

    /// 'measures': what is not there yet; else what is there is all.
    const FigureRecords* records_of(const PaperFigure& figure, const std::filesystem::path& under,
                                    bool measures = true) {
        FigureRecords& records = records_.emplace_back(figure, folder_, under);
        if (measures && !records.complete()) {
            ++measured_;
            const CpuThreads threads(figure.threads);
            const auto registry = make_registry();
            records.measure(*registry, device_for(*registry, figure), options_, interrupt_.token(),
                            [&](const std::string& text) { line_.show(text); });
        }
        line_.clear();
        return interrupt_.requested() ? nullptr : &records;
    }

    /// With the flags of what was measured; a page that is only made again keeps its own.
    std::string command_of(const std::string& name, bool measured) const {
        const std::string kept = measured ? "" : command_in(folder_ / (name + ".md"));
        return kept.empty() ? fmt::format("convscope reproduce {} --out DIR{}", name, timing_) : kept;
    }

    void tell(const std::string& name) const {
        fmt::print("{}\n", (folder_ / (name + ".md")).string());
        std::fflush(stdout);
    }

    int status() const {
        for (const FigureRecords& records : records_)
            for (const Record& record : records.all())
                if (is_wrong(record.status)) return static_cast<int>(ErrorKind::wrong);
        return 0;
    }

    const MeasureOptions options_;
    const std::string timing_;  ///< the flags, each after a space
    const std::filesystem::path folder_;
    const Digits digits_;  ///< of the figures' pages
    const Interrupt interrupt_;
    StatusLine line_;
    int measured_ = 0;                   ///< figures, not those that were there
    std::deque<FigureRecords> records_;  // stay where they are while more come
};

constexpr const char* rejected_flags[] = {"--scope", "--cache"};

int reproduce(const Request& request) {
    if (request.list) return list_figures(), 0;
    if (request.names.empty())
        throw Error(ErrorKind::usage, "reproduce needs a NAME, or all; 'convscope reproduce --list' shows the names");
    std::string page;
    std::vector<const char*> pages{pays_name, overview_name};
    for (const auto& [name, goals] : goal_pages()) pages.push_back(name);
    for (const char* name : pages)
        if (std::ranges::find(request.names, name) != request.names.end()) page = name;
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
    Reproduction reproduction(request.flags, request.exact ? Digits::all : Digits::few);
    for (const auto& [name, goals] : goal_pages())
        if (page == name) return reproduction.goals(name, goals);
    if (page == pays_name) return reproduction.pays();
    if (page == overview_name) return reproduction.overview();
    return reproduction.figures(figures);
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
    return command.runs([request] { return reproduce(*request); });
}

}  // namespace convscope::cli
