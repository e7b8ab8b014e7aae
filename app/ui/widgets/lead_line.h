// The sentence that a page leads with: under its tabs, in the largest type, its number in the accent.
#pragma once

#include <string>

#include "visualizers/explain/lead.h"

namespace convscope::app {

/// The height of a lead that is known only when its page has been drawn: one line with its bar, or on a low page a
/// small one without.
float lead_height();
struct LeadPlace {
    float height = 0;           ///< that it keeps, with smaller text where it is long; 0: what its lines take
    float width = 0;            ///< 0: all of it
    std::string meaning = {};   ///< said on hover
    const char* item = "lead";  ///< what tests call it
    bool of_panel = false;      ///< of a part of the page, which has its own: in running text, the number bright
};
/// At the cursor. Under a number that states a share, a bar is parted by it: what remains, then what falls away, and
/// in the accent the one that the number states. Text without room is shown on hover.
void draw_lead(const Lead&, const LeadPlace& = {});

}  // namespace convscope::app
