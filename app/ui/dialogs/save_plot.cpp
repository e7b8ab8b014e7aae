#include "app/ui/dialogs/save_plot.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/session/file/session_file.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"
#include "kernels/core/text_file.h"

namespace convscope::app {
namespace {

/// The next file is looked for where this one went.
void remember_folder(std::string& path, const std::filesystem::path& chosen) {
    path = (chosen.parent_path() / std::filesystem::path(path).filename()).string();
}

FileQuestion question(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    const char* title = ending == ".csv" ? "Save the data" : "Save the image";
    return {FileQuestion::Kind::save, title, path, {{ending.substr(1) + " files", {"*" + ending}}}, false, ending};
}

/// Of the latest frame that drew any.
struct DrawnInFrame {
    int frame = -1;
    std::vector<PlotToSave> plots;
};
DrawnInFrame& drawn() {
    static DrawnInFrame latest;
    if (latest.frame != ImGui::GetFrameCount()) latest.plots.clear();
    latest.frame = ImGui::GetFrameCount();
    return latest;
}

/// As it is in a file, which has to say all of itself.
PlotToSave to_save(const PlotResult& shown, const Plot& plot, const PlotState& state, const PlotEmphasis& emphasis,
                   const PlotName& name, const std::function<std::string()>& csv) {
    PlotToSave made;
    made.plot = plot;
    Plot& page = made.plot;
    const std::string axes = page.y.name.empty() ? name.file : fmt::format("{} over {}", page.y.name, page.x.name);
    made.name = !name.name.empty() ? name.name : !page.title.empty() ? page.title : axes;
    if (page.title.empty()) page.title = made.name;
    if (page.subtitle == page.title) page.subtitle.clear();
    const auto add = [&page](const char* separator, const std::function<std::string()>& text) {
        const std::string added = text ? text() : "";
        if (!added.empty()) page.subtitle += (page.subtitle.empty() ? "" : separator) + added;
    };
    add("; ", name.held);
    add("\n", name.about);
    made.file = name.file;
    std::ranges::replace(made.file, ' ', '-');
    std::ranges::replace(made.file, '/', '-');
    made.state = state;
    const float scale = look().scale;
    made.page = {name.width > 0 ? name.width : std::max(480, static_cast<int>(shown.width / scale)),
                 name.height > 0 ? name.height : std::max(320, static_cast<int>(shown.height / scale)), look().theme};
    made.emphasis = emphasis;
    made.emphasis.hovered = no_row;
    if (emphasis.chosen) made.chosen = *emphasis.chosen;
    made.data = csv ? csv : [plot] { return plot_csv(plot); };
    return made;
}

}  // namespace

std::string with_ending(const std::string& path, const std::string& ending) {
    return std::filesystem::path(path).replace_extension(ending).string();
}

void ask_for_file(Session& session, FileDialogs& dialogs, const std::string& path,
                  std::function<void(const std::string&)> then) {
    dialogs.ask(session, question(path), [&session, then = std::move(then)](const auto& files) {
        std::error_code none;
        const std::filesystem::path chosen = std::filesystem::absolute(files.front(), none).lexically_normal();
        if (std::filesystem::is_directory(chosen.parent_path(), none))
            remember_folder(chosen.extension() == ".csv" ? session.csv_path : session.png_path, chosen);
        then(chosen.string());
    });
}

void ask_and_write(Session& session, FileDialogs& dialogs, const std::string& path,
                   std::function<void(const std::string&)> write) {
    ask_for_file(session, dialogs, path, [&session, write = std::move(write)](const std::string& chosen) {
        write(chosen);
        notify(session, "Saved " + chosen);
    });
}

void save_text(Session& session, FileDialogs& dialogs, const std::string& path, std::string text) {
    ask_and_write(session, dialogs, path,
                  [text = std::move(text)](const std::string& chosen) { write_text_file(chosen, text); });
}

const std::vector<PlotToSave>& drawn_plots() {
    return drawn().plots;
}

std::string about_device(const Session& session, const Registry& registry) {
    return fmt::format("{}, {:%d %b %Y}", device_name_of(session, registry), fmt::localtime(std::time(nullptr)));
}

std::string about_layer(const Session& session, const Registry& registry) {
    const WorkloadSpec& spec = session.good;
    std::string text =
        spec.name == "custom" ? to_string(spec.shape) : fmt::format("{}, batch {}", spec.name, spec.shape.n);
    if (spec.sparsity > 0) text += fmt::format(", zeros {}", format_percent(spec.sparsity));
    return fmt::format("{}; {}", text, about_device(session, registry));
}

std::string about_record(const Record& record) {
    const bool named = !record.workload.empty() && record.workload != "custom";
    std::string text = named ? record.workload : to_string(record.shape);
    if (!record.device_name.empty()) text += "; " + record.device_name;
    if (!record.timestamp_utc.empty()) text += ", " + record.timestamp_utc.substr(0, 10);
    return text;
}

void save_plot(Session& session, FileDialogs& dialogs, const PlotToSave& saved, PlotRequest request) {
    const auto path = [&](const std::string& beside, const char* ending) {
        return with_ending(beside, fmt::format(".{}{}", saved.file, ending));
    };
    // The plot on the screen may be another when the answer comes.
    const auto write = [&](const char* ending, auto writer) {
        const auto copy = std::make_shared<PlotToSave>(saved);
        if (copy->emphasis.chosen) copy->emphasis.chosen = &copy->chosen;
        ask_and_write(session, dialogs, path(session.png_path, ending),
                      [copy, writer](const std::string& chosen) { writer(*copy, chosen); });
    };
    switch (request) {
        case PlotRequest::none:
            return;
        case PlotRequest::save_png:
            return write(".png", [](const PlotToSave& plot, const std::string& file) {
                write_plot_png(plot.plot, plot.state, plot.page, file, 2, plot.emphasis);
            });
        case PlotRequest::save_svg:
            return write(".svg", [](const PlotToSave& plot, const std::string& file) {
                write_text_file(file, plot_svg(plot.plot, plot.state, plot.page, plot.emphasis));
            });
        case PlotRequest::save_csv:
            return save_text(session, dialogs, path(session.csv_path, ".csv"), saved.data());
        case PlotRequest::copy_csv:
            ImGui::SetClipboardText(saved.data().c_str());
            return notify(session, "Copied the plot's data as CSV");
        case PlotRequest::copy_command:
            ImGui::SetClipboardText(saved.plot.command.c_str());
            return notify(session, "Copied: " + saved.plot.command);
    }
}

void offer_plot(Session& session, FileDialogs& dialogs, const PlotResult& shown, const Plot& plot,
                const PlotState& state, const PlotEmphasis& emphasis, const PlotName& name,
                const std::function<std::string()>& csv) {
    if (shown.request == PlotRequest::none && !session.export_open) return;
    PlotToSave made = to_save(shown, plot, state, emphasis, name, csv);
    save_plot(session, dialogs, made, shown.request);
    if (session.export_open) drawn().plots.push_back(std::move(made));
}

}  // namespace convscope::app
