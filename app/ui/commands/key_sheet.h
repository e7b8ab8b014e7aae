// The keys of the app by groups, made from the table of commands: the sheet under F1, and docs/keys.md.
#pragma once

#include <string>
#include <vector>

#include "app/session/session.h"

namespace convscope::app {

struct SheetRow {
    std::string keys, what;
};
struct SheetGroup {
    std::string title;
    std::vector<SheetRow> rows;
};

/// The keys by group: first those of this view, then those that work everywhere.
std::vector<SheetGroup> key_sheet(ViewId);
/// All keys of all views.
std::vector<SheetGroup> key_sheet();
/// docs/keys.md.
std::string key_sheet_markdown();

}  // namespace convscope::app
