#include "app/ui/network_view/network_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/compare/method_colours.h"
#include "app/session/method_choice.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/network_view/network_data.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/gallery.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/method_list.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

double flops_of(const Network& network) {
    double sum = 0;
    for (const Preset& layer : network.layers) sum += static_cast<double>(layer.times) * layer.spec.shape.flops_dense();
    return sum;
}

std::string facts_of(const Network& network) {
    return fmt::format("{}, {}", counted(network.layers.size(), "layer"), flops(flops_of(network)));
}

/// A bar for each layer, as high as its share of the work of the largest.
void draw_work(const Network& network, ImDrawList& draw, ImVec2 from, ImVec2 to) {
    double largest = 0;
    for (const Preset& layer : network.layers) largest = std::max(largest, layer.spec.shape.flops_dense());
    const float margin = px(5), height = to.y - from.y - 2 * margin;
    const float each = (to.x - from.x - 2 * margin) / static_cast<float>(network.layers.size());
    float x = from.x + margin;
    for (const Preset& layer : network.layers) {
        const float high = std::max(px(1), height * static_cast<float>(layer.spec.shape.flops_dense() / largest));
        draw.AddRectFilled({x, to.y - margin - high}, {x + std::max(px(1), each - px(1)), to.y - margin},
                           look().theme->category(4).u32());
        x += each;
    }
}

/// "1.20 ms, 0.85x over onednn FP32 on 16 of 16 layers (0.52x to 1.31x)", or over how many layers the sum is.
std::string describe_total(const MethodTotal& total, std::size_t layers) {
    if (total.layers == 0) return "no layer with a time";
    const std::string sum = duration(total.time_us);
    if (total.compared == 0) return fmt::format("{} on {} of {} layers", sum, total.layers, layers);
    // The method's name stands before it, as a label.
    return sum + "," + describe(total, layers).substr(total.method.size());
}

std::string zeros_of(const NetworkLayer& layer) {
    return layer.zeros ? fmt::format("{} ({})", format_percent(*layer.zeros), layer.from)
                       : "known when the chain has run it";
}

}  // namespace

void NetworkView::draw(Frame& frame, const ViewStyle& style) {
    const bool any = chosen_network(frame.session) || shows_model(frame.session.network);
    if (any && !style.presented) choosers(frame);  // before all that is of the network which they choose
    const Network* network = chosen_network(frame.session);
    if (!network) {
        forget_another({});
        note(any ? frame.session.model.state
                 : "No preset file is a network. Put one into the presets' folder; docs/presets.md says what makes "
                   "one.");
        return;
    }
    forget_another(network->name);
    const NetworkProgress* measured = measured_network(frame.session, frame.live.snapshot());
    data_ = network_data(frame.session, frame.registry, measured);
    totals_ = measured ? network_totals(*measured->layers) : std::vector<MethodTotal>{};
    draw_lead(lead(frame));
    state_line(frame, measured);
    ImGui::Dummy({0, px(2)});
    hairline();
    ImGui::Dummy({0, px(2)});
    if (measured && !measured->layers->empty()) totals(frame, *measured);
    bars(frame, style);
}

/// Drops the data of the network that was chosen before.
void NetworkView::forget_another(const std::string& name) {
    if (std::exchange(shown_name_, name) == name) return;
    data_ = {};
    plot_ = {};
}

void NetworkView::network_list(Session& session) {
    ImGui::SetNextWindowSizeConstraints({px(480), 0}, {px(480), px(480)});
    if (!begin_list("##networks", "network/choose", "Network", session.network.name, px(128),
                    ImGuiComboFlags_HeightLargest))
        return;
    const bool appearing = ImGui::IsWindowAppearing();
    const bool entered = gallery_search({"network/choose search", "search: vgg, residual", "Search the networks",
                                         "Words of a network's name or title; Down goes to the cards, Enter takes the "
                                         "first"},
                                        network_search_, appearing);
    std::vector<GalleryCard> cards;
    std::vector<std::string> names;
    const auto add = [&](const std::string& name, GalleryCard card) {
        if (!matches(name + " " + card.sentence, network_search_)) return;
        card.item_name = "network/choose/" + name;
        card.title = name;
        card.present = name == session.network.name;
        cards.push_back(std::move(card));
        names.push_back(name);
    };
    if (!session.network.model.empty()) {
        GalleryCard model;
        model.sentence = "The model that was opened: " + session.network.model;
        add(model_name(session.network), std::move(model));
    }
    for (const Network& network : all_networks()) {
        GalleryCard card;
        card.sentence = network.head.title;
        card.facts = facts_of(network);
        card.sketch = [&network](ImDrawList& draw, ImVec2 from, ImVec2 to) { draw_work(network, draw, from, to); };
        add(network.name, std::move(card));
    }
    ImGui::BeginChild("cards", {0, px(420)});
    if (cards.empty()) note("No network has all of these words.");
    auto picked = gallery(cards, appearing);
    if (entered && !cards.empty()) picked = GalleryClick{};
    ImGui::EndChild();
    if (picked) {
        session.network.name = names[picked->card];
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndCombo();
}

void NetworkView::choosers(Frame& frame) {
    Session& session = frame.session;
    network_list(session);
    const Network* const chosen = chosen_network(session);
    if (!chosen) return;
    const Network& network = *chosen;
    if (!network.head.chain) session.network.chain = false;
    tip(network.head.title + ": " + facts_of(network));
    ImGui::SameLine(0, px(8));
    methods(frame);
    ImGui::SameLine(0, px(12));
    NumberField batch{"network/n", "n", "Batch: images at a time", 1, 4096};
    number_field(batch, session.network.n, px(64));
    ImGui::SameLine(0, px(12));
    // A check box is lower than the fields next to it.
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (ImGui::GetFrameHeight() - ImGui::GetFontSize()) / 2 - px(1));
    ImGui::BeginDisabled(!network.head.chain);
    check_box("network/chain", "chain", session.network.chain);
    ImGui::EndDisabled();
    tip(network.head.chain ? "Each layer's input is the real output of the layer before it, with weights drawn by He's "
                             "rule: zeros arise by themselves"
                           : network.head.title + " branches: its layers' outputs are not the next ones' inputs");
}

void NetworkView::methods(Frame& frame) {
    Session& session = frame.session;
    const Network& network = *chosen_network(session);
    MethodList list{"network/methods",
                    "",
                    "",
                    chosen_network_methods(session, frame.registry),
                    px(112),
                    [&network](const Method& method) {
                        std::string reason;
                        for (const Preset& layer : network.layers) {
                            const Support support = method.supports(layer.spec.shape);
                            if (support) return std::string();
                            if (reason.empty()) reason = support.reason;
                        }
                        return reason;
                    }};
    list.shown = counted(list.ticked.size(), "method");
    list.meaning = fmt::format("Compared on every layer: {}", fmt::join(list.ticked, ", "));
    if (const auto toggled = method_list(list, frame.registry, device_kind(session, frame.registry), method_search_))
        toggle_network_method(session, frame.registry, *toggled);
}

Lead NetworkView::lead(const Frame&) const {
    const MethodTotal* best = nullptr;
    for (const MethodTotal& total : totals_)
        if (total.compared > 0 && (!best || total.speedup() > best->speedup())) best = &total;
    if (!best) {
        const std::string why = why_no_ratio(data_);
        return lead_of(data_.running ? std::string() : why.empty() ? data_.empty_hint : why, {});
    }
    return {best->method + " is ", fmt::format("{:.2f}x", best->speedup()),
            fmt::format(" as fast as {} on {} of {} layers", best->baseline, best->compared, data_.layers.size())};
}

/// How far it is; or where the zeros come from.
void NetworkView::state_line(Frame& frame, const NetworkProgress* measured) {
    WithFont font(look().fonts->small);
    if (measured && measured->running) {
        const float width = px(160), height = px(6);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float y = at.y + (ImGui::GetTextLineHeight() - height) / 2;
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const auto share = static_cast<float>(std::clamp(measured->fraction, 0.0, 1.0));
        draw.AddRectFilled({at.x, y}, {at.x + width, y + height}, look().theme->raised.u32(), height / 2);
        draw.AddRectFilled({at.x, y}, {at.x + width * share, y + height}, look().theme->accent.u32(), height / 2);
        ImGui::SetCursorScreenPos({at.x + width + px(12), at.y});
        clipped_text(describe_progress(*measured).c_str(), ImGui::GetContentRegionAvail().x,
                     look().theme->text_dim.u32());
        return;
    }
    std::string text = frame.session.network.chain ? "Zeros: as the layers leave them to each other."
                                                   : "Zeros: " + profile(frame.session);
    if (measured && measured->layers->size() < measured->plan->network.layers.size())
        text = fmt::format("Stopped with {}; Run begins again at the first. {}", describe_progress(*measured), text);
    ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
    ImGui::TextUnformatted(in_lines(text, ImGui::GetContentRegionAvail().x, 2).c_str());
    ImGui::PopStyleColor();
    tip(text);
}

const std::string& NetworkView::profile(const Session& session) {
    std::pair of(session.network.name, session.network.n);
    if (profile_of_ != of) {
        profile_ = zeros_text(batched_network(session));
        profile_of_ = std::move(of);
    }
    return profile_;
}

void NetworkView::totals(Frame& frame, const NetworkProgress& measured) {
    const DeviceKind kind = device_kind(frame.session, frame.registry);
    const std::size_t layers = measured.plan->network.layers.size();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(2)});
    for (const MethodTotal& total : totals_) {
        const Method* method = frame.registry.find(total.method, kind);
        const bool vendor = method && method->info().vendor;
        const bool hidden = state_.hidden.contains(total.method);
        const std::string words = describe_total(total, layers);
        ImGui::BeginGroup();
        const Theme& theme = *look().theme;
        swatch((hidden ? theme.hairline : method_color(colour_of(total.method), vendor, theme)).u32());
        ImGui::SameLine(0, px(8));
        const float start = ImGui::GetCursorPosX();
        clipped_text(total.method.c_str(), px(88), (hidden ? theme.text_dim : theme.text).u32());
        ImGui::SameLine(start + px(96));
        clipped_text(words.c_str(), ImGui::GetContentRegionAvail().x, (hidden ? theme.text_dim : theme.text).u32());
        ImGui::EndGroup();
        const std::string label = fmt::format("{}: {}", total.method, words);
        if (press_here(("network/total " + total.method).c_str(), {ControlRole::check_box, label, {}, !hidden}) &&
            !state_.hidden.erase(total.method))
            state_.hidden.insert(total.method);
        tip(fmt::format(
            "{}: the sum over the layers that it ran, each as often as the network has it; the ratio is over "
            "the layers that both ran.\nClick to {} its bars",
            words, hidden ? "show" : "hide"));
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({0, px(4)});
}

/// The layer of the network that the workload panel holds.
std::optional<std::size_t> NetworkView::marked(const Session& session) const {
    const Network* network = chosen_network(session);
    for (std::size_t i = 0; network && i < network->layers.size(); ++i)
        if (network->layers[i].spec.name == session.good.name) return i;
    return {};
}

/// Reads the recorded rows of the network when they are first shown.
void NetworkView::find_recorded(const Network& network) {
    if (recorded_name_ == network.name) return;
    recorded_name_ = network.name;
    recorded_ = recorded_network(network);
}

/// Bars of the network as it was recorded, far back, with its rows to click.
void NetworkView::draw_recorded(const Plot& plot, const ViewStyle& style, const PlotEmphasis& emphasis) {
    plot_ = show_plot("recorded layers", plot, recorded_state_, style, emphasis);
    const float left = static_cast<float>(plot_.area.x), top = static_cast<float>(plot_.y);
    draw_dimmed({left, top}, {static_cast<float>(plot_.x + plot_.width), static_cast<float>(plot_.y + plot_.height)},
                *look().theme, example_dimming);
}

void NetworkView::bars(Frame& frame, const ViewStyle& style) {
    Session& session = frame.session;
    PlotEmphasis emphasis;
    if (const auto row = marked(session)) emphasis.pinned = static_cast<PlotRow>(*row);
    const bool empty =
        !data_.running && std::ranges::all_of(data_.layers, &std::vector<NetworkBar>::empty, &NetworkLayer::bars);
    if (empty && !session.network.chain) {
        find_recorded(*chosen_network(session));
    } else {
        recorded_.reset();
        recorded_name_.clear();
    }
    if (recorded_) {
        note("The bars below: r" + recorded_->provenance.substr(1));
        for (const NetworkMethod& each : recorded_->data.methods) {
            swatch(method_color(colour_of(each.id), each.vendor, *look().theme).u32());
            ImGui::SameLine(0, px(8));
            ImGui::TextDisabled("%s", each.id.c_str());
            ImGui::SameLine(0, px(16));
        }
        ImGui::NewLine();
    }
    Plot plot = network_plot(recorded_ ? recorded_->data : data_);
    plot.empty_hint.clear();  // the page leads with it
    if (recorded_)
        draw_recorded(plot, style, emphasis);
    else
        plot_ = show_plot("layers", plot, state_, style, emphasis);
    for (const auto& [row, box] : plot_.rows)
        if (ItemRegistry::active)
            ItemRegistry::active->add("network/" + data_.layers[row].name,
                                      {static_cast<float>(box.x), static_cast<float>(box.y)},
                                      {static_cast<float>(box.right()), static_cast<float>(box.bottom())});
    if (plot_.clicked != no_row) {
        WorkloadSpec spec = chosen_network(session)->layers[plot_.clicked].spec;
        set_workload(session, spec);
        notify(session, fmt::format("{} is in the workload panel", spec.name));
    }
    if (plot_.hovered != no_row) {
        const NetworkData& of = recorded_ ? recorded_->data : data_;
        const NetworkLayer& layer = of.layers[plot_.hovered];
        std::string text = fmt::format("{}: {}, zeros {}", layer.name, layer.shape, zeros_of(layer));
        if (layer.weight_zeros) text += fmt::format(", {} in w", format_percent(*layer.weight_zeros));
        for (std::size_t i = 0; i < layer.bars.size(); ++i) {
            const NetworkBar& bar = layer.bars[i];
            text += "\n" + of.methods[i].id + "  ";
            if (!bar.chosen.empty()) text += "(" + bar.chosen + ")  ";
            text += bar.time_us ? duration(*bar.time_us) : bar.reason;
            if (bar.q1_us && bar.q3_us)
                text += fmt::format("  quartiles {} to {}", duration(*bar.q1_us), duration(*bar.q3_us));
            if (bar.time_us && !bar.sure) text += "  too few samples for an interval";
            if (bar.speedup) text += fmt::format("  {:.2f}x {}", *bar.speedup, of.baseline);
            if (!bar.no_ratio.empty()) text += "  no ratio: " + bar.no_ratio;
        }
        tip(text + "\nClick to load it into the workload panel");
    }
    offer_plot(session, frame.dialogs, plot_, plot, recorded_ ? recorded_state_ : state_, emphasis,
               {"network", [&] { return recorded_ ? recorded_->provenance : about_device(session, frame.registry); }},
               [this] { return network_csv(recorded_ ? recorded_->data : data_); });
}

void NetworkView::inspect(Frame& frame) {
    const Network* network = chosen_network(frame.session);
    if (!network) return;
    forget_another(network->name);  // the panel is drawn before the view
    heading("NETWORK");
    paragraph(network->head.title, look().theme->text.u32());
    fact("layers", format_count(static_cast<std::int64_t>(network->layers.size())),
         "Convolutions that differ or stand alone");
    fact("dense work", flops(flops_of(*network) * static_cast<double>(frame.session.network.n)),
         "2 per multiply-add of all layers, zeros included");
    const std::optional<std::size_t> at = plot_.hovered != no_row ? plot_.hovered : marked(frame.session);
    if (!at || *at >= data_.layers.size()) {
        note(profile(frame.session));
        return;
    }
    const NetworkLayer& layer = data_.layers[*at];
    const Preset& preset = network->layers[*at];
    ImGui::Dummy({0, px(4)});
    heading("LAYER");
    paragraph(layer.name, look().theme->text.u32());
    note(to_string(preset.spec.shape));
    fact("zeros", zeros_of(layer), "Share of zeros in its input, and what that rests on");
    if (layer.weight_zeros) fact("zeros in w", format_percent(*layer.weight_zeros), "Of its weights, measured");
    if (layer.times != 1) fact("occurs", fmt::format("{} times", layer.times), "In the network");
    for (std::size_t i = 0; i < layer.bars.size(); ++i) {
        const NetworkBar& bar = layer.bars[i];
        const std::string name = data_.methods[i].id;
        fact(name.c_str(), bar.time_us ? duration(*bar.time_us) : bar.reason,
             bar.chosen.empty() ? nullptr : ("It chose " + bar.chosen).c_str());
    }
    note(preset.source_text);
}

Explanation NetworkView::explain(const Session&) const {
    return {"Network: every layer of a network, and what it comes to",
            "Each row is a convolution with the pooling that follows it, each bar the median time of a ticked "
            "method, verified before it is timed; the vendor's best is neutral. OCPA takes PECR where pooling "
            "follows and ECR elsewhere; what it took stands at the end of the row, with how often as fast as the "
            "vendor it is, or why there is no ratio. A hollow bar has too few samples for an interval. A ratio over "
            "the network compares the layers that both ran. Click a layer to load it."};
}

std::string NetworkView::status(const Frame& frame) const {
    const NetworkProgress* measured = measured_network(frame.session, frame.live.snapshot());
    if (!chosen_network(frame.session)) return {};
    return measured && measured->running ? describe_progress(*measured) : "Space measures the network";
}

RunButton NetworkView::run_button(const Frame& frame) const {
    if (!chosen_network(frame.session) && shows_model(frame.session.network))
        return frame.session.model.running ? RunButton{true, "Stop the model (Space)"}
                                           : RunButton{false, "Run the model again (Space)"};
    const bool simulated = device_kind(frame.session, frame.registry) == DeviceKind::sim;
    return {false, simulated ? "Check the ticked methods on every layer of the network (Space)"
                             : "Measure the ticked methods on every layer of the network (Space)"};
}

void NetworkView::run_or_stop(Frame& frame) {
    if (!chosen_network(frame.session)) {
        (frame.session.model.running ? frame.session.requested.stop_model : frame.session.requested.run_model) = true;
        return;
    }
    if (frame.live.network_wanted())
        frame.live.stop();
    else
        frame.live.start_network(frame.session);
}

}  // namespace convscope::app
