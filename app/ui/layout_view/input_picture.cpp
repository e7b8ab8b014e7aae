#include "app/ui/layout_view/input_picture.h"

#include <algorithm>
#include <cmath>

#include "app/ui/input/item_registry.h"
#include "kernels/core/error.h"
#include "kernels/formats/array_file.h"
#include "kernels/layers/network.h"
#include "visualizers/style/math_view.h"

namespace convscope::app {
namespace {

/// The first layer's file, where the layer has another map of the same network.
std::string path_of_picture(const WorkloadSpec& layer) {
    const Network* network = network_of_layer(layer.name);
    if (!network || layer.source != Source::file) return {};
    const WorkloadSpec& first = network->layers.front().spec;
    const bool other = first.source == Source::file && first.input_path != layer.input_path;
    return other && first.shape.c == 1 ? first.input_path : std::string();
}

}  // namespace

void InputPicture::load(const std::string& path) {
    path_ = path;
    picture_ = {};
    if (path.empty()) return;
    try {
        NpyArray array = read_array(path);
        const std::size_t rank = array.shape.size();
        picture_ = Tensor(1, 1, array.shape[rank - 2], array.shape[rank - 1]);
        picture_.data = std::move(array.data);
    } catch (const Error&) {
        // The maps are shown without it.
    }
}

void InputPicture::draw(const WorkloadSpec& layer, ImVec2 corner, float width, float bottom, const ViewStyle& style) {
    drawn_ = false;
    if (const std::string path = path_of_picture(layer); path != path_) load(path);
    if (picture_.data.empty()) return;
    const float height = std::round(width * static_cast<float>(picture_.h) / static_cast<float>(picture_.w));
    const float words = style.caption()->FontSize + style.px(4);
    if (corner.y + height + words > bottom) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float largest = *std::ranges::max_element(picture_.data);
    auto edge = [](float from, float extent, std::int64_t i, std::int64_t count) {
        return std::round(from + extent * static_cast<float>(i) / static_cast<float>(count));
    };
    for (std::int64_t h = 0; h < picture_.h; ++h)
        for (std::int64_t w = 0; w < picture_.w; ++w) {
            const float grey = std::clamp(picture_.at(0, 0, h, w) / largest, 0.0F, 1.0F);
            list->AddRectFilled({edge(corner.x, width, w, picture_.w), edge(corner.y, height, h, picture_.h)},
                                {edge(corner.x, width, w + 1, picture_.w), edge(corner.y, height, h + 1, picture_.h)},
                                Rgba{grey, grey, grey}.u32());
        }
    draw_shortened_words(style.caption(), {corner.x, std::round(corner.y + height + style.px(4))}, width, "input image",
                         style.theme->text_dim, style);
    if (ItemRegistry::active) ItemRegistry::active->add("layer/picture", corner, {corner.x + width, corner.y + height});
    drawn_ = true;
}

}  // namespace convscope::app
