#include "app/panels/inspector.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/format.h"
#include "app/widgets.h"

namespace convscope::app {
namespace {

std::string ratio(std::int64_t a, std::int64_t b) {
    return b == 0 ? "-" : three_digits(static_cast<double>(a) / static_cast<double>(b));
}

/// Two bars under each other, the second as a share of the first.
void share_bar(double share, const Rgba& colour) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, px(4)};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, look().theme->raised.u32(), px(2));
    const float filled = size.x * static_cast<float>(std::min(1.0, share));
    if (filled > 0) draw.AddRectFilled(at, {at.x + filled, at.y + size.y}, colour.u32(), px(2));
    ImGui::Dummy(size);
}

}  // namespace

void Inspector::draw(Frame& frame, const LayoutViewResult& result) {
    heading("INSPECTOR");
    pointed_at(result);
    if (!frame.snapshot) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
    ImGui::Dummy({0, px(4)});
    hairline();
    work_card(*frame.snapshot);
    ImGui::Dummy({0, px(4)});
    hairline();
    memory_card(*frame.snapshot);
    ImGui::PopStyleVar();
}

void Inspector::pointed_at(const LayoutViewResult& result) {
    const Theme& theme = *look().theme;
    if (!result.pointed) {
        paragraph("Point at a cell to see what it is linked with. A click keeps it; Esc lets go.",
                  theme.text_dim.u32());
    } else {
        paragraph(result.links.sentence, theme.text.u32());
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
        WithFont font(look().fonts->mono_small);
        for (const std::string& line : result.links.details) paragraph(line, theme.text_dim.u32());
        ImGui::PopStyleVar();
    }
}

void Inspector::work_card(const Snapshot& snapshot) {
    const WorkFigures& work = snapshot.map_work;
    const ConvShape& shape = snapshot.workload->spec.shape;
    heading("WORK");
    fact("multiplications, dense", grouped(work.dense_multiplications), "One map and one filter: p q r s (Xu, Eq. 1)");
    fact("needed", fmt::format("{}  {}", grouped(work.needed_multiplications), percent(1 - work.skipped())),
         "Those that meet a value that is not zero: what ECR keeps");
    share_bar(1 - work.skipped(), look().theme->text_dim);
    fact("additions, dense", grouped(work.dense_additions), "One map and one filter: p q (r s - 1) (Xu, Eq. 2)");
    fact("needed", grouped(work.needed_additions), "One fewer than the products of each window");
    if (shape.n * shape.c * shape.k > 1) {
        fact("layer, dense", flops(shape.flops_dense()), "2 n k p q c r s");
        fact("layer, effective", flops(snapshot.flops_effective), "2 per multiply-add with an input that is not zero");
    }
}

void Inspector::memory_card(const Snapshot& snapshot) {
    const ConvShape& shape = snapshot.workload->spec.shape;
    heading("MEMORY");
    fact("x + w + y", bytes(static_cast<double>(shape.min_bytes())), "Input, weights and output in FP32");
    fact("im2col", bytes(4.0 * static_cast<double>(shape.im2col_elements())),
         "4 n p q c r s bytes (Cho & Brand, Eq. 2)");
    fact("MEC's L", bytes(4.0 * static_cast<double>(shape.mec_elements())),
         "4 n q (h + 2 pad) s c bytes (Cho & Brand, Eq. 3, with input channels)");
    share_bar(static_cast<double>(shape.mec_elements()) / static_cast<double>(shape.im2col_elements()),
              look().theme->text_dim);
    const std::int64_t saving = shape.mec_saving_elements();
    fact(saving >= 0 ? "MEC saves" : "MEC costs more",
         fmt::format("{}  {}x", bytes(4.0 * static_cast<double>(std::abs(saving))),
                     ratio(shape.im2col_elements(), shape.mec_elements())),
         "im2col less L, and im2col over L (Cho & Brand, Eq. 4)");
    fact("zeros in x", percent(snapshot.workload->sparsity_measured), "Share of zeros in the input, measured");
    const Workload& workload = *snapshot.workload;
    if (workload.nan_count + workload.inf_count > 0)
        problem(fmt::format("The data holds {} NaN and {} infinite values.", workload.nan_count, workload.inf_count));
}

}  // namespace convscope::app
