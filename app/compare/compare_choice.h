// The user's settings in the Compare view, as plain data.
#pragma once

#include <array>
#include <map>
#include <string>

#include "kernels/core/one_of.h"

namespace convscope::app {

struct ComparePageInput;
struct CompareResult;

// Each in the file of its name.
void lines_page(const ComparePageInput&, CompareResult&);
void scopes_page(const ComparePageInput&, CompareResult&);
void roofline_page(const ComparePageInput&, CompareResult&);
void memory_page(const ComparePageInput&, CompareResult&);
void winners_page(const ComparePageInput&, CompareResult&);
void theta_page(const ComparePageInput&, CompareResult&);
void files_page(const ComparePageInput&, CompareResult&);
void table_page(const ComparePageInput&, CompareResult&);

/// A field above a page's plots.
enum class PageField { none, x, y, map_x, map_y, layer, scope, counting, before, after };
struct PlacedField {
    PageField field = PageField::none;
    float width = 0;  ///< at scale 1; 0: as wide as what is in it
};

/// A page: plots and sentences made of records.
struct ComparePageInfo {
    const char* id;       ///< in session files and lessons: "scopes"
    const char* name;     ///< in the tab bar: "What is timed"
    const char* meaning;  ///< one sentence without its full stop
    void (*make)(const ComparePageInput&, CompareResult&);
    std::array<PlacedField, 4> fields{};
};

inline constexpr ComparePageInfo compare_page_table[] = {
    {"lines",
     "Lines",
     "Any measurement over any axis, with its quartiles",
     lines_page,
     {{{PageField::x, 144}, {PageField::y, 152}, {PageField::layer, 176}, {PageField::scope}}}},
    {"scopes",
     "What is timed",
     "How the speed-up over the vendor depends on what is timed, and where the time goes",
     scopes_page,
     {{{PageField::scope}, {PageField::layer, 208}}}},
    {"roofline",
     "Roofline",
     "Rates against what the device's arithmetic and memory allow",
     roofline_page,
     {{{PageField::scope}, {PageField::counting, 120}}}},
    {"memory", "Memory", "What each method needs besides x, w and y (Cho & Brand 2017, Fig. 4)", memory_page},
    {"winners",
     "Who wins",
     "The fastest method over two axes, and from how many zeros on a method beats the vendor",
     winners_page,
     {{{PageField::map_x, 144}, {PageField::map_y, 144}, {PageField::layer, 160}, {PageField::scope}}}},
    {"theta",
     "Theta",
     "Theta = sparsity / size and the speed-up over the vendor (Xu 2019, Fig. 11)",
     theta_page,
     {{{PageField::scope}}}},
    {"files",
     "Two files",
     "The same measurements in two files: improved, worse, or not to be told apart",
     files_page,
     {{{PageField::before, 224}, {PageField::after, 224}}}},
    {"table", "Table", "Every row, sorted and searched", table_page},
};
using ComparePage = OneOf<compare_page_table>;

/// Empty strings are automatic: what fits the records.
struct CompareChoice {
    ComparePage page = "lines";
    std::string query;         ///< row_query.h
    std::string scope;         ///< timing scope
    std::string layer;         ///< the layer that is looked at closely
    std::string x, y;          ///< columns of the page 'lines'
    std::string map_x, map_y;  ///< columns of the map of winners
    bool dense = false;        ///< roofline: count skipped multiply-adds too
    std::string sort;          ///< column of the table; empty: the order of the file
    bool descending = false;
    std::string before, after;                 ///< files that are compared
    std::map<std::string, std::string> fixed;  ///< cells that plots are fixed at, by column; else automatic
    bool operator==(const CompareChoice&) const = default;
};

}  // namespace convscope::app
