// What the present view shows, in a few sentences: the words of the help overlay.
#pragma once

#include "app/session.h"

namespace convscope::app {

struct Explanation {
    const char* title;
    const char* text;
};

Explanation explain(const Session&);

}  // namespace convscope::app
