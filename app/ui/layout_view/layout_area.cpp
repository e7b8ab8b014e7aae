#include "app/ui/layout_view/layout_area.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <charconv>

#include "app/lessons/hideable.h"
#include "app/session/pin.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/keys.h"
#include "app/ui/layout_view/block_row.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"
#include "visualizers/explain/link_copies.h"
#include "visualizers/explain/math_text.h"

namespace convscope::app {
namespace {

/// 0 of "cuda:0"; nothing for a device that is not a GPU.
std::optional<int> cuda_index(const std::string& id) {
    if (!id.starts_with("cuda:")) return std::nullopt;
    int index = 0;
    std::from_chars(id.data() + 5, id.data() + id.size(), index);
    return index;
}

bool exists(const LayoutScene& scene, const ElementRef& element) {
    const SceneArray* array = scene.find(element.array);
    return array && element.cell.row < array->spec.rows && element.cell.col < array->spec.cols;
}

std::vector<ArrayId> concealed_arrays(const LessonChoice& lesson) {
    std::vector<ArrayId> arrays;
    for (std::size_t i = 0; i < array_count; ++i)
        if (const auto array = static_cast<ArrayId>(i); lesson.hides(to_string(array))) arrays.push_back(array);
    return arrays;
}

/// Names the part of the layer that is on screen; empty when all of it is.
std::string slice_note(const ConvShape& shape, const Selection& selection) {
    std::string parts;
    auto add = [&parts](const char* name, std::int64_t which, std::int64_t count) {
        if (count > 1)
            parts += fmt::format("{}{} {} (0 to {})", parts.empty() ? "" : ", ", name, which, format_count(count - 1));
    };
    add("image", selection.image, shape.n);
    add("channel", selection.channel, shape.c);
    add("filter", selection.filter, shape.k);
    if (parts.empty()) return {};
    const std::int64_t summed = shape.group_channels();
    return fmt::format("Shown: {}{}.", parts,
                       summed > 1 ? fmt::format("; the layer's output sums all {} channels{}", format_count(summed),
                                                shape.groups > 1 ? " of its group" : "")
                                  : "");
}

}  // namespace

LayoutArea::LayoutArea(std::function<void()> wake)
    : host_builder_(make_host_layout_builder()), layer_(layer_renderer_, wake), formats_(layer_renderer_, wake) {}

void LayoutArea::begin_frame(bool animate) {
    views_.begin_frame(animate);
    layer_renderer_.begin_frame();
    frame_bytes_ = 0;
}

std::string LayoutArea::traffic() const {
    if (interop_) return fmt::format("{} \u00b7 0 B/frame", path_);
    return fmt::format("{} \u00b7 {} up, {}/frame", path_, format_bytes(rebuild_bytes_), format_bytes(frame_bytes_));
}

/// A lesson's step begins with no block row or name chosen; what was chosen before the lesson comes back after it.
void LayoutArea::follow_lesson(const LessonChoice& lesson) {
    if (lesson.open.empty()) {
        if (own_states_) states_ = *std::exchange(own_states_, std::nullopt);
    } else if (begun_ != lesson.begun) {
        if (!own_states_) own_states_ = states_;
        states_ = {};
    }
    begun_ = lesson.begun;
}

void LayoutArea::draw(Frame& frame, const ViewStyle& style) {
    follow_lesson(frame.session.lesson);
    walk_links(frame.session);
    result_ = {};
    open_device(frame);
    if (!style.presented) tabs(frame);
    const ImVec2 of_lead = ImGui::GetCursorScreenPos();
    const float lead = lead_height();
    ImGui::SetCursorScreenPos({of_lead.x, of_lead.y + lead});
    if (!style.presented) bars(frame);
    if (!frame.snapshot) {
        note(frame.session.rejection.empty() ? "Building the layer..." : frame.session.rejection);
    } else {
        content(frame, style);
    }
    frame.session.requested.play.reset();  // of a page that plays nothing
    frame.session.hovered = result_.pointed;
    ImGui::SetCursorScreenPos({of_lead.x, of_lead.y});
    draw_lead(result_.lead, {.height = lead});
}

void LayoutArea::content(Frame& frame, const ViewStyle& style) {
    Session& session = frame.session;
    const bool pooled = frame.snapshot->map_shape.pooled();
    const bool no_array = session.tab == "solutions" || session.tab == "balance" || session.tab == "formats" ||
                          (session.tab == "pecr" && !pooled);
    if (no_array) session.requested.layer.reset();
    if (session.tab != "formats") formats_.release();
    // Until the chosen layer is built, its page may have arrays that the one on screen has not.
    if ((no_array && frame.shows_chosen_layer()) || session.layer.whole) session.multiplication = {};
    if (session.tab == "pecr" && !pooled) return no_pooling(frame);
    if (session.tab == "solutions") {
        result_.links.sentence = solutions_.draw(frame, style);
        result_.lead = solutions_.lead();
        return;
    }
    if (session.tab == "formats") {
        result_.links.sentence = formats_.draw(frame, style);
        result_.lead = formats_.lead();
        describe_place(frame);
        return;
    }
    if (session.tab == "balance") {
        balance_.draw(frame, pooled ? Format::pecr : Format::ecr, threads(frame, pooled ? "pecr1" : "ecr1"), style);
        result_.lead = balance_.lead();
        return;
    }
    // Another layer is seen whole; other data of the same one from where the user is.
    if (const ConvShape& shape = frame.snapshot->workload->spec.shape; zoomed_ != shape) {
        if (zoomed_)
            for (LayoutViewState& state : states_) state.cameras.clear(), state.companion_cameras.clear();
        zoomed_ = shape;
    }
    const Format format = session.tab == "pecr"                            ? Format::pecr
                          : session.tab == "lowering"                      ? Format::mec
                          : session.tab == "output" && session.layer.whole ? Format::im2col
                          : session.tab == "output" && pooled              ? Format::pecr
                                                                           : Format::ecr;
    if (!session.layer.whole) {
        layer_.release();
        // The pictures of one map have a camera for each array: all of them show everything again.
        if (session.requested.layer == LayerMove::fit) states_[session.tab.index()].cameras.clear();
        session.requested.layer.reset();
        return one_map(frame, format, style);
    }
    whole_layer(frame, format, style);
}

/// What the formats on screen, and the layouts of the other pages, have of the element that the Formats page is about.
void LayoutArea::describe_place(Frame& frame) {
    const MatrixOf of = frame.session.pages.formats.of;
    const std::optional<FormatCell>& place = formats_.place();
    result_.pointed = in_map(frame, of, place);
    if (frame.session.lesson.hides(lessons::summary_word)) return;
    std::vector<std::string>& details = result_.links.details = formats_.kept();
    const std::optional<InputElement> input = in_layer(frame, of, place);
    if (result_.pointed && result_.pointed->array == ArrayId::x)
        details.push_back("in the layouts of this map: " +
                          describe_copies(scene(frame, Format::ecr).scene->map_values(), result_.pointed->cell));
    else if (input)
        details.push_back("in the layouts of the layer: " +
                          describe_copies(*input, *frame.snapshot->group,
                                          frame.snapshot->group_index * frame.snapshot->group->spec.shape.c));
}

void LayoutArea::whole_layer(Frame& frame, Format format, const ViewStyle& style) {
    layer_.draw(frame, format, {cuda_, device_builder(frame.snapshot->map_shape)}, style);
    const LayerScene* scene = layer_.scene();
    if (scene) path_ = scene->describe();
    interop_ = scene && scene->by_gpu();
    rebuild_bytes_ = scene ? scene->host_bytes() : 0;
    frame_bytes_ = layer_.frame_bytes();
    if (std::string failure = layer_.take_failure(); !failure.empty()) failure_ = std::move(failure);
    result_.links = layer_.links();
    result_.lead = layer_.lead();
    if (!result_.links.sentence.empty()) result_.pointed = result_.links.focus;
}

/// One channel of one image and one filter, as the papers draw them.
void LayoutArea::one_map(Frame& frame, Format format, const ViewStyle& style) {
    Session& session = frame.session;
    LayoutViewState& state = states_[session.tab.index()];
    // MEC has no L of a dilated layer; im2col is shown alone.
    const bool only_im2col = session.tab == "lowering" && frame.snapshot->map_shape.dilated();
    const CachedScene& cached = scene(frame, only_im2col ? Format::im2col : format);
    const CachedScene& second = session.tab == "lowering" ? scene(frame, Format::im2col) : cached;
    for (const CachedScene* each : {&cached, &second})
        if (!each->problem.empty()) return problem(each->problem);
    path_ = cached.scene->describe();
    if (!cached.gpu_failure.empty()) path_ += fmt::format("; the GPU's build failed: {}", cached.gpu_failure);
    interop_ = cached.scene->interop() && second.scene->interop();
    rebuild_bytes_ = cached.scene->host_bytes() + (&second != &cached ? second.scene->host_bytes() : 0);
    state.aggregate = session.layer.map_aggregate;
    const CompanionScene other = companion(frame);
    views_.accompany(other, session.lit ? &*session.lit : nullptr);
    views_.conceal(concealed_arrays(session.lesson), session.lesson.hides(lessons::summary_word));

    // Until the chosen layer is built, what is pinned may not exist in the one on screen.
    const bool up_to_date = frame.shows_chosen_layer();
    const bool has_keys = focus_order().leaves_keys_to_view() && !ImGui::GetIO().KeyShift && !arrows_are_taken();
    const bool blocks = session.tab == "ecr" || session.tab == "pecr";
    if (up_to_date && has_keys && !session.multiplication.y) step_by_arrows(session, *cached.scene, *second.scene);
    if (up_to_date)
        multiplication_.update(frame, {blocks ? shown_block_row(session, *frame.snapshot, format) : 0, 0}, has_keys);
    const MultiplicationChoice& multiplied = session.multiplication;
    views_.multiply({multiplied.y, multiplied.plays, multiplied.held});
    state.pinned = pinned(session);
    // Esc that leaves a slide unpins nothing.
    const bool unpins = pressed(Key::escape) && !focus_order().took_escape() && !style.presented;
    if (state.pinned || unpins) state.pinned_group.reset();
    const std::optional<LinkGroup> group = state.pinned_group;
    state.note = slice_note(frame.snapshot->workload->spec.shape, frame.snapshot->selection);
    const LayoutScene& third = other.scene ? *other.scene : *cached.scene;
    if (state.pinned && !exists(*cached.scene, *state.pinned) && !exists(*second.scene, *state.pinned) &&
        !exists(third, *state.pinned))
        state.pinned.reset();
    if (blocks) {
        state.block = shown_block_row(session, *frame.snapshot, format);
        result_ = format == Format::ecr ? views_.ecr(*cached.scene, state, threads(frame, "ecr1"), style)
                                        : views_.pecr(*cached.scene, state, threads(frame, "pecr1"), style);
        choose_block_row(session, *frame.snapshot, format, state.block);
    }
    if (only_im2col)
        result_ = views_.map(*cached.scene, ArrayId::im2col, state, {}, style);
    else if (session.tab == "lowering")
        result_ = views_.mec(*cached.scene, *second.scene, state, style);
    if (session.tab == "output") result_ = views_.output(*cached.scene, state, style);
    if (!up_to_date) return;
    const bool pinned_now =
        (state.pinned && state.pinned != pinned(session)) || (state.pinned_group && state.pinned_group != group);
    if (pinned_now) session.multiplication = {};
    pin(session, state.pinned);
    multiplication_.advance(frame, result_);
}

/// The second layout that was chosen, built from the same map.
CompanionScene LayoutArea::companion(Frame& frame) {
    const std::optional<Format> chosen = bar_.companion(frame);
    if (!chosen) return {};
    const CachedScene& cached = scene(frame, *chosen);
    if (!cached.problem.empty()) return {};
    return {cached.scene.get(), threads(frame, *chosen == Format::pecr ? "pecr1" : "ecr1")};
}

/// The arrows move what is pinned by a cell; with nothing pinned they begin at the first input.
void LayoutArea::step_by_arrows(Session& session, const LayoutScene& scene, const LayoutScene& second) const {
    const int rows = pressed(Key::down, true) - pressed(Key::up, true);
    const int cols = pressed(Key::right, true) - pressed(Key::left, true);
    if (rows == 0 && cols == 0) return;
    ElementRef next{ArrayId::x, {0, 0}};
    if (const auto& pin = pinned(session)) next = {pin->array, {pin->cell.row + rows, pin->cell.col + cols}};
    if (next.cell.row < 0 || next.cell.col < 0) return;
    if (exists(scene, next) || exists(second, next)) pin(session, next);
}

/// Shift and the arrows: on to what the pinned element is linked with, by the links of the frame before.
void LayoutArea::walk_links(Session& session) {
    if (!focus_order().leaves_keys_to_view() || arrows_are_taken()) return;
    if (const auto next = cursor_.move(pinned(session), result_.links)) pin(session, next);
}

void LayoutArea::no_pooling(Frame& frame) {
    result_.lead = {"PECR needs a ", "pooling", " layer: it fuses convolution, ReLU and max-pooling"};
    if (button("pecr/pool", "Add 2x2 pooling")) {
        ConvShape& shape = frame.session.choices.workload.shape;
        shape.pool_h = shape.pool_w = 2;
        shape.pool_stride = std::min<std::int64_t>(2, std::max<std::int64_t>(1, std::min(shape.p(), shape.q()) - 1));
        edit_workload(frame.session);
    }
}

void LayoutArea::open_device(Frame& frame) {
    const std::string& id = frame.session.choices.device;
    if (cuda_ && device_ == id) return;
    device_ = id;
    // The old device's buffers are freed while it is still the current one.
    scenes_ = {};
    layer_.release();
    builder_.reset();
    const std::optional<int> index = cuda_index(id);
    cuda_ = index ? open_cuda(*index) : CudaGl::none("no CUDA device in use");
    builder_ = id.empty() ? nullptr : frame.registry.device(id).make_layout_builder();
}

LayoutArea::CachedScene& LayoutArea::scene(Frame& frame, Format format) {
    CachedScene& cached = scenes_[static_cast<std::size_t>(format)];
    if (!cached.scene) cached.scene = std::make_unique<LayoutScene>(cuda_);
    const Snapshot& snapshot = *frame.snapshot;
    if (cached.snapshot == snapshot.number) return cached;
    cached.snapshot = snapshot.number;
    build(cached, format, snapshot);
    frame_bytes_ += cached.scene->host_bytes();
    return cached;
}

/// Null where the host builds: no kernel that writes layouts takes dilation, or padding that differs by side.
LayoutBuilder* LayoutArea::device_builder(const ConvShape& shape) const {
    return shape.dilated() || shape.padded_by_side() ? nullptr : builder_.get();
}

/// On the device where it has a builder; on the host otherwise, and where the device's fails.
void LayoutArea::build(CachedScene& cached, Format format, const Snapshot& snapshot) {
    const auto with = [&](LayoutBuilder& builder) -> std::string {
        try {
            cached.scene->rebuild(format, snapshot.map_shape, snapshot.x.data(), snapshot.w.data(), builder,
                                  *host_builder_);
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    };
    cached.gpu_failure.clear();
    cached.problem.clear();
    if (LayoutBuilder* const builder = device_builder(snapshot.map_shape)) {
        const std::string problem = with(*builder);
        // Where CUDA cannot write the buffers (any more), the scene has turned to the host by itself.
        if (problem.empty() && builder->on_gpu() && cuda_->module() && !cached.scene->interop())
            failure_ = cached.scene->describe();
        if (problem.empty()) return;
        if (builder->on_gpu()) failure_ = cached.gpu_failure = problem;
    }
    cached.problem = with(*host_builder_);
}

/// The threads of a block as the launch panel has them for this method.
ThreadMap LayoutArea::threads(const Frame& frame, const char* method) const {
    const LaunchConfig config = launch_of(frame.session, method);
    return config.block ? ThreadMap{config.block->count()} : ThreadMap{};
}

std::string LayoutArea::held(const Frame& frame) const {
    const Session& session = frame.session;
    std::string text = session.tab->name;
    if (!result_.lead.empty()) text += ": " + plain_words(result_.lead.text());
    text += '.';
    if (session.tab == "formats") return text + ' ' + formats_.about();
    if (session.tab.index() >= layer_tabs) return text;
    const std::string part = slice_note(session.good.shape, session.choices.selection);
    return text + ' ' + (session.layer.whole ? "The whole layer." : part);
}

bool LayoutArea::busy(const Session& session) const {
    return moves() || session.multiplication.plays || (session.tab == "solutions" && session.plays_solution);
}

}  // namespace convscope::app
