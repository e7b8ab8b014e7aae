#include "tests/app/pictures/what_draws.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <ft2build.h>
#include <imgui.h>

#include <filesystem>
#include <string_view>
#include FT_FREETYPE_H

#include "app/ui/widgets/fonts.h"

namespace convscope::app {
namespace {

std::string freetype_version() {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library)) return "unknown";
    FT_Int major = 0, minor = 0, patch = 0;
    FT_Library_Version(library, &major, &minor, &patch);
    FT_Done_FreeType(library);
    return fmt::format("{}.{}.{}", major, minor, patch);
}

/// "llvmpipe, Mesa 22.3": without the patch level and the width of the vectors.
std::string driver() {
    const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    const std::size_t mesa = version.find("Mesa ");
    std::string name = renderer.substr(0, renderer.find(' '));
    if (mesa != std::string::npos) name += ", " + version.substr(mesa, version.rfind('.') - mesa);
    return name;
}

}  // namespace

std::string what_draws(const gl::EglContext&) {
    std::string lines;
    const FontFiles fonts = find_fonts();
    for (const std::string& file : {fonts.regular, fonts.semibold, fonts.monospace})
        lines += fmt::format("{} {} bytes\n", std::filesystem::path(file).filename().string(),
                             std::filesystem::file_size(file));
    return lines + fmt::format("FreeType {}\nDear ImGui {}\n{}\n", freetype_version(), ImGui::GetVersion(), driver());
}

}  // namespace convscope::app
