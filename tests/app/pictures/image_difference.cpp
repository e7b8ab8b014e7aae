#include "tests/app/pictures/image_difference.h"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/core/error.h"

namespace convscope::app {
namespace {

double distance(const Image::Pixel& a, const Image::Pixel& b) {
    const double r = (a.r - b.r) / 255.0, g = (a.g - b.g) / 255.0, bl = (a.b - b.b) / 255.0;
    const double y = 0.29889531 * r + 0.58662247 * g + 0.11448223 * bl;
    const double i = 0.59597799 * r - 0.27417610 * g - 0.32180189 * bl;
    const double q = 0.21147017 * r - 0.52261711 * g + 0.31114694 * bl;
    return std::sqrt(0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q) / std::sqrt(0.5053);
}

void set(Image& image, int x, int y, const Image::Pixel& pixel) {
    std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * image.width + x)];
    p[0] = pixel.r, p[1] = pixel.g, p[2] = pixel.b, p[3] = 255;
}

Image blank(int width, int height) {
    return {width, height, std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * height, 255)};
}

std::uint8_t pale(std::uint8_t value) {
    return static_cast<std::uint8_t>(170 + value / 3);
}

struct Surface {
    cairo_surface_t* handle;
    ~Surface() { cairo_surface_destroy(handle); }
};

}  // namespace

Image shrunk(const Image& from, int factor) {
    Image to = blank(from.width / factor, from.height / factor);
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x) {
            int r = 0, g = 0, b = 0;
            for (int dy = 0; dy < factor; ++dy)
                for (int dx = 0; dx < factor; ++dx) {
                    const Image::Pixel pixel = from.at(x * factor + dx, y * factor + dy);
                    r += pixel.r, g += pixel.g, b += pixel.b;
                }
            const int count = factor * factor;
            const auto mean = [count](int sum) { return static_cast<std::uint8_t>((sum + count / 2) / count); };
            set(to, x, y, {mean(r), mean(g), mean(b), 255});
        }
    return to;
}

Image for_keeping(const Image& picture, int factor) {
    Image kept = shrunk(picture, factor);
    for (std::uint8_t& value : kept.rgba) value = static_cast<std::uint8_t>((value * 15 + 127) / 255 * 17);
    return kept;
}

ImageDifference difference(const Image& expected, const Image& actual, double threshold) {
    ImageDifference result{0, actual.width, actual.height, 0, 0, actual};
    if (expected.width != actual.width || expected.height != actual.height)
        return {1, 0, 0, actual.width, actual.height, actual};
    std::size_t count = 0;
    for (int y = 0; y < actual.height; ++y)
        for (int x = 0; x < actual.width; ++x) {
            const Image::Pixel now = actual.at(x, y);
            set(result.marked, x, y, {pale(now.r), pale(now.g), pale(now.b), 255});
            if (distance(expected.at(x, y), now) <= threshold) continue;
            ++count;
            set(result.marked, x, y, {220, 0, 0, 255});
            result.left = std::min(result.left, x), result.right = std::max(result.right, x + 1);
            result.top = std::min(result.top, y), result.bottom = std::max(result.bottom, y + 1);
        }
    result.share = static_cast<double>(count) / (static_cast<double>(actual.width) * actual.height);
    return result;
}

Image read_png(const std::filesystem::path& path) {
    const Surface surface{cairo_image_surface_create_from_png(path.c_str())};
    if (cairo_surface_status(surface.handle) != CAIRO_STATUS_SUCCESS)
        throw Error(ErrorKind::file, fmt::format("'{}' cannot be read as a PNG: {}", path.string(),
                                                 cairo_status_to_string(cairo_surface_status(surface.handle))));
    Image image = blank(cairo_image_surface_get_width(surface.handle), cairo_image_surface_get_height(surface.handle));
    const unsigned char* rows = cairo_image_surface_get_data(surface.handle);
    const int stride = cairo_image_surface_get_stride(surface.handle);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, rows + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, 4);
            set(image, x, y,
                {static_cast<std::uint8_t>(pixel >> 16), static_cast<std::uint8_t>(pixel >> 8),
                 static_cast<std::uint8_t>(pixel), 255});
        }
    return image;
}

void write_small_png(const std::filesystem::path& path, const Image& image) {
    const Surface surface{cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.width, image.height)};
    unsigned char* rows = cairo_image_surface_get_data(surface.handle);
    const int stride = cairo_image_surface_get_stride(surface.handle);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const Image::Pixel pixel = image.at(x, y);
            const std::uint32_t packed =
                static_cast<std::uint32_t>(pixel.r) << 16 | static_cast<std::uint32_t>(pixel.g) << 8 | pixel.b;
            std::memcpy(rows + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, &packed, 4);
        }
    cairo_surface_mark_dirty(surface.handle);
    if (const cairo_status_t status = cairo_surface_write_to_png(surface.handle, path.c_str()))
        throw Error(ErrorKind::file,
                    fmt::format("'{}' cannot be written: {}", path.string(), cairo_status_to_string(status)));
}

}  // namespace convscope::app
