// Everything of the app itself that opens above the panels.
#pragma once

#include "app/ui/overlays/about.h"
#include "app/ui/overlays/first_tour.h"
#include "app/ui/overlays/glossary.h"
#include "app/ui/overlays/help.h"
#include "app/ui/overlays/notices.h"
#include "app/ui/overlays/palette.h"
#include "app/ui/overlays/settings_panel.h"

namespace convscope::app {

class Overlays {
public:
    /// 'regions' are for the tour and the notices.
    void draw(Frame& frame, History& history, const Regions& regions) {
        help_.draw(frame);
        palette_.draw(frame, history);
        settings_.draw(frame);
        about_.draw(frame);
        glossary_.draw(frame);
        list_.draw(frame);
        if (!overlay_open(frame.session)) tour_.draw(frame, regions);
        notices_.draw(frame, regions.view);
    }

    const Notices& notices() const { return notices_; }

private:
    HelpOverlay help_;
    Palette palette_;
    SettingsPanel settings_;
    About about_;
    Glossary glossary_;
    NoticeList list_;
    FirstTour tour_;
    Notices notices_;
};

}  // namespace convscope::app
