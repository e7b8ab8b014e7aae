// File dialogs by the desktop's portal, org.freedesktop.portal.FileChooser, over the session's D-Bus.
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
#pragma once

#include <stop_token>
#include <string>

#include "app/ui/dialogs/file_question.h"

namespace convscope::app {

/// Asks and waits for the answer: for a thread that nobody waits for. When stopped, it closes the dialog and answers
/// 'cancelled'. 'unavailable' where libsystemd, the bus, the portal or its file chooser is missing. 'window' is the
/// parent's name for the portal: "x11:3a00007"; empty: none.
FileAnswer ask_portal(const FileQuestion&, const std::string& window, const std::stop_token&);

/// The path of a "file://" URI, with its escapes read; empty for any other.
std::filesystem::path path_of_uri(const std::string& uri);

}  // namespace convscope::app
