#include "app/lessons/names.h"

#include <algorithm>

#include "app/compare/compare_choice.h"
#include "app/lessons/shown_formats.h"
#include "app/session/tab_id.h"
#include "app/session/view_id.h"
#include "kernels/core/device_model.h"
#include "kernels/formats/sparse_format.h"
#include "kernels/layers/format_matrix.h"
#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"

namespace convscope::lessons {
namespace {

/// Next to the fields of the shape.
constexpr Name other_names[] = {
    {"p", "shape", "height of the convolution's output"},
    {"q", "shape", "width of the convolution's output"},
    {"out_h", "shape", "height of what the layer returns: pooled, where it pools"},
    {"out_w", "shape", "width of what the layer returns"},
    {"pool", "shape", "height of the pooling window; 0 without pooling"},
    {"seed", "shape", "of the data"},
    {"sparsity", "data", "share of zeros in x, measured, 0 to 1"},
    {"weight_sparsity", "data", "share of zeros in w, measured, 0 to 1"},
    {"map_sparsity", "data", "share of zeros in the shown map, 0 to 1"},
    {"theta", "data", "zeros in percent over the map's width (Xu 2019, Fig. 11)"},
    {"image", "data", "index of the shown image of the batch"},
    {"channel", "data", "index of the shown channel"},
    {"filter", "data", "index of the shown filter"},
    {"dense", "work", "multiplications of one map and one filter (Xu 2019, Eq. 1)"},
    {"needed", "work", "those with a value of x that is not zero"},
    {"skipped", "work", "share of the multiplications that are not needed, 0 to 1"},
    {"dense_adds", "work", "additions of one map and one filter (Xu 2019, Eq. 2)"},
    {"needed_adds", "work", "one fewer than the products of each window"},
    {"flops_dense", "work", "of the whole layer, 2 per multiply-add"},
    {"flops_effective", "work", "of the whole layer, those with an input that is not zero"},
    {"occupancy", "launch", "percent, of the chosen method's main kernel, predicted"},
    {"registers", "launch", "per thread"},
    {"shared_bytes", "launch", "shared memory of a block"},
    {"threads", "launch", "of a block"},
    {"blocks", "launch", "of the grid"},
    {"limit_blocks", "launch", "blocks that fit on one SM at once"},
    {"block_x", "launch", "extent of a block along x"},
    {"block_y", "launch", "extent of a block along y"},
    {"block_z", "launch", "extent of a block along z"},
    {"moment", "step", "steps done in the Step view"},
    {"moments", "step", "steps of the block from its start to its end"},
    {"active_lanes", "step", "lanes of the warp that take part in this step"},
    {"sectors", "step", "32-byte sectors that this step's request moves; 0 where it asks for none"},
    {"wavefronts", "step",
     "wavefronts over the banks of shared memory that this step takes; 0 where it is not such an access"},
    {"conflicts", "step", "bank conflicts of this step: wavefronts for which a bank has to serve another word"},
    {"block_requests", "step", "requests to global memory of the whole block"},
    {"block_sectors", "step", "sectors that they move"},
    {"block_wanted", "step", "bytes that its lanes requested in global memory"},
    {"block_conflicts", "step", "wavefronts beyond one a request, of the whole block"},
    {"block_multiplications", "step", "multiplications of the whole block"},
    {"block_barriers", "step", "barriers that the block passes"},
    {"race", "step", "1 when a check ended the run before the block's end"},
    {"running", "app", "1 while the live measurement runs"},
    {"exercise_solved", "app", "1 while the Kernel view shows a kernel that solves its exercise"},
};

/// The ids of all rows of a table but one.
template <class Table>
std::vector<std::string> ids(const Table& table, std::string_view but = {}) {
    std::vector<std::string> all;
    for (const auto& row : table)
        if (row.id != but) all.emplace_back(row.id);
    return all;
}

}  // namespace

const std::vector<Name>& names() {
    static const std::vector<Name> list = [] {
        std::vector<Name> all;
        for (const ShapeField& field : shape_fields) all.push_back({field.name, "shape", field.meaning});
        all.insert(all.end(), std::begin(other_names), std::end(other_names));
        return all;
    }();
    return list;
}

const std::array<Function, function_count>& functions() {
    using enum WordKind;
    static const std::array<Function, function_count> list{{
        {"elements", array, 0, "layouts", "elements in use of an array, of the shown map and filter"},
        {"bytes", array, 0, "layouts", "memory of x, w, y, im2col or L of the whole layer; of other arrays as shown"},
        {"value", array, 1, "layouts", "element i in use, counted row by row from 0"},
        {"value2", array, 2, "layouts", "element at row, column"},
        {"copies", matrix, 2, "layouts", "how often x[y, x] of the shown map stands in it"},
        {"ptr", none, 1, "layouts", "Ptr of window i: the values it keeps"},
        {"workspace", method, 0, "layouts", "bytes that a method needs besides x, w and y, predicted"},
        {"time", method, 0, "measured", "median in us"},
        {"ratio", method, 0, "measured", "speed-up over the vendor's best"},
        {"error", method, 0, "measured", "largest relative error against the reference"},
        {"noise", method, 0, "measured", "of the samples, percent"},
        {"status", method, 0, "measured", "1 passed, 0 anything else"},
        {"recorded", rows, 0, "recorded", "number in a column of the one recorded row that meets a query"},
        {"recorded_sum", rows, 0, "recorded", "the same column added up over all rows that meet it"},
        {"quantity", quantity, 0, "launch", "of the chosen method's plan, for the GPU that occupancy is computed for"},
        {"view", view, 0, "app", "1 while this view is shown"},
        {"tab", tab, 0, "app", "1 while the Layout view shows this page"},
        {"method", method, 0, "app", "1 while it is the chosen method"},
        {"device", device, 0, "app", "1 while this kind of device is chosen"},
        {"scope", scope, 0, "app", "1 while this timing scope is chosen"},
        {"cache", cache, 0, "app", "1 while this cache mode is chosen; in the Compare view, while its plots hold it"},
        {"page", page, 0, "app", "1 while the Compare view shows this page"},
        {"preset", preset, 0, "app", "1 while this preset is the layer"},
        {"model", model, 0, "app", "1 while the occupancy is computed for this GPU"},
        {"pointed", array, 1, "app", "1 while element i (as value counts) is pointed at"},
        {"pointed2", array, 2, "app", "1 while the element at row, column is pointed at"},
        {"format_bytes", format, 0, "formats",
         "bytes of what the Formats page shows of its matrix; of \"dense\" as well"},
        {"whole_bytes", format, 0, "formats", "bytes of the whole matrix of the shown image; up to 2^22 elements"},
        {"weights_kept", weight_pattern, 0, "data",
         "of the sum of the squares of w, the share that is left after pruning so, at the share that is set, 2:4 at "
         "its "
         "half; up to 2^22 elements"},
        {"format_elements", format_array, 0, "formats", "elements of an array of a format, on that page"},
        {"format_value", format_array, 1, "formats", "its element i, counted from 0"},
        {"format_saves_at", format, 0, "formats",
         "share of zeros from which on the whole matrix takes fewer bytes than dense; up to 2^16 elements"},
        {"format", format, 0, "app", "1 while the Formats page shows this format alone"},
        {"matrix", matrix_of, 0, "app", "1 while the Formats page shows x, im2col or w"},
    }};
    return list;
}

bool is_name(const std::string& name) {
    const auto same = [&](const auto& each) { return each.name == name; };
    return std::ranges::any_of(names(), same) || std::ranges::any_of(functions(), same);
}

const std::vector<std::string>& words(WordKind kind) {
    using List = std::vector<std::string>;
    static const List arrays{"x",      "w",      "y",   "conv", "im2col", "L",    "mec",
                             "F_data", "K_data", "Ptr", "Data", "Index",  "Count"};
    static const List matrices{"im2col", "mec"};
    static const List views = ids(app::view_table, "lessons"), tabs = ids(app::tab_table),
                      devices{"cpu", "sim", "cuda"};
    static const List scopes{"kernel", "launch", "copies", "alloc", "setup"}, caches{"hot", "cold"}, none;
    static const List pages = ids(app::compare_page_table);
    static const List presets = [] {
        List list;
        for (const Preset& preset : all_presets()) list.push_back(preset.spec.name);
        return list;
    }();
    static const List formats = [] {
        List list = sparse_format_names();
        list.insert(list.begin(), "dense");
        return list;
    }();
    static const List matrices_of = [] {
        List list;
        for (const MatrixOf of : all_matrices) list.emplace_back(convscope::to_string(of));
        return list;
    }();
    static const List prune_patterns = weight_pattern_names();
    static const List models = [] {
        List list;
        for (const DeviceModel& model : device_models()) list.push_back(model.name);
        return list;
    }();
    switch (kind) {
        case WordKind::array:
            return arrays;
        case WordKind::matrix:
            return matrices;
        case WordKind::view:
            return views;
        case WordKind::tab:
            return tabs;
        case WordKind::device:
            return devices;
        case WordKind::scope:
            return scopes;
        case WordKind::cache:
            return caches;
        case WordKind::page:
            return pages;
        case WordKind::preset:
            return presets;
        case WordKind::model:
            return models;
        case WordKind::format:
            return formats;
        case WordKind::format_array:
            return format_array_names();
        case WordKind::matrix_of:
            return matrices_of;
        case WordKind::weight_pattern:
            return prune_patterns;
        case WordKind::method:
        case WordKind::rows:
        case WordKind::quantity:
        case WordKind::none:
            break;
    }
    return none;
}

const char* to_string(WordKind kind) {
    switch (kind) {
        case WordKind::array:
            return "an array";
        case WordKind::matrix:
            return "a lowered matrix";
        case WordKind::method:
            return "a method";
        case WordKind::view:
            return "a view";
        case WordKind::tab:
            return "a tab";
        case WordKind::device:
            return "a kind of device";
        case WordKind::scope:
            return "a timing scope";
        case WordKind::cache:
            return "a cache mode";
        case WordKind::page:
            return "a page of the Compare view";
        case WordKind::preset:
            return "a preset";
        case WordKind::model:
            return "a GPU";
        case WordKind::rows:
            return "a question to the recorded sessions";
        case WordKind::quantity:
            return "a quantity of a plan";
        case WordKind::format:
            return "a sparse format";
        case WordKind::format_array:
            return "an array of a sparse format";
        case WordKind::matrix_of:
            return "a matrix of the Formats page";
        case WordKind::weight_pattern:
            return "a pattern of pruned weights";
        case WordKind::none:
            break;
    }
    return "";
}

}  // namespace convscope::lessons
