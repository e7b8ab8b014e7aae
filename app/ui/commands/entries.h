// The palette's entries: every command, and everything that can be picked by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/ui/commands/commands.h"

namespace convscope::app {

struct PaletteEntry {
    std::string id;      ///< remembered when it was run: "Preset vgg19/conv1_1"
    std::string kind;    ///< "Preset"
    std::string title;   ///< "vgg19/conv1_1"
    std::string detail;  ///< "1x3x224x224 ..."; may be empty
    std::string keys;    ///< "Ctrl+K"; may be empty
    std::string reason;  ///< why it cannot be done now; empty when it can
    std::function<void(Frame&, History&)> run;
    std::string synonyms{};  ///< found by, not shown
};

/// Commands, scenes, recent sessions, presets, networks, methods, devices, lessons, exercises, and the figures on the
/// screen, as they are now.
std::vector<PaletteEntry> palette_entries(Frame&, const History&);

/// Places in 'entries', the best first: what is called as it was typed, with or without its kind; then what answers the
/// search, what was run lately before the rest.
std::vector<std::size_t> palette_order(const std::vector<PaletteEntry>& entries, const std::string& search,
                                       const std::vector<std::string>& recent);

}  // namespace convscope::app
