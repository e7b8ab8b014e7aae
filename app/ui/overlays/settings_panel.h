// How a user likes the app: size, colours, motion, units, panels; and the folders it uses. Kept between runs.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class SettingsPanel {
public:
    void draw(Frame&);

private:
    void appearance(Session&);
    void values(Session&);
    void panels(Session&);
    void folders(Session&);
};

}  // namespace convscope::app
