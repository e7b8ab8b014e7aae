// Copying a table by right click, and where its cells come from.
#pragma once

#include <functional>

#include "app/compare/compare_result.h"
#include "app/ui/widgets/frame.h"
#include "app/ui/widgets/text_table.h"

namespace convscope::app {

/// A menu on a right click into the item that was submitted last, or into the present window where it is not one:
/// copies the table as TSV, CSV or Markdown. 'make' is called when one of them was picked.
void table_menu(Session&, const char* id, const std::function<TextTable()>& make);

/// The same where another has seen the right click: 'requested' is true in that frame.
void table_menu(Session&, const char* id, bool requested, const std::function<TextTable()>& make);

/// The rows and the columns that Compare's table shows, with all digits.
TextTable compared_table(const CompareResult&);
/// The results of the live measurement, a row for each method, with units in the header. Failures with their reasons.
TextTable live_table(const LiveSnapshot&);

}  // namespace convscope::app
