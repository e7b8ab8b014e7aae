// The words that a session file has for choices. They stay as they are, however the interface calls the same things.
#pragma once

#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/session/sweep_axes.h"

namespace convscope::app {

const char* token(Aggregate);   ///< "largest"
const char* token(LayerArray);  ///< "im2col"
const char* token(LineCount);
const char* token(SweepMetric);
const char* token(SweepPane);
const char* token(RecordSource::Kind);
/// The id of a table's row.
template <const auto& table>
const char* token(OneOf<table> one) {
    return one->id;
}

/// All values of an enum that counts up from 0, by their tokens.
template <class Enum>
struct Named {
    std::string name;
    Enum value;
};
template <class Enum>
std::vector<Named<Enum>> all_named(int count) {
    std::vector<Named<Enum>> all;
    for (int i = 0; i < count; ++i) all.push_back({token(static_cast<Enum>(i)), static_cast<Enum>(i)});
    return all;
}

/// All rows of a table.
template <class Choice>
std::vector<Named<Choice>> all_named() {
    std::vector<Named<Choice>> all;
    for (std::size_t i = 0; i < Choice::count; ++i) all.push_back({Choice::at(i)->id, Choice::at(i)});
    return all;
}

}  // namespace convscope::app
