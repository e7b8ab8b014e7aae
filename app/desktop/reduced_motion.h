// Whether the desktop asks for less motion, as far as that can be read without its libraries.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

namespace convscope::app {

/// KDE's kdeglobals ([KDE] AnimationDurationFactor=0) and GTK's settings.ini (gtk-enable-animations=0 or false), in
/// the folder of the XDG configuration.
bool files_ask_for_less_motion(const std::filesystem::path& config);

/// Reads the files, then asks GNOME's gsettings where it is installed; on a thread of its own, as that takes a while.
class DesktopMotion {
public:
    DesktopMotion();
    bool less_motion() const { return less_motion_; }

private:
    std::atomic<bool> less_motion_ = false;
    std::jthread asking_;
};

}  // namespace convscope::app
