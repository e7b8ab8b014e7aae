// The words that a session file has for choices. They stay as they are, however the interface calls the same things.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/session/session_state.h"
#include "app/session/sweep_axes.h"

namespace convscope::app {

/// The words of an enum that counts up from 0.
template <class Enum>
inline constexpr std::array<const char*, 0> tokens{};
template <>
inline constexpr std::array tokens<Aggregate>{"share", "largest", "mean"};
template <>
inline constexpr std::array tokens<LineCount>{"lanes", "instructions", "sectors", "wavefronts"};
template <>
inline constexpr std::array tokens<SweepMetric>{"time",         "speedup",  "rate",    "multiplications", "of_dense",
                                                "instructions", "requests", "sectors", "bank_conflicts",  "occupancy"};
template <>
inline constexpr std::array tokens<SweepPane>{"all", "lines", "map", "occupancy", "parallel"};
template <>
inline constexpr std::array tokens<RecordSource::Kind>{"automatic", "this_run", "recorded", "files"};
static_assert(tokens<Aggregate>.size() == aggregate_count && tokens<LineCount>.size() == line_count_count);
static_assert(tokens<SweepMetric>.size() == sweep_metric_count && tokens<SweepPane>.size() == sweep_pane_count);

template <class Enum>
requires(!tokens<Enum>.empty()) const char* token(Enum value) {
    return tokens<Enum>[static_cast<std::size_t>(value)];
}
inline const char* token(LayerArray array) {
    return to_string(array);
}
inline const char* token(ArrayId array) {
    return to_string(array);
}
/// The id of a table's row.
template <const auto& table>
const char* token(OneOf<table> one) {
    return one->id;
}

template <class Choice>
inline constexpr std::size_t token_count = tokens<Choice>.size();
template <>
inline constexpr std::size_t token_count<LayerArray> = layer_array_count;
template <>
inline constexpr std::size_t token_count<ArrayId> = array_count;
template <>
inline constexpr std::size_t token_count<SweepKind> = sweep_kind_count;
template <const auto& table>
inline constexpr std::size_t token_count<OneOf<table>> = OneOf<table>::count;

template <class Choice>
concept HasTokens = (token_count<Choice> > 0);

template <class Choice>
struct Named {
    std::string name;
    Choice value;
};
/// All values of an enum, or all rows of a table, by their tokens.
template <HasTokens Choice>
std::vector<Named<Choice>> all_named() {
    std::vector<Named<Choice>> all;
    for (std::size_t i = 0; i < token_count<Choice>; ++i) {
        Choice value;
        if constexpr (std::is_enum_v<Choice>)
            value = static_cast<Choice>(i);
        else
            value = Choice::at(i);
        all.push_back({token(value), value});
    }
    return all;
}

}  // namespace convscope::app
