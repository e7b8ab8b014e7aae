// How a user likes the app, and what of its own it has open, as plain data.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "visualizers/explain/notation.h"
#include "visualizers/theme/color_map.h"

namespace convscope::app {

/// Whether things may move by themselves.
enum class Motion { as_desktop, full, reduced };
inline constexpr int motion_count = 3;
const char* to_string(Motion);  ///< "as the desktop"

/// Kept between runs.
struct Preferences {
    Motion motion = Motion::as_desktop;
    ColorMap map = ColorMap::viridis;
    Notation notation = Notation::cudnn;  ///< of formulas and of the sizes under arrays
    bool binary_bytes = false;            ///< MiB of 2^20 bytes instead of MB of 10^6
    bool tour_seen = false;               ///< the first-run tour was taken or skipped
    std::vector<std::string> recent;      ///< commands run from the palette, by id, the newest first
    std::set<std::string> solved;         ///< exercises, by id
    std::string kernel_folder;            ///< of the .cu file that was opened last; empty: none yet
    bool operator==(const Preferences&) const = default;
};

/// A notice as the list of notices keeps it.
struct PastNotice {
    std::string text;
    std::string time;  ///< "14:03:12", local
    bool problem = false;
};

/// A copy requested by a key or the palette, in the next frame.
enum class CopyRequest { text, picture };

/// The card that is open above the panels; one at a time.
enum class Overlay { none, help, palette, scene_title, export_dialog, settings, about, notices, glossary };

struct DesktopState {
    Preferences preferences;
    bool desktop_reduces_motion = false;  ///< the desktop's own setting, where it can be read
    bool maximised = false;               ///< the present view has the whole window
    bool presenting = false;              ///< in front of an audience: the view alone, in large type
    bool panels_open = false;             ///< while presenting: for the tasks of a lesson
    float audience_zoom = 1;              ///< of the type's size while presenting
    bool timing_alone = false;            ///< while presenting: the live timing in the place of the layouts
    bool spotlight = true;                ///< while presenting: what is not linked steps back
    bool dialog_open = false;             ///< a file is being chosen, in a dialog of our own
    Overlay overlay = Overlay::none;
    std::optional<int> tour_stop;       ///< of the first-run tour; unset: it is not on
    std::vector<PastNotice> past;       ///< the oldest first
    std::size_t read = 0;               ///< entries of 'past' that the list has shown
    std::optional<CopyRequest> copy;    ///< done by the shell in the next frame
    std::string figure;                 ///< that 'Export' opens with; empty: the one that is pointed at
    std::optional<std::string> search;  ///< the text that the palette opens with
    std::string focus_requested;        ///< a panel that the keyboard is to go to, in the next frame

    void toggle(Overlay which) { overlay = overlay == which ? Overlay::none : which; }
    bool reduced_motion() const {
        return preferences.motion == Motion::reduced ||
               (preferences.motion == Motion::as_desktop && desktop_reduces_motion);
    }
};

/// Keeps a notice for the list, with the time of day; only the latest 200.
void note_down(DesktopState&, const std::string& text, bool problem);
inline constexpr int tour_stops = 6;  ///< of the first-run tour
/// Remembers that the palette ran this: the newest first, each once, at most twelve.
void remember(Preferences&, const std::string& id);

}  // namespace convscope::app
