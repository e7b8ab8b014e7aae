#include "app/ui/layout_view/layer_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/layers/layer_words.h"

namespace convscope::app {
namespace {

constexpr double writing_ms = 8;  // of a frame, for writing and aggregating

/// A row of words of which one is chosen.
template <class Value>
void segments(const std::string& name, const std::vector<std::pair<Value, std::string>>& items, Value& chosen) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto& [value, label] = items[i];
        if (i > 0) ImGui::SameLine(0, px(4));
        if (segment((name + label).c_str(), label.c_str(), value == chosen)) chosen = value;
    }
}

/// Where a channel begins in a row or a column of the array; nothing where channels have no place of their own.
struct ChannelPlace {
    std::int64_t row = 0, col = 0;
};
std::optional<ChannelPlace> place_of_channel(LayerArray array, const ConvShape& shape, std::int64_t channel) {
    switch (array) {
        case LayerArray::x: {
            const std::int64_t across = channel_grid(shape.c).across;
            return ChannelPlace{channel / across * shape.h, channel % across * shape.w};
        }
        case LayerArray::w:
            return ChannelPlace{0, channel * shape.window()};
        case LayerArray::im2col:
        case LayerArray::L:
            return ChannelPlace{0, channel};
        default:
            return std::nullopt;
    }
}

/// An element of im2col's matrix, or a slot of ECR's, meets a weight of each filter.
std::optional<double> nonzero_share(const Snapshot& snapshot, const LayerArraySpec& spec) {
    const ConvShape& shape = snapshot.workload->spec.shape;
    const bool windows =
        spec.array == LayerArray::im2col || spec.array == LayerArray::F_data || spec.array == LayerArray::K_index;
    if (!windows || shape.groups > 1 || snapshot.flops_effective <= 0) return {};
    return snapshot.flops_effective / (2 * static_cast<double>(shape.k) * static_cast<double>(spec.elements()));
}

void item_at(const char* name, ImVec2 from, ImVec2 to) {
    if (ItemRegistry::active && to.x > from.x) ItemRegistry::active->add(name, from, to);
}

}  // namespace

LayerPanel::LayerPanel(GridRenderer& renderer, std::function<void()> wake)
    : renderer_(renderer), builder_(std::move(wake)), view_(renderer) {}

bool LayerPanel::busy() const {
    return scene_ && (state_.camera != state_.target || !scene_->complete() || builder_.busy() || renderer_.building());
}

void LayerPanel::release() {
    if (!shown_ && problem_.empty()) return;
    builder_.stop();
    scene_.reset();
    shown_.reset();
    problem_.clear();
    result_ = {};
    frame_bytes_ = 0;
}

void LayerPanel::choose(Frame& frame, const std::vector<LayerArray>& arrays) {
    LayerChoice& choice = frame.session.layer;
    LayerArray& chosen = choice.array[frame.session.tab.index()];
    if (std::ranges::find(arrays, chosen) == arrays.end()) chosen = arrays.front();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    std::vector<std::pair<LayerArray, std::string>> names;
    for (const LayerArray array : arrays) names.emplace_back(array, to_string(array));
    segments("layer/", names, chosen);
    const std::string label = "a pixel shows";
    std::vector<std::pair<Aggregate, std::string>> shows;
    float width = 0;
    for (int i = 0; i < aggregate_count; ++i) {
        shows.emplace_back(static_cast<Aggregate>(i), to_string(static_cast<Aggregate>(i)));
        width += ImGui::CalcTextSize(shows.back().second.c_str()).x + px(16 + 4);
    }
    ImGui::SameLine(0, px(24));
    const float right = ImGui::GetContentRegionMax().x - width;
    const float words = ImGui::CalcTextSize(label.c_str()).x + px(8);
    if (right > ImGui::GetCursorPosX()) {
        if (right - words > ImGui::GetCursorPosX()) {
            ImGui::SetCursorPosX(right - words);
            ImGui::AlignTextToFramePadding();
            ImGui::TextDisabled("%s", label.c_str());
            ImGui::SameLine(0, px(8));
        }
        ImGui::SetCursorPosX(right);
    }
    segments("layer/show ", shows, choice.aggregate);
    ImGui::PopStyleVar();
    ImGui::Dummy({0, px(2)});
}

/// The scene of what is requested, filled a little further.
void LayerPanel::keep_up(const LayerRequest& wanted, const LayerArraySpec& spec, const LayerPath& path) {
    if (!shown_ || *shown_ != wanted) {
        const bool other_array = !shown_ || shown_->array != wanted.array || shown_->workload != wanted.workload;
        shown_ = wanted;
        scene_.reset();   // before the next one takes its memory
        builder_.stop();  // what it has ready is of the scene before
        problem_.clear();
        result_ = {};  // places in another array mean nothing in this one
        scene_ = std::make_unique<LayerScene>(spec, wanted.part, wanted.workload, renderer_.pyramid_programs(), path);
        if (other_array) state_.camera = state_.target = {};
        builder_.request(wanted, {scene_->by_gpu(), 0});
    }
    if (std::string error = builder_.take_error(); !error.empty()) {
        problem_ = std::move(error);
        scene_.reset();
    }
    if (scene_) write(wanted);
}

/// The image that is ready, into the scene. From where the GPU fails on, the host prepares the images.
void LayerPanel::write(const LayerRequest& wanted) {
    if (scene_->wants_piece())
        if (auto piece = builder_.take()) scene_->take(std::move(*piece));
    frame_bytes_ = scene_->advance(writing_ms);
    std::string failure = scene_->take_failure();
    if (failure.empty()) return;
    failure_ = std::move(failure);
    builder_.request(wanted, {scene_->by_gpu(), scene_->rows_written() / wanted.part.rows_per_image});
}

/// The fields that choose one map's image and channel lead to them here.
void LayerPanel::follow_selection(const Frame& frame, const LayerArraySpec& spec) {
    const Selection& selection = frame.session.choices.selection;
    const bool image = selection.image != followed_.image, channel = selection.channel != followed_.channel;
    followed_ = selection;
    if (!image && !channel) return;
    const LayerPart& part = scene_->part();
    const std::int64_t top =
        std::clamp<std::int64_t>(selection.image - part.first_image, 0, part.images - 1) * part.rows_per_image;
    const ConvShape& shape = frame.snapshot->group->spec.shape;
    const auto place = place_of_channel(spec.array, shape, selection.channel % shape.c);
    LayerCamera& target = state_.target;
    const LayerWindow& window = view_.window();
    const double row_in_image = place && channel ? static_cast<double>(place->row) : 0;
    const double row =
        image || (place && channel && place->row > 0) ? static_cast<double>(top) + row_in_image : target.row;
    target = scrolled_to(target, window, spec.images > 1 || channel ? row : target.row,
                         place && channel ? static_cast<double>(place->col) : target.col);
}

void LayerPanel::take_moves(Session& session) {
    if (!session.requested.layer) return;
    const LayerWindow& window = view_.window();
    const double x = window.width / 2, y = window.height / 2;
    LayerCamera& target = state_.target;
    switch (*std::exchange(session.requested.layer, std::nullopt)) {
        case LayerMove::fit:
            target = fitted(window);
            break;
        case LayerMove::one_to_one:
            target = one_to_one(target, window);
            break;
        case LayerMove::values:
            target = zoomed(target, window, 1e9, x, y);
            break;
        case LayerMove::closer:
            target = zoomed(target, window, 2, x, y);
            break;
        case LayerMove::farther:
            target = zoomed(target, window, 0.5, x, y);
            break;
        case LayerMove::next_copy:
            if (session.layer.pinned) to_next_copy(*session.layer.pinned);
            break;
    }
}

/// So close that values are printed.
void LayerPanel::to_next_copy(const InputElement& element) {
    const LayerPart& part = scene_->part();
    const std::int64_t first = first_row(scene_->spec(), part);
    if (!has_element(shown_->workload->spec.shape, element)) return;
    const auto cell = pin_.next_copy(*shown_->workload, scene_->spec().array, element, first, part.rows());
    if (!cell) return;
    const LayerWindow& window = view_.window();
    const LayerCamera close = zoomed(state_.target, window, 1e9, window.width / 2, window.height / 2);
    state_.target =
        centred(close, window, static_cast<double>(cell->row - first) + 0.5, static_cast<double>(cell->col) + 0.5);
}

/// The input behind the one element under the pointer, in the latest frame.
std::optional<InputElement> LayerPanel::pointed_element() const {
    if (!result_.pointed || !result_.pointed->one() || !scene_) return std::nullopt;
    const LayerArraySpec& spec = scene_->spec();
    const std::int64_t row = first_row(spec, scene_->part()) + result_.pointed->row0;
    return input_behind(spec.array, *shown_->workload, row, result_.pointed->col0);
}

/// A click pins the element of the input behind what is clicked.
void LayerPanel::take_pin(Session& session) {
    if (!result_.clicked) return;
    if (const auto element = pointed_element()) session.layer.pinned = element;
}

void LayerPanel::draw(Frame& frame, Format format, const LayerPath& path, const ViewStyle& style) {
    frame_bytes_ = 0;
    lead_ = {};
    const std::vector<LayerArray> arrays = layer_arrays(format);
    choose(frame, arrays);
    const ConvShape& shape = frame.snapshot->group->spec.shape;
    const LayerArray array = frame.session.layer.array[frame.session.tab.index()];
    try {
        const LayerArraySpec spec = layer_array(array, shape);
        const LayerPart part = part_that_fits(spec, frame.snapshot->selection.image, layer_budget_bytes);
        keep_up({frame.snapshot->group, array, part}, spec, path);
        if (!scene_) return problem(problem_);
        state_.aggregate = frame.session.layer.aggregate;
        LayerWords words;
        lead_ = layer_lead(spec, nonzero_share(*frame.snapshot, spec));
        words.summary = layer_summary(spec, part, style.notation);
        words.note = part_words(spec, part, layer_budget_bytes);
        if (words.note.empty()) words.note = spec.meaning;
        if (const std::int64_t groups = frame.snapshot->workload->spec.shape.groups; groups > 1) {
            lead_.after += fmt::format(", of group {} of {}", frame.snapshot->group_index, groups);
            words.note = fmt::format("Group {} of {}, that of the chosen channel. {}", frame.snapshot->group_index,
                                     groups, words.note);
        }
        words.place = [&](std::int64_t row, std::int64_t col) { return place_words(spec, shape, part, row, col); };
        const LayerMarks& marks = pin_.marks(shown_->workload, array, pointed_element(), frame.session.layer.pinned,
                                             frame.snapshot->group_index * shape.c);
        result_ = view_.draw(*scene_, state_, words, marks, true, style);
        take_pin(frame.session);
        // From here on the view knows its size; the next frame sets out.
        follow_selection(frame, spec);
        take_moves(frame.session);
        item_at("layer/cells", result_.cells_min, result_.cells_max);
        item_at("layer/minimap", result_.minimap_min, result_.minimap_max);
        const ImVec2 map_min = result_.minimap_min, map_max = result_.minimap_max;
        if (array == LayerArray::x && map_max.x > map_min.x)
            picture_.draw(frame.snapshot->workload->spec, {map_min.x, map_max.y + style.px(16)}, map_max.x - map_min.x,
                          result_.cells_max.y, style);
    } catch (const std::exception& error) {
        scene_.reset();
        problem_ = error.what();
        problem(problem_);
    }
}

}  // namespace convscope::app
