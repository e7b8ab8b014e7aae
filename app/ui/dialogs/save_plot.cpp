#include "app/ui/dialogs/save_plot.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/lessons/hideable.h"
#include "app/session/file/session_file.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"

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

std::string title_of(const Plot& plot, const PlotName& name) {
    if (!name.name.empty()) return name.name;
    if (!plot.title.empty()) return plot.title;
    return plot.y.name.empty() ? name.file : fmt::format("{} over {}", plot.y.name, plot.x.name);
}

/// As it is in a file, which has to say all of itself.
std::shared_ptr<const PlotToSave> to_save(const PlotResult& shown, const Plot& plot, const PlotState& state,
                                          const PlotEmphasis& emphasis, const PlotName& name,
                                          const std::function<std::string()>& csv) {
    const auto made = std::make_shared<PlotToSave>();
    made->file = name.file;
    made->plot = plot;
    Plot& page = made->plot;
    if (page.title.empty()) page.title = title_of(plot, name);
    if (page.subtitle == page.title) page.subtitle.clear();
    const auto add = [&page](const char* separator, const std::function<std::string()>& text) {
        const std::string added = text ? text() : "";
        if (!added.empty()) page.subtitle += (page.subtitle.empty() ? "" : separator) + added;
    };
    add("; ", name.held);
    add("\n", name.about);
    made->state = state;
    const float scale = look().scale;
    made->page = {name.width > 0 ? name.width : std::max(480, static_cast<int>(shown.width / scale)),
                  name.height > 0 ? name.height : std::max(320, static_cast<int>(shown.height / scale)), look().theme};
    made->emphasis = emphasis;
    made->emphasis.hovered = no_row;
    if (emphasis.chosen) {
        made->chosen = *emphasis.chosen;
        made->emphasis.chosen = &made->chosen;
    }
    made->data = csv ? csv : [plot] { return plot_csv(plot); };
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

std::string about_device(const Session& session, const Registry& registry) {
    return fmt::format("{}, {:%d %b %Y}", device_name_of(session, registry), fmt::localtime(std::time(nullptr)));
}

std::string about_layer(const Frame& frame) {
    const Session& session = frame.session;
    const WorkloadSpec& spec = session.good;
    std::string text = to_string(spec.shape);
    if (spec.name != "custom") text = fmt::format("{}, {}", spec.name, text);
    if (!session.lesson.hides(lessons::cards_word))
        text += fmt::format(
            ", zeros {}",
            format_percent(frame.shows_chosen_layer() ? frame.snapshot->workload->sparsity_measured : spec.sparsity));
    if (spec.weight_sparsity > 0)
        text += fmt::format(", in w {} ({})", format_percent(spec.weight_sparsity), to_string(spec.weight_pattern));
    return fmt::format("{}; {}", text, about_device(session, frame.registry));
}

std::string about_record(const Record& record) {
    const bool named = !record.workload.empty() && record.workload != "custom";
    std::string text = named ? record.workload : to_string(record.shape);
    if (!record.device_name.empty()) text += "; " + record.device_name;
    if (!record.timestamp_utc.empty()) text += ", " + record.timestamp_utc.substr(0, 10);
    return text;
}

std::string path_of(const std::string& base, const std::string& name, const std::string& ending) {
    std::string file;
    for (const char letter : name) {
        const bool keeps = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
        if (keeps)
            file += letter;
        else if (!file.empty() && file.back() != '-')
            file += '-';
    }
    while (file.ends_with('-')) file.pop_back();
    return with_ending(base, fmt::format(".{}{}", file, ending));
}

void save_plot_data(Session& session, FileDialogs& dialogs, const PlotToSave& plot) {
    save_text(session, dialogs, path_of(session.csv_path, plot.file, ".csv"), plot.data());
}

void offer_plot(Session& session, FileDialogs& dialogs, const PlotResult& shown, const Plot& plot,
                const PlotState& state, const PlotEmphasis& emphasis, const PlotName& name,
                const std::function<std::string()>& csv) {
    DrawnFigure figure{title_of(plot, name), {}, {shown.x, shown.y, shown.width, shown.height}, true};
    figure.request = shown.picture;
    // Large, and its words take time: only where somebody may want it.
    const bool wanted = shown.request != PlotRequest::none || shown.picture != PictureRequest::none ||
                        session.desktop_state.overlay == Overlay::export_dialog || session.desktop_state.copy;
    if (wanted) figure.plot = to_save(shown, plot, state, emphasis, name, csv);
    switch (shown.request) {
        case PlotRequest::none:
            break;
        case PlotRequest::save_csv:
            save_plot_data(session, dialogs, *figure.plot);
            break;
        case PlotRequest::copy_csv:
            ImGui::SetClipboardText(figure.plot->data().c_str());
            notify(session, "Copied the plot's data as CSV");
            break;
        case PlotRequest::copy_command:
            ImGui::SetClipboardText(plot.command.c_str());
            notify(session, "Copied: " + plot.command);
            break;
    }
    note_figure(std::move(figure));
}

}  // namespace convscope::app
