// What a person has set in the Compare view, as plain data.
#pragma once

#include <map>
#include <string>

namespace convscope::app {

enum class ComparePage { lines, scopes, roofline, memory, winners, theta, files, table };
inline constexpr int compare_page_count = 8;
const char* to_string(ComparePage);   ///< "Speed-up by scope", as the tab prints it
const char* meaning_of(ComparePage);  ///< one sentence

/// Empty strings stand for what suits the records.
struct CompareChoice {
    ComparePage page = ComparePage::scopes;
    std::string query;         ///< row_query.h
    std::string scope;         ///< timing scope
    std::string layer;         ///< the layer that is looked at closely
    std::string x, y;          ///< columns of the page 'lines'
    std::string map_x, map_y;  ///< columns of the map of winners
    bool dense = false;        ///< roofline: count skipped multiply-adds too
    std::string sort;          ///< column of the table; empty: the order of the file
    bool descending = false;
    std::string before, after;                ///< files that are compared
    std::map<std::string, std::string> held;  ///< cells that plots are held at, by column; else what suits
    bool operator==(const CompareChoice&) const = default;
};

}  // namespace convscope::app
