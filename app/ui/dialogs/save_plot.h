// Saves what is on the screen: notes plots as figures, words their captions, writes data. Each asks for the file,
// beginning with what the session's paths say; the session says what became of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/widgets/frame.h"
#include "kernels/method/registry.h"
#include "kernels/records/record.h"
#include "visualizers/plot_views/plot_view.h"

namespace convscope::app {

/// How a plot is called where it is saved. The functions are called only then, not in every frame.
struct PlotName {
    std::string file;                        ///< tells its files apart: "sweep-lines" in "convscope.sweep-lines.svg"
    std::function<std::string()> about;      ///< what its rows are of, below its title
    std::string name = {};                   ///< tells it from others on the screen; empty: its title, or its axes
    std::function<std::string()> held = {};  ///< what it holds at one value: "zeros 95 %"
    int width = 0, height = 0;               ///< of the image, in units of 1/96 inch; 0: as on the screen
};

/// A plot that has just been shown in the present window: notes it as a figure, and does what was chosen in its menu
/// with its data. 'csv' makes these, where that is more than what is drawn.
void offer_plot(Session&, FileDialogs&, const PlotResult&, const Plot&, const PlotState&, const PlotEmphasis&,
                const PlotName&, const std::function<std::string()>& csv = {});
void save_plot_data(Session&, FileDialogs&, const PlotToSave&);

/// "vgg19/conv5_1, 1x512x14x14 ..., zeros 85 %; NVIDIA H100, 26 Nov 2026": the layer and the device that are chosen.
/// Without the zeros where a lesson asks for them.
std::string about_layer(const Frame&);
/// "NVIDIA H100, 26 Nov 2026".
std::string about_device(const Session&, const Registry&);
/// The same of what was measured: "vgg19/conv5_1; NVIDIA H100, 2026-11-26".
std::string about_record(const Record&);

/// "a/convscope.F_data-of-B1.svg" next to "a/convscope.png": where something of this name is saved.
std::string path_of(const std::string& base, const std::string& name, const std::string& ending);
/// Asks for a file, beginning with 'path' ("a/b.csv"), and calls 'then' with its whole path; again where that throws
/// Error.
void ask_for_file(Session&, FileDialogs&, const std::string& path, std::function<void(const std::string&)> then);
/// The same, and says that it is saved.
void ask_and_write(Session&, FileDialogs&, const std::string& path, std::function<void(const std::string&)> write);
void save_text(Session&, FileDialogs&, const std::string& path, std::string text);
/// "a/convscope.svg" of "a/convscope.png".
std::string with_ending(const std::string& path, const std::string& ending);

}  // namespace convscope::app
