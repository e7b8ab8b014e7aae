#include "app/desktop/app.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/tour/scene_renderer.h"
#include "app/tour/scenes.h"
#include "kernels/core/error.h"
#include "kernels/files/user_folders.h"
#include "visualizers/gl/image.h"

namespace convscope {
namespace {

/// The scenes that have these names, in the tour's order; all where no name is given.
std::vector<app::Scene> chosen_scenes(const Registry& registry, const std::vector<std::string>& views) {
    std::vector<app::Scene> scenes = app::tour_scenes(registry);
    std::vector<std::string> names;
    for (const app::Scene& scene : scenes) names.push_back(scene.name_without_number());
    for (const std::string& view : views)
        if (std::ranges::find(names, view) == names.end())
            throw Error(ErrorKind::usage,
                        fmt::format("--views: there is no view '{}'; there are {}", view, fmt::join(names, ", ")));
    if (!views.empty())
        std::erase_if(scenes, [&](const app::Scene& scene) {
            return std::ranges::find(views, scene.name_without_number()) == views.end();
        });
    return scenes;
}

}  // namespace

int run_tour(Registry& registry, const TourOptions& options) {
    using namespace app;
    const std::vector<Scene> scenes = chosen_scenes(registry, options.views);
    make_folder(options.out);
    for (bool dark : {true, false}) {
        if (!(dark ? options.dark : options.light)) continue;
        // No list is left open from the tour before.
        SceneRenderer renderer(registry,
                               {options.width, options.height, static_cast<float>(options.ui_scale), dark, {}});
        for (const Scene& scene : scenes) {
            const std::string name = fmt::format("{}-{}.png", scene.name, dark ? "dark" : "light");
            gl::write_png(options.out / name, renderer.render(scene));
        }
        fmt::print("{}: {} {} screenshots, {}, {}\n", options.out.string(), scenes.size(), dark ? "dark" : "light",
                   renderer.describe(), renderer.shell().layouts().path());
    }
    return 0;
}

}  // namespace convscope
