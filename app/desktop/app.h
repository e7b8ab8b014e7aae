// The two ways to draw the app: in a window, and headless, into images.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method/registry.h"

namespace convscope {

struct AppOptions {
    std::vector<std::filesystem::path>
        files;  ///< sessions (.convscope.toml), presets (.toml) and records (.csv) to open
};
/// Opens the window and returns the exit status when it is closed. Throws Error(failed) with one sentence when
/// there is no display or no OpenGL.
int run_app(Registry&, const AppOptions&);

struct TourOptions {
    std::filesystem::path out;        ///< folder, made when missing
    int width = 1600, height = 1000;  ///< pixels of the framebuffer
    double ui_scale = 1.0;            ///< 0.5 .. 4
    std::vector<std::string> views;   ///< names of scenes without their number; empty: all
    bool dark = true, light = true;   ///< the themes
};
/// Renders the views into PNGs under options.out through EGL: no display is needed. Returns the exit status. Throws
/// Error(usage) for a name that no scene has, Error(file) when the folder cannot be written.
int run_tour(Registry&, const TourOptions&);

}  // namespace convscope
