// convscope tour: screenshots of every view of the app, without a display.
#include <memory>

#include "app/cli/subcommand.h"
#include "app/cli/window.h"
#include "app/request/flags.h"
#include "app/request/numbers.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"

namespace convscope::cli {
namespace {

constexpr Flag tour_flags[] = {
    {"--out", "DIR", "folder for the screenshots, made when missing"},
    {"--width", "PIXELS", "width of the screenshots, 320 to 7680 (1600)"},
    {"--height", "PIXELS", "height of the screenshots, 240 to 4320 (1000)"},
    {"--ui-scale", "X", "0.5 to 4 (1)"},
    {"--views", "NAME,...", "only these, by the names of their files without number and theme (all)"},
    {"--theme", "NAME", "dark or light (both)"},
};

int tour(const FlagValues& flags) {
    if (!flags.has("--out")) throw Error(ErrorKind::usage, "tour needs --out DIR, the folder for the screenshots");
    TourOptions options;
    options.out = flags.get("--out");
    if (flags.has("--width")) options.width = static_cast<int>(parse_whole("--width", flags.get("--width"), 320, 7680));
    if (flags.has("--height"))
        options.height = static_cast<int>(parse_whole("--height", flags.get("--height"), 240, 4320));
    if (flags.has("--ui-scale")) options.ui_scale = parse_real("--ui-scale", flags.get("--ui-scale"), 0.5, 4);
    if (flags.has("--views")) options.views = split(flags.get("--views"), ',');
    if (flags.has("--theme")) {
        const std::string& theme = flags.get("--theme");
        if (theme != "dark" && theme != "light")
            throw Error(ErrorKind::usage, "--theme takes dark or light, not '" + theme + "'");
        options.dark = theme == "dark";
        options.light = theme == "light";
    }
    return take_tour(options);
}

}  // namespace

Command add_tour(CLI::App& program) {
    Subcommand command(program, "tour", "every view of the app, as PNG; needs no display");
    auto flags = std::make_shared<FlagValues>();
    command.flags(*flags, tour_flags, "Screenshots");
    return command.runs([flags] { return tour(*flags); });
}

}  // namespace convscope::cli
