#include "app/ui/layout_view/balance_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/layout_view/block_row.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

std::shared_ptr<std::vector<ZeroShares>> count_zeros(const Network* network, const Workload& workload,
                                                     std::int64_t image, const std::stop_token& stop) {
    auto made = std::make_shared<std::vector<ZeroShares>>(network ? zeros_by_layer(*network, stop)
                                                                  : zeros_by_channel(workload, image, stop));
    return stop.stop_requested() ? nullptr : made;
}

}  // namespace

void BalancePanel::draw(Frame& frame, Format format, const ThreadMap& threads, const ViewStyle& style) {
    const Snapshot& snapshot = *frame.snapshot;
    if (snapshot_ != snapshot.number) {
        map_values_ = MapValues(snapshot.map_shape, snapshot.x.data(), snapshot.w.data());
        snapshot_ = snapshot.number;
    }
    if (!shows_slide(frame.session)) header(frame, format);
    const std::int64_t block = shown_block_row(frame.session, snapshot, format);
    const BlockBalance balance = balance_of(format, map_values_, block, threads);
    lead_ = lead_of_balance(balance, block);
    note(describe_products(balance));
    tip("Each warp of 32 lanes takes as many steps as its busiest thread has products; the lanes of the others wait");

    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = px(16), left = std::floor((room.x - gap) * 0.5F), half = std::floor((room.y - px(6)) / 2);
    // Two plots above each other have to be high enough to be read.
    const bool both = half >= px(150);
    plot(frame, style, "balance/products", products_plot(balance, block), products_state_, left, both ? half : room.y);
    if (both) {
        ImGui::SetCursorScreenPos({at.x, at.y + half + px(6)});
        plot(frame, style, "balance/idle", idle_plot(format, map_values_, threads), idle_state_, left, half);
    }
    ImGui::SetCursorScreenPos({at.x + left + gap, at.y});
    plot(frame, style, "balance/zeros", zeros(frame), zeros_state_, room.x - left - gap, room.y);
}

float BalancePanel::header_width() {
    return px(372);
}

void BalancePanel::header(Frame& frame, Format format) {
    BalanceChoice& choice = frame.session.pages.balance;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    std::int64_t shown = shown_block_row(frame.session, *frame.snapshot, format) + 1;
    const NumberField field{"balance/block",
                            format == Format::pecr ? "PECR, block row" : "ECR, block row",
                            "Which block row's threads are shown, from 1",
                            1,
                            block_rows(format, map_values_.shape()),
                            false,
                            true,
                            112};
    if (number_field(field, shown, px(180))) choose_block_row(frame.session, *frame.snapshot, format, shown - 1);
    if (network_of_layer(frame.snapshot->workload->spec.name)) {
        ImGui::SameLine(0, px(24));
        check_box("balance/channels", "zeros by channel", choice.by_channel);
        tip("Instead of by layer of the network");
    }
    ImGui::PopStyleVar();
}

Plot BalancePanel::zeros(Frame& frame) {
    const Snapshot& snapshot = *frame.snapshot;
    const Network* network =
        frame.session.pages.balance.by_channel ? nullptr : network_of_layer(snapshot.workload->spec.name);
    const std::int64_t image = snapshot.selection.image;
    Request wanted{network, network ? nullptr : snapshot.workload, network ? 0 : image};
    if (!counter_)
        counter_ = std::make_unique<Counter>(
            [](const Request& request, const Counter::Made&, const std::stop_token& stop) {
                static const Workload none;
                return count_zeros(request.network, request.workload ? *request.workload : none, request.image, stop);
            },
            [] {});
    counter_->request(wanted);
    counter_->settle(4);
    if (const std::string error = counter_->take_error(); !error.empty()) notify(frame.session, error, true);
    const auto counted = counter_->latest();
    const std::vector<ZeroShares> shares = counted && !counter_->busy() ? *counted : std::vector<ZeroShares>{};
    if (network) return zeros_plot(shares, "layer", describe_zeros(*network));
    return zeros_plot(shares, "channel", fmt::format("Channels of image {}, as measured", image));
}

void BalancePanel::plot(Frame& frame, const ViewStyle& style, const char* name, const Plot& plot, PlotState& state,
                        float width, float height) {
    {
        WithFont font(look().fonts->small);
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const std::string words = in_lines(plot.subtitle, width);
        draw.AddText(at, look().theme->text.u32(), words.c_str());
        capture_text(plot.subtitle);
        const float line = ImGui::CalcTextSize(words.c_str()).y + px(2);
        ImGui::SetCursorScreenPos({at.x, at.y + line});
        height -= line;
    }
    const PlotResult result = show_plot(name, plot, state, style, {}, {}, width, height);
    if (ItemRegistry::active)
        ItemRegistry::active->add(name, {static_cast<float>(result.area.x), static_cast<float>(result.area.y)},
                                  {static_cast<float>(result.area.right()), static_cast<float>(result.area.bottom())});
    offer_plot(frame.session, frame.dialogs, result, plot, state, {}, {name, [&frame] { return about_layer(frame); }});
}

}  // namespace convscope::app
