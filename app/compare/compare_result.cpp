#include "app/compare/compare_result.h"

#include <algorithm>
#include <set>

#include "app/compare/compare_pages.h"
#include "kernels/core/error.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

bool holds(const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
}

/// Keeps what was set where the records have it, else takes the first.
void settle(std::string& set, const std::vector<std::string>& list, std::size_t otherwise = 0) {
    if (holds(list, set)) return;
    set = list.empty() ? std::string() : list[std::min(otherwise, list.size() - 1)];
}

std::vector<std::string> scopes_of(const CompareData& data, const RowSet& shown) {
    const std::vector<std::string> there = distinct_cells(data.table, shown, compare_columns().scope);
    std::vector<std::string> list;
    for (const char* scope : {"kernel", "launch", "copies", "alloc", "setup"})
        if (holds(there, scope)) list.emplace_back(scope);
    return list;
}

/// The layer with the most rows in the chosen scope is the one that has been varied.
std::string busiest_layer(const ComparePageInput& in) {
    std::vector<std::size_t> count(in.data.layer_names.size());
    in.shown.each([&](std::size_t row) { count[in.data.layer[row]] += in.data.passed(row) ? 1 : 0; });
    const auto most = std::ranges::max_element(count);
    return most == count.end() ? std::string() : in.data.layer_names[static_cast<std::size_t>(most - count.begin())];
}

/// Each method has its own blocks: they are no race.
bool of_launch(const std::string& column) {
    return column.starts_with("block") || column.starts_with("grid") || column == "tunables" ||
           column == "occupancy_pct";
}

/// Two axes whose places are mostly measured; else layers by methods.
void set_map_axes(const ComparePageInput& in, const std::vector<std::string>& columns, CompareChoice& set) {
    if (holds(columns, set.map_x) && holds(columns, set.map_y)) return;
    const RowSet rows = in.timed();
    // Keeps the user's settings, and chooses the rest to match.
    const auto candidates = [&](const std::string& chosen) {
        return holds(columns, chosen) ? std::vector<std::string>{chosen} : columns;
    };
    for (const std::string& x : candidates(set.map_x))
        for (const std::string& y : candidates(set.map_y)) {
            const auto no_place = [](const std::string& column) {
                return column == "method" || column == "workspace_bytes" || column == "flops_dense" ||
                       column == "timing_scope" || of_launch(column);
            };
            if (x == y || no_place(x) || no_place(y) || x == "layer") continue;
            const CompareAxis along = make_compare_axis(in, rows, x, true), up = make_compare_axis(in, rows, y, true);
            std::set<std::pair<double, double>> places;
            rows.each([&](std::size_t row) { places.emplace(along.value(row), up.value(row)); });
            const std::size_t width = along.scale.names.size(), height = up.scale.names.size();
            const std::size_t least = y == "layer" ? 1 : 2;
            if (width < 3 || height < least || places.size() * 3 < width * height * 2) continue;
            set.map_x = x;
            set.map_y = y;
            return;
        }
    if (set.map_x == "layer" || set.map_y == "method") {
        set.map_x = "layer";
        set.map_y = "method";
        return;
    }
    set.map_x = "method";
    set.map_y = "layer";
}

void set_lists(const ComparePageInput& in, CompareResult& result, CompareChoice& set) {
    CompareLists& lists = result.lists;
    lists.scopes = scopes_of(in.data, in.shown);
    settle(set.scope, lists.scopes);
    lists.layers = layers_in(in, in.shown);
    if (!holds(lists.layers, set.layer) && set.page == "scopes") set.layer = most_changed_layer(in, lists.scopes);
    if (!holds(lists.layers, set.layer)) set.layer = busiest_layer(in);
    lists.xs = axis_columns(in);
    if (!holds(lists.xs, "layer")) lists.xs.emplace_back("layer");
    if (!holds(lists.xs, "method")) lists.xs.emplace_back("method");
    settle(set.x, lists.xs);
    set_map_axes(in, lists.xs, set);
    for (const char* name :
         {"time_median_us", "speedup_vs_vendor", "gflops", "gb_per_s", "workspace_bytes", "library_workspace_bytes",
          "occupancy_pct", "convert_us", "multiply_us", "noise_pct", "max_rel_err"})
        lists.ys.emplace_back(name);
    settle(set.y, lists.ys);
    lists.files = distinct_cells(in.data.table, in.shown, compare_columns().file);
    settle(set.before, lists.files);
    settle(set.after, lists.files, 1);
}

}  // namespace

std::shared_ptr<CompareResult> make_compare_result(const CompareRequest& request, const std::stop_token& stop) {
    auto result = std::make_shared<CompareResult>();
    const CompareData& data = *request.data;
    result->data = request.data;
    try {
        result->shown = rows_where(data.table, parse_query(request.choice.query));
    } catch (const Error& error) {
        result->problem = error.what();
        result->shown = RowSet(data.table.rows(), true);
    }
    if (stop.stop_requested()) return nullptr;
    CompareChoice& set = result->lists.set;
    set = request.choice;
    // A point measured again counts once; the table has every row, and two files may each have one of a point.
    RowSet counted = result->shown;
    if (set.page != "table" && set.page != "files") counted &= data.latest;
    const ComparePageInput in{data, set, counted};
    set_lists(in, *result, set);
    if (stop.stop_requested()) return nullptr;
    set.page->make(in, *result);
    for (Plot& plot : result->plots)
        if (plot.title.empty()) plot.title = data.title;
    return result;
}

}  // namespace convscope::app
