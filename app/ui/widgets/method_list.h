// A drop-down list of a device's methods to tick: each with a picture of what it stores, its title, or, grey, why it
// cannot run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method/registry.h"

namespace convscope::app {

struct MethodList {
    std::string item_name;            ///< "sweep/methods"; each method is "sweep/ID"
    std::string shown, meaning;       ///< in the closed field; on hover
    std::vector<std::string> ticked;  ///< ids
    float width = 0;                  ///< of the closed field, in px
    /// Why a method cannot run what it would be ticked for; empty: it can.
    std::function<std::string(const Method&)> why_not;
    const Method* own = nullptr;  ///< a user's own kernel, before the others; null: none
};

/// The method that was ticked or unticked. 'search' are the words that the user looks for.
std::optional<std::string> method_list(const MethodList&, const Registry&, DeviceKind, std::string& search);

/// "PECR, one map: Xu 2019, Algorithms 3-4".
std::string title_and_paper(const MethodInfo&);

}  // namespace convscope::app
