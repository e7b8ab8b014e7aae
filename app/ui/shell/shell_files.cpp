// What comes in from files, and the images that go out to them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/ui/shell/shell.h"
#include "kernels/core/error.h"
#include "kernels/core/preset.h"
#include "kernels/core/text_file.h"
#include "visualizers/gl/framebuffer.h"
#include "visualizers/gl/image.h"
#include "visualizers/grid/grid_replay.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/plot_views/screen_replay.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::app {

void Shell::open(const std::filesystem::path& path) {
    history_.note_input();
    try {
        if (is_session_file(path))
            sessions_.open(path);
        else if (path.extension() == ".toml")
            open_preset(path);
        else if (path.extension() == ".md")
            guide_.add(session_, registry_, path);
        else if (path.extension() == ".cu")
            open_user_kernel(path);
        else if (path.extension() == ".csv" || path.extension() == ".json") {
            if (access(path.c_str(), R_OK) != 0)
                throw Error(ErrorKind::file,
                            fmt::format("'{}' cannot be read: {}", path.string(), std::strerror(errno)));
            compare_.open(path);
            session_.view = "compare";
        } else
            notify(session_,
                   fmt::format(
                       "{} cannot be opened: a session ends in .convscope.toml, a preset in .toml, records in .csv "
                       "or .json, a lesson in .md, a kernel in .cu",
                       path.string()),
                   true);
    } catch (const Error& error) {
        notify(session_, error.what(), true);
    }
}

void Shell::open(std::vector<std::filesystem::path> paths) {
    std::ranges::stable_partition(paths, is_session_file);
    for (const std::filesystem::path& path : paths) open(path);
}

void Shell::drop(const std::vector<std::filesystem::path>& paths) {
    open(paths);
    if (!paths.empty() && paths.back().extension() == ".cu") trust_program(session_);
}

/// The sweep's rows: as the view has them open, of the file that they are written to, or among all of this run.
void Shell::open_sweep_in_compare() {
    std::error_code none;
    if (!sweep_.recorded().empty())
        compare_.open_recorded(sweep_.recorded());
    else if (!sweep_.shows_a_file() && std::filesystem::is_regular_file(session_.sweep.csv_path, none))
        compare_.open(session_.sweep.csv_path);
    else if (!sweep_.shows_a_file())
        compare_.open_this_run();
    session_.view = "compare";
}

void Shell::open_preset(const std::filesystem::path& path) {
    const std::vector<Preset> presets = load_presets(path);
    if (presets.empty()) throw Error(ErrorKind::file, path.string() + " holds no preset");
    set_workload(session_, presets.front().spec);
    notify(session_, fmt::format("Opened {} of {}", presets.front().spec.name, path.filename().string()));
}

/// A file that is not there yet may come.
void Shell::open_user_kernel(const std::filesystem::path& path) {
    std::error_code none;
    open_kernel_file(session_, std::filesystem::absolute(path, none).lexically_normal().string());
    session_.view = "kernel";
}

std::optional<ImageRequest> Shell::take_image_request() {
    std::optional<ImageRequest> fresh = export_.take_image_request();
    if (!fresh && session_.desktop_state.copy == CopyRequest::image) {
        fresh = ImageRequest{.view = true};
        session_.desktop_state.copy.reset();
    }
    if (fresh && fresh->view) {
        const Regions::Box& box = regions_.view;
        fresh->x = box.min.x, fresh->y = box.min.y;
        fresh->width = box.max.x - box.min.x, fresh->height = box.max.y - box.min.y;
        if (!fresh->path.empty()) sharp_edges(true);
    }
    return std::exchange(requested_image_, std::move(fresh));
}

/// The view on a page of its own, with what it is of below it.
void Shell::write_view(const ImageRequest& request, int height) {
    sharp_edges(false);
    constexpr double margin = 16, text = 12;
    const double below = request.about.empty() ? 0 : 2 * margin;
    const PlotPage page{static_cast<int>(request.width), static_cast<int>(request.height + below), &theme()};
    const ImDrawData& drawn = *ImGui::GetDrawData();
    const auto pixels = [&](CanvasBox& box) {
        const double scale = drawn.FramebufferScale.x;
        const auto whole = [scale](double value) { return static_cast<int>(std::round(value * scale)); };
        const int x = std::max(0, whole(box.x)), y = std::max(0, whole(box.y));
        const int w = std::min(whole(drawn.DisplaySize.x), whole(box.right())) - x;
        const int h = std::min(whole(drawn.DisplaySize.y), whole(box.bottom())) - y;
        if (w < 1 || h < 1) return gl::Image();
        box = {x / scale, y / scale, w / scale, h / scale};
        return gl::read_pixels(x, y, w, h, height);
    };
    const auto draw = [&](FileCanvas& canvas) {
        const CanvasBox part{request.x, request.y, request.width, request.height};
        replay(drawn, session_.view->id, canvas, part, [&](const ImDrawCmd& command) {
            if (const GridDraw* grid = grid_of(command)) replay_grid(*grid, canvas, pixels);
        });
        if (below > 0)
            canvas.text(request.about, request.x + margin, request.y + page.height - margin, text, theme().text_dim);
    };
    if (request.path.ends_with(".svg"))
        write_text_file(request.path, page_svg(page, draw, {request.x, request.y}));
    else
        write_page_png(page, draw, request.path, 2, {request.x, request.y});
    notify(session_, "Saved " + request.path);
}

void Shell::save_image(const ImageRequest& request, int width, int height) {
    try {
        write_image(request, width, height);
    } catch (const Error& error) {
        if (request.path.empty()) return notify(session_, error.what(), true);
        dialogs_.ask_again(session_, error.what());
    }
}

void Shell::write_image(const ImageRequest& request, int width, int height) {
    if (request.view && !request.path.empty()) return write_view(request, height);
    auto inside = [](float value, int most) { return std::clamp(static_cast<int>(std::round(value)), 0, most); };
    const bool whole = request.width <= 0;
    const int x = whole ? 0 : inside(request.x, width - 1), y = whole ? 0 : inside(request.y, height - 1);
    const int w = whole ? width : inside(request.width, width - x),
              h = whole ? height : inside(request.height, height - y);
    const gl::Image image = gl::read_pixels(x, y, w, h, height);
    if (request.path.empty()) return copy_image(image);
    gl::write_png(request.path, image);
    notify(session_, "Saved " + request.path);
}

}  // namespace convscope::app
