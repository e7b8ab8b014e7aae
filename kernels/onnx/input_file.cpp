#include "kernels/onnx/input_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_PNM
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 32768
#include <stb/stb_image.h>

#include "kernels/core/error.h"
#include "kernels/core/printable.h"
#include "kernels/files/npy_bytes.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/zero_patterns.h"

namespace convscope {
namespace {

constexpr std::size_t max_picture_bytes = std::size_t{256} << 20;

[[noreturn]] void reject(const std::filesystem::path& path, const std::string& what) {
    throw Error(ErrorKind::file, fmt::format("{}: {}", path.string(), what));
}

/// "1x3x224x224"; a size that the model leaves open is "?".
std::string sizes_text(const NpyShape& shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += fmt::format("{}{}", text.empty() ? "" : "x", size < 1 ? std::string("?") : fmt::format("{}", size));
    return text;
}

bool fits(const NpyShape& shape, const NpyShape& wanted) {
    return std::ranges::equal(shape, wanted, [](std::int64_t a, std::int64_t b) { return b < 1 || a == b; });
}

/// A model without a stated shape takes (n, c, h, w).
NpyShape wanted_shape(const OnnxModel& model) {
    return model_input(model).shape.value_or(NpyShape(4, -1));
}

void normalize(ModelArray& array, const InputScaling& scaling) {
    const std::int64_t channels = array.shape.size() < 2 ? 1 : array.shape[1];
    for (const auto& [flag, numbers] : {std::pair{"--mean", &scaling.mean}, std::pair{"--std", &scaling.std}})
        if (numbers->size() > 1 && std::ssize(*numbers) != channels)
            throw Error(ErrorKind::usage, fmt::format("{} has {} numbers for {} channels; give one for all, or {}",
                                                      flag, numbers->size(), channels, channels));
    const auto of = [](const std::vector<double>& numbers, std::size_t channel, double otherwise) {
        return numbers.empty() ? otherwise : numbers[numbers.size() == 1 ? 0 : channel];
    };
    std::size_t map = 1;
    for (std::size_t i = 2; i < array.shape.size(); ++i) map *= static_cast<std::size_t>(array.shape[i]);
    for (std::size_t i = 0; i < array.data.size(); ++i) {
        const std::size_t channel = i / map % static_cast<std::size_t>(channels);
        const double value = static_cast<double>(array.data[i]) / 255;
        array.data[i] = static_cast<float>((value - of(scaling.mean, channel, 0)) / of(scaling.std, channel, 1));
    }
}

template <class Element>
void append(const NpyBytes& array, std::vector<float>& values) {
    for (std::size_t at = 0; at < array.data.size(); at += sizeof(Element)) {
        Element value;
        std::memcpy(&value, array.data.data() + at, sizeof value);
        values.push_back(static_cast<float>(value));
    }
}

ModelArray read_array(const std::filesystem::path& path, const OnnxModel& model, const InputScaling& scaling) {
    if (scaling.resize)
        throw Error(ErrorKind::usage, fmt::format("--resize is of pictures; {} is an array", path.string()));
    const NpyBytes file = read_npy_bytes(path);
    ModelArray array{file.shape, {}};
    if (file.data.empty()) reject(path, "it has no elements");
    if (file.data.size() / file.element_bytes() > std::size_t{std::numeric_limits<std::int32_t>::max()})
        reject(path, fmt::format("its shape {} has more than 2^31 - 1 elements", to_string(file.shape)));
    if (file.type == "f4")
        append<float>(file, array.data);
    else if (file.type == "f8")
        append<double>(file, array.data);
    else if (file.type == "u1")
        append<std::uint8_t>(file, array.data);
    else
        reject(path, fmt::format("its elements are of type '{}'; accepted are float32, float64 and uint8", file.type));
    const NpyShape wanted = wanted_shape(model);
    if (array.shape.size() + 1 == wanted.size()) array.shape.insert(array.shape.begin(), 1);
    if (!fits(array.shape, wanted))
        reject(path, fmt::format("its shape is {}; {} takes {}", to_string(file.shape), model.path.string(),
                                 sizes_text(wanted)));
    if (file.type == "u1")
        normalize(array, scaling);
    else if (!scaling.mean.empty() || !scaling.std.empty())
        throw Error(ErrorKind::usage,
                    fmt::format("--mean and --std are of pictures and arrays of uint8; {} has floats", path.string()));
    return array;
}

/// Bytes of a PNG's pixels before they are compressed: a filter byte and the samples of each row.
std::size_t png_bytes(const std::string& file) {
    const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(file[at])}; };
    const auto number = [&](std::size_t at) {
        return byte(at) << 24U | byte(at + 1) << 16U | byte(at + 2) << 8U | byte(at + 3);
    };
    constexpr std::size_t width_at = 16, height_at = 20, depth_at = 24, color_at = 25;
    constexpr std::size_t samples[] = {1, 0, 3, 1, 2, 0, 4};  // of a pixel, by colour type
    const std::size_t color = std::min<std::size_t>(byte(color_at), 6);
    return number(height_at) * (1 + (number(width_at) * samples[color] * byte(depth_at) + 7) / 8);
}

/// Throws where the file is too short for the pixels that it claims to have: memory for them is allocated before they
/// are read.
void require_pixels(const std::filesystem::path& path, const std::string& file, int width, int height, int channels) {
    constexpr std::size_t max_compression = 1032, png_header_bytes = 33;  // what deflate can reach
    const bool png = file.starts_with("\x89PNG");
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    const bool there = png ? file.size() >= png_header_bytes && png_bytes(file) <= file.size() * max_compression
                           : pixels * static_cast<std::size_t>(channels) <= file.size();
    if (!there)
        reject(path, fmt::format("it has {} bytes, too few for a picture of {}x{}", file.size(), width, height));
}

struct Picture {
    std::int64_t width = 0, height = 0, channels = 0;
    std::vector<float> samples;  ///< channel by channel, 0 to 255
};

Picture read_picture(const std::filesystem::path& path, const std::string& file, std::int64_t wanted_channels) {
    const auto* const bytes = reinterpret_cast<const stbi_uc*>(file.data());
    const int size = static_cast<int>(file.size());
    int width = 0, height = 0, channels = 0;
    if (stbi_info_from_memory(bytes, size, &width, &height, &channels) == 0)
        reject(path, "this is neither a .npy array nor a picture that is read; accepted are PNG, PPM and PGM");
    require_pixels(path, file, width, height, channels);
    // Without alpha; as the model takes it or, where it says nothing, as the picture is.
    const std::int64_t kept = wanted_channels > 0 ? wanted_channels : channels < 3 ? 1 : 3;
    if (kept != 1 && kept != 3)
        reject(path, fmt::format("a picture has 1 or 3 channels; the model takes {}: give a .npy array", kept));
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(bytes, size, &width, &height, &channels, static_cast<int>(kept)), stbi_image_free);
    if (!pixels) reject(path, fmt::format("the picture cannot be read: {}", stbi_failure_reason()));
    Picture picture{width, height, kept, {}};
    const std::int64_t map = picture.width * picture.height;
    picture.samples.resize(static_cast<std::size_t>(kept * map));
    for (std::int64_t c = 0; c < kept; ++c)
        for (std::int64_t i = 0; i < map; ++i)
            picture.samples[static_cast<std::size_t>(c * map + i)] = static_cast<float>(pixels.get()[i * kept + c]);
    return picture;
}

/// The two samples between which the centre of output 'at' lies, and the second one's share.
struct Between {
    std::int64_t first, second;
    float share;
};
Between between(std::int64_t at, std::int64_t size, std::int64_t outputs, Resize resize) {
    const double step = static_cast<double>(size) / static_cast<double>(outputs);
    const double place = (static_cast<double>(at) + 0.5) * step;
    if (resize == Resize::nearest) {
        const auto nearest = std::min(static_cast<std::int64_t>(place), size - 1);
        return {nearest, nearest, 0};
    }
    const double centre = std::clamp(place - 0.5, 0.0, static_cast<double>(size - 1));
    const auto first = static_cast<std::int64_t>(centre);
    return {first, std::min(first + 1, size - 1), static_cast<float>(centre - static_cast<double>(first))};
}

Picture resized(const Picture& from, std::int64_t height, std::int64_t width, Resize resize) {
    Picture to{width, height, from.channels, {}};
    for (std::int64_t c = 0; c < from.channels; ++c)
        for (std::int64_t row = 0; row < height; ++row)
            for (std::int64_t column = 0; column < width; ++column) {
                const Between y = between(row, from.height, height, resize);
                const Between x = between(column, from.width, width, resize);
                const auto sample = [&](std::int64_t h, std::int64_t w) {
                    return from.samples[static_cast<std::size_t>((c * from.height + h) * from.width + w)];
                };
                const float above = std::lerp(sample(y.first, x.first), sample(y.first, x.second), x.share);
                const float below = std::lerp(sample(y.second, x.first), sample(y.second, x.second), x.share);
                to.samples.push_back(std::lerp(above, below, y.share));
            }
    return to;
}

ModelArray read_image(const std::filesystem::path& path, const std::string& file, const OnnxModel& model,
                      const InputScaling& scaling) {
    const NpyShape wanted = wanted_shape(model);
    if (wanted.size() != 4 || wanted[0] > 1)
        reject(path, fmt::format("a picture is 1x3xHxW or 1x1xHxW; {} takes {}: give a .npy array", model.path.string(),
                                 sizes_text(wanted)));
    Picture picture = read_picture(path, file, wanted[1]);
    const std::int64_t height = wanted[2] > 0 ? wanted[2] : picture.height;
    const std::int64_t width = wanted[3] > 0 ? wanted[3] : picture.width;
    if (height != picture.height || width != picture.width) {
        if (!scaling.resize)
            reject(path,
                   fmt::format("the picture is {} wide and {} high; {} takes {} and {}: give --resize bilinear or "
                               "--resize nearest",
                               picture.width, picture.height, model.path.string(), width, height));
        picture = resized(picture, height, width, *scaling.resize);
    }
    ModelArray array{{1, picture.channels, height, width}, std::move(picture.samples)};
    normalize(array, scaling);
    return array;
}

}  // namespace

ModelArray read_input(const std::filesystem::path& path, const OnnxModel& model, const InputScaling& scaling) {
    const std::string file = read_text_file(path, max_picture_bytes);
    if (file.starts_with("\x93NUMPY")) return read_array(path, model, scaling);
    return read_image(path, file, model, scaling);
}

ModelArray drawn_input(const OnnxModel& model) {
    const OnnxValue& input = model_input(model);
    NpyShape shape = wanted_shape(model);
    if (input.shape && !shape.empty() && shape[0] < 1) shape[0] = 1;
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        if (size < 1 || elements > std::numeric_limits<std::int32_t>::max() / size)
            model.reject(
                fmt::format("no values can be drawn for its input '{}', which is {}: give it a picture or a "
                            ".npy array",
                            printable(input.name), sizes_text(wanted_shape(model))));
        elements *= size;
    }
    Tensor drawn(1, 1, 1, elements);
    fill_nonzero(drawn, 1, false);
    return {shape, std::move(drawn.data)};
}

bool is_picture_file(const std::filesystem::path& path) {
    const std::filesystem::path ending = path.extension();
    return ending == ".png" || ending == ".ppm" || ending == ".pgm";
}

}  // namespace convscope
