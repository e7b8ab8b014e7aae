#include "app/desktop/app.h"

#include <fmt/format.h>

#include "app/tour/scene_renderer.h"
#include "app/tour/scenes.h"
#include "kernels/core/error.h"
#include "visualizers/gl/image.h"

namespace convscope {

int run_tour(Registry& registry, const TourOptions& options) {
    using namespace app;
    std::error_code problem;
    std::filesystem::create_directories(options.out, problem);
    if (std::error_code none; !std::filesystem::is_directory(options.out, none))
        throw Error(ErrorKind::file, fmt::format("the folder '{}' cannot be made: {}", options.out.string(),
                                                 problem ? problem.message() : "a file of that name is in the way"));
    for (bool dark : {true, false}) {
        // No list is left open from the tour before.
        SceneRenderer renderer(registry,
                               {options.width, options.height, static_cast<float>(options.ui_scale), dark, {}});
        for (const Scene& scene : tour_scenes(registry)) {
            const std::string name = fmt::format("{}-{}.png", scene.name, dark ? "dark" : "light");
            gl::write_png(options.out / name, renderer.render(scene));
        }
        fmt::print("{}: {} {} screenshots, {}, {}\n", options.out.string(), tour_scenes(registry).size(),
                   dark ? "dark" : "light", renderer.describe(), renderer.shell().layouts().path());
    }
    return 0;
}

}  // namespace convscope
