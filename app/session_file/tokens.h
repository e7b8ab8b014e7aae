// The words that a session file has for choices, and the names of a shape's fields there. They stay as they are,
// however the interface calls the same things.
#pragma once

#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "app/session.h"

namespace convscope::app {

const char* token(Tab);          ///< "lowering"
const char* token(Aggregate);    ///< "largest"
const char* token(LayerArray);   ///< "im2col"
const char* token(ComparePage);  ///< "scopes"
const char* token(SweepMetric);
const char* token(SweepPane);
const char* token(SweepKind);  ///< "block_x"
const char* token(RecordSource::Kind);
std::string token(View);  ///< the name in the toolbar in lower case: "layout"

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

struct ShapeField {
    const char* name;
    std::int64_t ConvShape::*member;
};
const std::array<ShapeField, 14>& shape_fields();

}  // namespace convscope::app
