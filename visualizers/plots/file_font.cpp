#include "visualizers/plots/file_font.h"

#include <cairo-ft.h>
#include <fmt/format.h>

#include <string>

#include "kernels/core/error.h"
#include "visualizers/theme/font_files.h"

namespace convscope {
namespace {

// One for all faces; like them, it lives until the program ends.
FT_Library freetype() {
    static const FT_Library library = [] {
        FT_Library made = nullptr;
        if (FT_Init_FreeType(&made) != 0)
            throw Error(ErrorKind::file, "FreeType, which draws the letters, does not start");
        return made;
    }();
    return library;
}

cairo_font_face_t* open_face(const char* name) {
    const std::string file = (font_folder() / name).string();
    FT_Face face = nullptr;
    if (FT_New_Face(freetype(), file.c_str(), 0, &face) != 0)
        throw Error(ErrorKind::file,
                    fmt::format("the font '{}' cannot be read; it comes with convscope, and CONVSCOPE_FONTS can name "
                                "another folder that has it",
                                file));
    return cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_TARGET_LIGHT);
}

}  // namespace

cairo_font_face_t* file_font(FileFont font) {
    switch (font) {
        case FileFont::text: {
            static cairo_font_face_t* const face = open_face(text_font);
            return face;
        }
        case FileFont::strong: {
            static cairo_font_face_t* const face = open_face(strong_font);
            return face;
        }
        case FileFont::monospace: {
            static cairo_font_face_t* const face = open_face(monospace_font);
            return face;
        }
    }
    return nullptr;
}

}  // namespace convscope
