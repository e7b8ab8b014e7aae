#include "visualizers/gl/image.h"

#include <fmt/format.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

#include "kernels/core/error.h"

namespace convscope::gl {

void write_png(const std::filesystem::path& path, const Image& image) {
    if (!stbi_write_png(path.c_str(), image.width, image.height, 4, image.rgba.data(), 4 * image.width))
        throw Error(ErrorKind::file, fmt::format("cannot write the image '{}'; check that its folder exists and "
                                                 "can be written",
                                                 path.string()));
}

}  // namespace convscope::gl
