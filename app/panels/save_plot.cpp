#include "app/panels/save_plot.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "app/widgets.h"
#include "kernels/core/error.h"
#include "kernels/measure/text_file.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::app {
namespace {

std::string with_ending(const std::string& path, const std::string& ending) {
    return std::filesystem::path(path).replace_extension(ending).string();
}

}  // namespace

void save_plot(Session& session, PlotRequest request, const PlotOutputs& outputs) {
    std::string path;
    try {
        switch (request) {
            case PlotRequest::none:
                return;
            case PlotRequest::save_png:
                path = with_ending(session.png_path, outputs.name + ".png");
                outputs.png(path);
                if (outputs.png_later) return;
                break;
            case PlotRequest::save_svg:
                path = with_ending(session.png_path, outputs.name + ".svg");
                write_text_file(path, outputs.svg());
                break;
            case PlotRequest::save_csv:
                path = with_ending(session.csv_path, outputs.ending);
                write_text_file(path, outputs.csv());
                break;
            case PlotRequest::copy_csv:
                ImGui::SetClipboardText(outputs.csv().c_str());
                return notify(session, "Copied " + outputs.what + " as CSV");
            case PlotRequest::copy_command:
                ImGui::SetClipboardText(outputs.command.c_str());
                return notify(session, "Copied: " + outputs.command);
        }
        notify(session, "Saved " + path);
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

void save_plot(Session& session, const PlotResult& result, const Plot& plot, const PlotState& state,
               const PlotEmphasis& emphasis, const std::string& name) {
    if (result.request == PlotRequest::none) return;
    const float scale = look().scale;
    const PlotPage page{std::max(480, static_cast<int>(result.width / scale)),
                        std::max(320, static_cast<int>(result.height / scale)), look().theme};
    PlotOutputs outputs{"the plot's data", "." + name + ".csv", {}, false, {}, {}, plot.command, "." + name};
    outputs.png = [&](const std::string& path) { write_plot_png(plot, state, page, path, 2, emphasis); };
    outputs.svg = [&] { return plot_svg(plot, state, page, emphasis); };
    outputs.csv = [&] { return plot_csv(plot); };
    save_plot(session, result.request, outputs);
}

}  // namespace convscope::app
