#include "app/reproduce/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>

#include "app/reproduce/page_parts.h"
#include "app/reproduce/pages.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/cpu/threads.h"
#include "kernels/files/user_folders.h"

namespace convscope::reproduce {
namespace {

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

/// Rejects what cannot run before anything is measured. Points that were measured already need no device.
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

class Run {
public:
    Run(const Reproduction& wanted, const std::stop_token& stop) : wanted_(wanted), stop_(stop) {}

    void figures() {
        require_runnable(wanted_.figures, wanted_.folder);
        for (const PaperFigure* figure : wanted_.figures) {
            if (!page_of(*figure)) return;
            tell(figure->name);
        }
    }

    /// Every figure with goals of the page, those that are measured twice a second time, and the page over all of them.
    /// Points that the second run lacks, because it cannot measure them, have a dash on the page.
    void goals(GoalPage page) {
        const std::vector<const PaperFigure*> figures = figures_with_goals(page);
        const std::filesystem::path again = wanted_.folder / second_folder;
        make_folder(again);
        require_runnable(figures, wanted_.folder);
        std::vector<GoalRuns> all;
        std::deque<PaperFigure> of_page;
        for (const PaperFigure* figure : figures) {
            PaperFigure& shown = of_page.emplace_back(*figure);
            std::erase_if(shown.goals, [&](const FigureGoal& goal) { return goal.page != page; });
            all.push_back({&shown, page_of(*figure), nullptr, records_of(*figure, earlier_folder, false)});
            if (!all.back().first) return;
        }
        const auto number = [](const GoalRuns& runs) { return std::stoi(runs.figure->goals.front().target); };
        std::ranges::stable_sort(all, {}, number);
        for (GoalRuns& runs : all)
            if (!(runs.second = records_of(*runs.figure, second_folder,
                                           runs.figure->twice && can_run_again(*runs.figure, again))))
                return;
        write_goal_page(page, all, command_of(wanted_.page, measured_ > 0), wanted_.folder);
        tell(wanted_.page);
    }

    void tell(const std::string& name) const { wanted_.page_written(wanted_.folder / (name + ".md")); }

    bool found_wrong() const {
        const auto wrong = [](const Record& record) { return is_wrong(record.status); };
        return std::ranges::any_of(
            records_, [&](const FigureRecords& records) { return std::ranges::any_of(records.all(), wrong); });
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
                (measured(wanted_.folder) && (!figure.twice || measured(wanted_.folder / second_folder))))
                figures.push_back(&figure);
        }
        return figures;
    }

    /// The figure's records, measured where they are not there yet, and its page; null when interrupted.
    const FigureRecords* page_of(const PaperFigure& figure) {
        const int before = measured_;
        const FigureRecords* records = records_of(figure, {});
        if (records)
            write_figure_page(figure, *records, command_of(figure.name, measured_ > before), wanted_.folder,
                              wanted_.digits);
        return records;
    }

    /// 'measures': what is not there yet; else what is there is all.
    const FigureRecords* records_of(const PaperFigure& figure, const std::filesystem::path& under,
                                    bool measures = true) {
        FigureRecords& records = records_.emplace_back(figure, wanted_.folder, under);
        if (measures && !records.complete()) {
            ++measured_;
            const CpuThreads threads(figure.threads);
            const auto registry = make_registry();
            records.measure(*registry, device_for(*registry, figure), wanted_.options, stop_, wanted_.progress);
        }
        wanted_.progress({});
        return stop_.stop_requested() ? nullptr : &records;
    }

    /// With the flags of what was measured; a page that is only made again keeps its own.
    std::string command_of(const std::string& name, bool measured) const {
        const std::string kept = measured ? "" : command_in(wanted_.folder / (name + ".md"));
        return kept.empty() ? fmt::format("convscope reproduce {} --out DIR{}", name, wanted_.timing) : kept;
    }

    const Reproduction& wanted_;
    const std::stop_token& stop_;
    int measured_ = 0;                   ///< figures, not those that were there
    std::deque<FigureRecords> records_;  // stay where they are while more come
};

}  // namespace

const std::vector<PageOverMany>& pages_over_many() {
    static const std::vector<PageOverMany> pages = [] {
        std::vector<PageOverMany> list;
        for (const auto& [name, goals] : goal_pages()) list.push_back({name, "cuda", "targets", describe(goals)});
        list.push_back({"pays", "-", "pays.md", "Does skipping zeros pay? From the CSVs that DIR has"});
        list.push_back({"overview", "-", "README.md", "What stands out, and every page. From the CSVs that DIR has"});
        return list;
    }();
    return pages;
}

bool reproduce(const Reproduction& wanted, const std::stop_token& stop) {
    make_folder(wanted.folder);
    Run run(wanted, stop);
    if (wanted.page == "pays") {
        write_pays_page(wanted.folder);
        run.tell("pays");
    } else if (wanted.page == "overview") {
        write_overview(wanted.folder);
        run.tell("README");
    } else if (wanted.page.empty()) {
        run.figures();
    }
    for (const auto& [name, goals] : goal_pages())
        if (wanted.page == name) run.goals(goals);
    return !run.found_wrong();
}

}  // namespace convscope::reproduce
