#include "app/ui/dialogs/save_plot.h"

#include <fmt/format.h>
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
    const char* title = ending == ".csv" ? "Save the data" : "Save the image";
    return {FileQuestion::Kind::save, title, path, {{ending.substr(1) + " files", {"*" + ending}}}, false, ending};
}

/// 'write' may throw Error.
void ask_and_write(Session& session, FileDialogs& dialogs, const std::string& path,
                   std::function<void(const std::string&)> write) {
    dialogs.ask(session, question(path), [&session, write = std::move(write)](const auto& files) {
        const std::string chosen = files.front().string();
        const bool data = files.front().extension() == ".csv";
        try {
            write(chosen);
            remember_folder(data ? session.csv_path : session.png_path, files.front());
            notify(session, "Saved " + chosen);
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

/// Of the latest frame that drew any.
struct DrawnInFrame {
    int frame = -1;
    std::vector<DrawnPlot> plots;
};
DrawnInFrame& drawn() {
    static DrawnInFrame latest;
    if (latest.frame != ImGui::GetFrameCount()) latest.plots.clear();
    latest.frame = ImGui::GetFrameCount();
    return latest;
}

}  // namespace

const std::vector<DrawnPlot>& drawn_plots() {
    return drawn().plots;
}

void note_drawn(const Session& session, DrawnPlot plot) {
    if (session.export_open) drawn().plots.push_back(std::move(plot));
}

void save_text(Session& session, FileDialogs& dialogs, const std::string& path, std::string text) {
    ask_and_write(session, dialogs, path,
                  [text = std::move(text)](const std::string& chosen) { write_text_file(chosen, text); });
}

void save_png(Session& session, FileDialogs& dialogs, const std::string& path, const Plot& plot, const PlotState& state,
              const PlotPage& page, const PlotEmphasis& emphasis) {
    ask_and_write(session, dialogs, path, png_writer(plot, state, page, emphasis));
}

void save_plot(Session& session, FileDialogs& dialogs, const PlotResult& result, const Plot& plot,
               const PlotState& state, const PlotEmphasis& emphasis, const std::string& name,
               const std::function<std::string()>& csv) {
    const float scale = look().scale;
    const PlotPage page{std::max(480, static_cast<int>(result.width / scale)),
                        std::max(320, static_cast<int>(result.height / scale)), look().theme};
    const std::string words = !plot.title.empty()   ? plot.title
                              : plot.y.name.empty() ? name
                                                    : fmt::format("{} over {}", plot.y.name, plot.x.name);
    note_drawn(session, {words, plot, state, page, {}});
    const auto data = [&] { return csv ? csv() : plot_csv(plot); };
    const auto path = [&](const std::string& beside, const char* ending) {
        return with_ending(beside, fmt::format(".{}{}", name, ending));
    };
    switch (result.request) {
        case PlotRequest::none:
            return;
        case PlotRequest::save_png:
            return save_png(session, dialogs, path(session.png_path, ".png"), plot, state, page, emphasis);
        case PlotRequest::save_svg:
            return save_text(session, dialogs, path(session.png_path, ".svg"), plot_svg(plot, state, page, emphasis));
        case PlotRequest::save_csv:
            return save_text(session, dialogs, path(session.csv_path, ".csv"), data());
        case PlotRequest::copy_csv:
            ImGui::SetClipboardText(data().c_str());
            return notify(session, "Copied the plot's data as CSV");
        case PlotRequest::copy_command:
            ImGui::SetClipboardText(plot.command.c_str());
            return notify(session, "Copied: " + plot.command);
    }
}

}  // namespace convscope::app
