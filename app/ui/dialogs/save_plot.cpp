#include "app/ui/dialogs/save_plot.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/text_file.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::app {
namespace {

std::string with_ending(const std::string& path, const std::string& ending) {
    return std::filesystem::path(path).replace_extension(ending).string();
}

/// The next file is looked for where this one went.
void remember_folder(std::string& path, const std::filesystem::path& chosen) {
    path = (chosen.parent_path() / std::filesystem::path(path).filename()).string();
}

FileQuestion question(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    const char* title = ending == ".csv" ? "Save the data" : "Save the picture";
    return {FileQuestion::Kind::save, title, path, {{ending.substr(1) + " files", {"*" + ending}}}, false, ending};
}

/// 'write' may throw Error; 'later': it says itself when it is done.
void ask_and_write(Session& session, FileDialogs& dialogs, const std::string& path,
                   std::function<void(const std::string&)> write, bool later) {
    dialogs.ask(session, question(path), [&session, write = std::move(write), later](const auto& files) {
        const std::string chosen = files.front().string();
        const bool data = files.front().extension() == ".csv";
        try {
            write(chosen);
            remember_folder(data ? session.csv_path : session.png_path, files.front());
            if (!later) notify(session, "Saved " + chosen);
        } catch (const Error& error) {
            notify(session, error.what(), true);
        }
    });
}

/// What a plot's picture is made of, for when the plot itself may be another.
struct PlotCopy {
    Plot plot;
    PlotState state;
    PlotPage page;
    std::vector<bool> chosen;
    PlotEmphasis emphasis;

    PlotEmphasis own_emphasis() const {
        PlotEmphasis own = emphasis;
        if (own.chosen) own.chosen = &chosen;
        return own;
    }
};

std::function<void(const std::string&)> png_writer(const Plot& plot, const PlotState& state, const PlotPage& page,
                                                   const PlotEmphasis& emphasis) {
    const auto copy = std::make_shared<const PlotCopy>(
        PlotCopy{plot, state, page, emphasis.chosen ? *emphasis.chosen : std::vector<bool>(), emphasis});
    return [copy](const std::string& path) {
        write_plot_png(copy->plot, copy->state, copy->page, path, 2, copy->own_emphasis());
    };
}

}  // namespace

void save_text(Session& session, FileDialogs& dialogs, const std::string& path, std::string text) {
    ask_and_write(
        session, dialogs, path, [text = std::move(text)](const std::string& chosen) { write_text_file(chosen, text); },
        false);
}

void save_png(Session& session, FileDialogs& dialogs, const std::string& path, const Plot& plot, const PlotState& state,
              const PlotPage& page, const PlotEmphasis& emphasis) {
    ask_and_write(session, dialogs, path, png_writer(plot, state, page, emphasis), false);
}

void save_plot(Session& session, FileDialogs& dialogs, PlotRequest request, const PlotOutputs& outputs) {
    try {
        switch (request) {
            case PlotRequest::none:
                return;
            case PlotRequest::save_png:
                return ask_and_write(session, dialogs, with_ending(session.png_path, outputs.name + ".png"),
                                     outputs.png, outputs.png_later);
            case PlotRequest::save_svg:
                return save_text(session, dialogs, with_ending(session.png_path, outputs.name + ".svg"), outputs.svg());
            case PlotRequest::save_csv:
                return save_text(session, dialogs, with_ending(session.csv_path, outputs.ending), outputs.csv());
            case PlotRequest::copy_csv:
                ImGui::SetClipboardText(outputs.csv().c_str());
                return notify(session, "Copied " + outputs.what + " as CSV");
            case PlotRequest::copy_command:
                ImGui::SetClipboardText(outputs.command.c_str());
                return notify(session, "Copied: " + outputs.command);
        }
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

void save_plot(Session& session, FileDialogs& dialogs, const PlotResult& result, const Plot& plot,
               const PlotState& state, const PlotEmphasis& emphasis, const std::string& name) {
    if (result.request == PlotRequest::none) return;
    const float scale = look().scale;
    const PlotPage page{std::max(480, static_cast<int>(result.width / scale)),
                        std::max(320, static_cast<int>(result.height / scale)), look().theme};
    PlotOutputs outputs{"the plot's data", "." + name + ".csv", {}, false, {}, {}, plot.command, "." + name};
    if (result.request == PlotRequest::save_png) outputs.png = png_writer(plot, state, page, emphasis);
    outputs.svg = [&] { return plot_svg(plot, state, page, emphasis); };
    outputs.csv = [&] { return plot_csv(plot); };
    save_plot(session, dialogs, result.request, outputs);
}

}  // namespace convscope::app
