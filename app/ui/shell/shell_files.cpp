// The shell and files: opening them, and saving images.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

#include "app/session/file_kinds.h"
#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/shell/shell.h"
#include "kernels/core/error.h"
#include "kernels/formats/array_file.h"
#include "kernels/layers/preset.h"
#include "kernels/onnx/input_file.h"
#include "visualizers/gl/framebuffer.h"
#include "visualizers/gl/image.h"
#include "visualizers/grid/grid_replay.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/grid/value_legend.h"
#include "visualizers/plot_views/screen_replay.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::app {
namespace {

/// Its lines, and those that are wider than 'room' broken between words.
std::vector<std::string> caption_lines(FileCanvas& canvas, const std::string& caption, double size, double room) {
    std::vector<std::string> lines;
    std::istringstream text(caption);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string begun;
        for (std::string word; words >> word;) {
            if (!begun.empty() && canvas.text_width(begun + " " + word, size) > room)
                lines.push_back(std::exchange(begun, std::string()));
            begun += (begun.empty() ? "" : " ") + word;
        }
        lines.push_back(begun);
    }
    return lines;
}

/// The layer's x, with its filters: those of a file where they have as many channels.
void open_array(Session& session, const std::filesystem::path& path) {
    std::error_code none;
    WorkloadSpec spec = session.choices.workload;
    spec.source = Source::file;
    spec.sparsity = 0;
    spec.name = file_of_array(path).stem().string();
    spec.input_path = std::filesystem::absolute(path, none).lexically_normal().string();
    spec.example_x = spec.example_w = {};
    const NpyShape x = read_array_shape(path);
    const std::int64_t channels = x.size() < 3 ? 1 : x[x.size() - 3];
    if (channels != spec.shape.c) spec.weights_path = "";
    spec.shape = shape_of_files(spec);
    validate(spec);
    set_workload(session, spec);
    notify(session, fmt::format("Opened {} as x, {}", path.filename().string(), convscope::to_string(x)));
}

void open_model(Session& session, const std::filesystem::path& path) {
    std::error_code none;
    session.network.model = std::filesystem::absolute(path, none).lexically_normal().string();
    session.network.input.clear();
    session.network.name = model_name(session.network);
    session.network.chain = false;
    session.requested.run_model = true;
    session.view = "network";
}

/// While the Network view shows a model, a picture or a .npy array is what the model runs on.
void give_input(Session& session, const std::filesystem::path& path) {
    if (!shows_model(session.network))
        throw Error(
            ErrorKind::file,
            fmt::format("{} is a picture, which a model can be run on: open an .onnx file first", path.string()));
    std::error_code none;
    session.network.input = std::filesystem::absolute(path, none).lexically_normal().string();
    session.requested.run_model = true;
    session.view = "network";
}

}  // namespace

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
        else if (is_picture_file(path) ||
                 (path.extension() == ".npy" && session_.view == "network" && shows_model(session_.network)))
            give_input(session_, path);
        else if (is_array_file(path))
            open_array(session_, path);
        else if (path.extension() == ".onnx")
            open_model(session_, path);
        else if (path.extension() == ".csv" || path.extension() == ".json") {
            if (access(path.c_str(), R_OK) != 0)
                throw Error(ErrorKind::file,
                            fmt::format("'{}' cannot be read: {}", path.string(), std::strerror(errno)));
            compare_.open(path);
            session_.view = "compare";
        } else
            notify(session_,
                   fmt::format("{} cannot be opened: a session ends in {}, {}", path.string(), session_ending,
                               opened_kinds()),
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
    if (fresh && fresh->drawn_anew()) sharp_edges(true);
    begin_picture_of(fresh && fresh->drawn_anew() ? fresh->title : std::string());
    return std::exchange(requested_image_, std::move(fresh));
}

/// The view or one figure on a page of its own, with its caption below. A plot is drawn from its data.
void Shell::write_picture(const ImageRequest& request, const std::filesystem::path& path, int height) {
    const Theme& colours = theme_of(session_.appearance.dark && !request.paper);
    if (request.plot) {
        PlotPage page = request.plot->page;
        page.theme = &colours;
        return write_plot(request.plot->plot, request.plot->state, page, path, request.scale, request.plot->emphasis);
    }
    sharp_edges(false);
    std::string window = session_.view->id;
    CanvasBox part{regions_.view.min.x, regions_.view.min.y, regions_.view.max.x - regions_.view.min.x,
                   regions_.view.max.y - regions_.view.min.y};
    const double unit = look().scale, text = 12 * unit, line = 18 * unit, margin = 16 * unit;
    double around = 0;  // a view has its own
    ArrayColours cells;
    if (request.what == ImageRequest::What::figure) {
        const DrawnFigure* const figure = find_figure(request.title);
        if (!figure) throw Error(ErrorKind::file, fmt::format("'{}' is not on the screen any more", request.title));
        window = figure->window;
        part = figure->box;
        around = margin;
        cells = figure->colours;
    }
    FileCanvas ruler(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1));
    constexpr double min_room = 400;
    const double room = std::max(part.w - 2 * (margin - around), min_room * unit);
    const std::vector<std::string> lines = caption_lines(ruler, request.caption, text, room);
    const double legend = cells.ranges.empty() ? 0 : value_legend_height_px * unit + text;
    const double below = legend + (lines.empty() ? 0 : line * static_cast<double>(lines.size()) + margin);
    const CanvasPoint corner{part.x - around, part.y - around};
    const PlotPage page{static_cast<int>(std::ceil(std::max(part.w + 2 * around, room + 2 * margin))),
                        static_cast<int>(std::ceil(part.h + 2 * around + below)), &colours};
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
        // Outlines at the edge are kept whole.
        const double edge = 3 * unit;
        const CanvasBox seen{part.x - std::min(around, edge), part.y - std::min(around, edge),
                             part.w + 2 * std::min(around, edge), part.h + 2 * std::min(around, edge)};
        replay(drawn, window, canvas, seen, [&](const ImDrawCmd& command) {
            const GridDraw* const grid = grid_of(command);
            if (grid && seen.touches({grid->x, grid->y, grid->width, grid->height})) replay_grid(*grid, canvas, pixels);
        });
        const double left = part.x - around + margin, top = part.bottom() + around;
        if (legend > 0) {
            constexpr double ascent = 0.8;  // of the text's size
            draw_value_legend(canvas, {left + room, top}, room, cells, colours, {text, ascent * text, unit});
        }
        double baseline = top + legend + text;
        for (const std::string& each : lines) {
            canvas.text(each, left, baseline, text, colours.text_dim);
            baseline += line;
        }
    };
    write_page(page, draw, path, request.scale, corner);
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
    if (request.path.empty()) return copy_picture(request, height);
    if (request.what == ImageRequest::What::window)
        gl::write_png(request.path, gl::read_pixels(0, 0, width, height, height));
    else
        write_picture(request, request.path, height);
    notify(session_, "Saved " + request.path);
}

}  // namespace convscope::app
