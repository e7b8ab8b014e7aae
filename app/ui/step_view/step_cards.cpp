#include "app/ui/step_view/step_cards.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/simt/summary.h"
#include "visualizers/grid/cell_text.h"
#include "visualizers/step/step_description.h"

namespace convscope::app {
namespace {

constexpr const char* steps_meaning = "Instructions of warps that the block took";

struct StepQuantity {
    const char* name;
    std::string value;
    const char* meaning;
};

simt::MemoryCost sum(const simt::BlockCost& cost, simt::MemoryCost simt::WarpCost::*space) {
    simt::MemoryCost all;
    for (const simt::WarpCost& warp : cost.warps) {
        const simt::MemoryCost& one = warp.*space;
        all.requests += one.requests;
        all.active_lanes += one.active_lanes;
        all.bytes_wanted += one.bytes_wanted;
        all.sectors += one.sectors;
        all.lines += one.lines;
        all.bank_conflicts += one.bank_conflicts;
    }
    return all;
}

std::string ratio(std::int64_t a, std::int64_t b) {
    return b == 0 ? "-" : three_digits(static_cast<double>(a) / static_cast<double>(b));
}

/// The most multiplications of a lane over the mean of its warp: a warp waits for its longest lane.
std::string imbalance(const simt::BlockCost& cost) {
    double worst = 0;
    for (const simt::WarpCost& warp : cost.warps) {
        const auto& lanes = warp.multiplications;
        const std::int64_t all = std::accumulate(lanes.begin(), lanes.end(), std::int64_t{0});
        if (all == 0) continue;
        const double most = static_cast<double>(*std::max_element(lanes.begin(), lanes.end()));
        worst = std::max(worst, most * static_cast<double>(lanes.size()) / static_cast<double>(all));
    }
    return worst == 0 ? "-" : three_digits(worst);
}

/// Unknown for kernels that do not multiply.
std::string dense_share(const TracedKernel& kernel) {
    const simt::BlockCost& cost = kernel.trace.replay().cost();
    const std::int64_t dense = cost.outputs_written * kernel.multiplications_per_output;
    if (cost.multiplications == 0 || dense == 0 || kernel.trace.finding()) return "-";
    return simt::share_of_dense(static_cast<double>(cost.multiplications), static_cast<double>(dense));
}

std::vector<StepQuantity> quantities_of(const TracedKernel& kernel) {
    const simt::BlockCost& cost = kernel.trace.replay().cost();
    const simt::MemoryCost global = sum(cost, &simt::WarpCost::global), shared = sum(cost, &simt::WarpCost::shared);
    const Occupancy occupied = occupancy(kernel.plan.model, kernel.plan.launch());
    return {
        {"steps", format_count(static_cast<std::int64_t>(kernel.trace.size())), steps_meaning},
        {"multiplications", format_count(cost.multiplications), "That the block's threads did"},
        {"of dense work", dense_share(kernel),
         "Multiplications done, of those that the outputs would take of data without zeros: below 100 % some are "
         "skipped, above (2x) more are done than any output needs"},
        {"imbalance", imbalance(cost),
         "Most multiplications of a lane over the mean: a warp waits for its longest lane"},
        {"global requests", format_count(global.requests), "Loads and stores of whole warps"},
        {"sectors/request", ratio(global.sectors, global.requests), "Pieces of 32 bytes that one request moves"},
        {"wanted/moved",
         global.sectors == 0
             ? "-"
             : format_percent(static_cast<double>(global.bytes_wanted) / static_cast<double>(global.bytes_moved())),
         "Share of the bytes moved that a lane requested: 100 % is fully coalesced"},
        {"bank conflicts", format_count(shared.bank_conflicts),
         "Passes over shared memory that would not be there if no lanes wanted different words of one bank"},
        {"barriers", format_count(cost.barriers), "That the block passes"},
        {"occupancy", fmt::format("{:.0f} %", occupied.percent), "Theoretical, on the simulated H100"},
    };
}

constexpr const char* sum_meaning = "What its last multiply-add gave";
constexpr const char* products_meaning = "Multiplications that it has done so far";
constexpr const char* stored_meaning =
    "Elements that it has written so far: in the ECR methods its Ptr grows with F_data";

simt::ThreadState thread_state(const StepPosition& shown) {
    TracedBlock& trace = shown.kernel.trace;
    const std::size_t thread = std::min(shown.side.thread, trace.trace().threads() - 1);
    return trace.state(std::min(shown.side.done, trace.size())).threads[thread];
}

std::string sum_of(const simt::ThreadState& state) {
    return state.accumulator ? short_value(*state.accumulator, 9) : "-";
}

std::string method_name(const TracedKernel& kernel) {
    return fmt::format("{} {}", kernel.plan.launch().kernel, block_name(kernel.block, kernel.plan.launch().grid));
}

}  // namespace

void draw_thread_card(const StepPosition& shown) {
    TracedBlock& trace = shown.kernel.trace;
    const std::size_t done = std::min(shown.side.done, trace.size());
    const simt::ThreadState state = thread_state(shown);
    const std::string name = thread_name(shown.side.thread);
    heading(fmt::format("THREAD {} OF {}", name, method_name(shown.kernel)).c_str());
    fact("sum", sum_of(state), sum_meaning);
    fact("multiplications", format_count(state.multiplications), products_meaning);
    for (std::size_t i = 0; i < state.stored.size(); ++i)
        if (trace.arrays()[i].written)
            fact(("stored in " + trace.arrays()[i].facts.name).c_str(), format_count(state.stored[i]), stored_meaning);
    if (trace.stopped_at(done)) return note("The check stopped the block here.");
    const LaneState lane = lane_state(trace, done, shown.side.thread);
    note(lane == LaneState::active ? name + " is active in this step." : fmt::format("{} {}.", name, reason_of(lane)));
}

void draw_summary_card(const StepPosition& shown) {
    heading(fmt::format("{} IN SHORT", method_name(shown.kernel)).c_str());
    const simt::BlockCost& cost = shown.kernel.trace.replay().cost();
    fact("steps", format_count(static_cast<std::int64_t>(shown.kernel.trace.size())), steps_meaning);
    fact("memory requests", format_count(static_cast<std::int64_t>(cost.requests.size())),
         "Loads and stores of whole warps");
    fact("barriers", format_count(cost.barriers), "That the block passes");
    ImGui::Dummy({0, px(2)});
    for (const std::string& sentence : shown.kernel.summary) note(sentence + '.');
}

namespace {

/// A line of two numbers under each other's names.
void pair(const std::string& name, const std::string& first, const std::string& second, const char* meaning = nullptr) {
    const float width = ImGui::GetContentRegionAvail().x, column = px(64), start = ImGui::GetCursorPosX();
    {
        WithFont font(look().fonts->small);
        clipped_text(name.c_str(), width - 2 * column, look().theme->text_dim.u32());
    }
    if (meaning) tip(meaning);
    WithFont font(look().fonts->mono_small);
    for (const auto& [value, right_edge] : {std::pair{&first, width - column}, std::pair{&second, width}}) {
        ImGui::SameLine();
        ImGui::SetCursorPosX(start + right_edge - ImGui::CalcTextSize(value->c_str()).x);
        ImGui::TextUnformatted(value->c_str());
    }
}

/// The number of elements that the thread has stored so far in an array of this name; "-" where its kernel writes none.
std::string stored_in(const StepPosition& shown, const simt::ThreadState& state, const std::string& array) {
    for (std::size_t i = 0; i < state.stored.size(); ++i) {
        const StepArray& each = shown.kernel.trace.arrays()[i];
        if (each.written && each.facts.name == array) return format_count(state.stored[i]);
    }
    return "-";
}

}  // namespace

void draw_thread_pair(const StepPosition& first, const StepPosition& second) {
    heading("THREADS");
    const simt::ThreadState one = thread_state(first), two = thread_state(second);
    pair("", thread_name(first.side.thread), thread_name(second.side.thread));
    pair("sum", sum_of(one), sum_of(two), sum_meaning);
    pair("multiplications", format_count(one.multiplications), format_count(two.multiplications), products_meaning);
    std::vector<std::string> names;
    for (const StepPosition* shown : {&first, &second})
        for (const StepArray& array : shown->kernel.trace.arrays())
            if (array.written && std::find(names.begin(), names.end(), array.facts.name) == names.end())
                names.push_back(array.facts.name);
    for (const std::string& name : names)
        pair("in " + name, stored_in(first, one, name), stored_in(second, two, name), stored_meaning);
}

void draw_comparison_card(const StepPosition& first, const StepPosition& second) {
    heading("SIDE BY SIDE, ONE BLOCK EACH");
    const std::vector<StepQuantity> left = quantities_of(first.kernel), right = quantities_of(second.kernel);
    pair("", first.kernel.plan.method.id, second.kernel.plan.method.id);
    const auto blocks = [](const StepPosition& shown) {
        return "1 of " + format_count(shown.kernel.plan.launch().grid.count());
    };
    pair("blocks", blocks(first), blocks(second),
         "The figures are of the traced block alone: where one launch has more blocks than the other, each does a "
         "smaller share of the work");
    for (std::size_t i = 0; i < left.size(); ++i) pair(left[i].name, left[i].value, right[i].value, left[i].meaning);
}

}  // namespace convscope::app
