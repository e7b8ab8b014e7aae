// The lists of the Kernel view: files, exercises and our own methods.
#include <imgui.h>

#include "app/ui/dialogs/kernel_question.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/method/restricts_weights.h"

namespace convscope::app {

void KernelView::empty(Frame& frame) {
    ImGui::Dummy({0, px(24)});
    heading("A KERNEL OR PROGRAM OF YOUR OWN");
    paragraph(
        "Open a .cu file, or drop one on the window. A kernel is compiled and run on the simulated GPU, every access "
        "checked, whenever you save it. A file with a main() runs as a whole program, and each of its launches can be "
        "looked at. No GPU is needed; clang or nvcc must be there.",
        look().theme->text.u32());
    ImGui::Dummy({0, px(8)});
    if (button("kernel/open", "Open a kernel...", true)) ask_for_kernel(frame.session, frame.dialogs);
    tip("Choose a .cu file (Ctrl+Shift+O)");
    if (CompiledMethods* ours = compiled_methods()) {
        ImGui::SameLine(0, px(8));
        method_list(frame, *ours, "A method of convscope", px(212));
    }
    ImGui::Dummy({0, px(8)});
    heading("EXERCISES");
    note("Kernels with a part left out. Choose one: the file is yours to edit, and is checked whenever you save it.");
    ImGui::Dummy({0, px(4)});
    ImGui::BeginChild("exercises", {0, 0}, false, 0);
    if (ImGui::IsWindowAppearing()) cards_ = exercise_cards(frame.session.desktop_state.preferences.solved);
    if (const auto picked = gallery(cards_, false)) begin(frame.session, exercises_[picked->card]);
    ImGui::EndChild();
}

/// A tick where it is solved, else its number.
std::vector<GalleryCard> KernelView::exercise_cards(const std::set<std::string>& solved) const {
    std::vector<GalleryCard> cards;
    for (const Exercise& each : exercises_) {
        const bool done = solved.contains(each.id);
        const auto sign = [digits = each.id.substr(0, 2), done](ImDrawList& draw, ImVec2 from, ImVec2 to) {
            const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2}, size = ImGui::CalcTextSize(digits.c_str());
            if (!done)
                return draw.AddText({middle.x - size.x / 2, middle.y - size.y / 2}, look().theme->text_dim.u32(),
                                    digits.c_str());
            const ImVec2 tick[] = {{middle.x - px(7), middle.y},
                                   {middle.x - px(2), middle.y + px(5)},
                                   {middle.x + px(7), middle.y - px(6)}};
            draw.AddPolyline(tick, 3, look().theme->good.u32(), 0, px(2.5F));
        };
        cards.push_back({"kernel/exercise/" + each.title, "", each.title, each.task,
                         done             ? "solved"
                         : is_begun(each) ? "begun"
                                          : "",
                         false, sign, true});
    }
    return cards;
}

std::vector<PaletteItem> KernelView::palette_items(const Frame&) {
    std::vector<PaletteItem> all;
    for (const Exercise& each : exercises_)
        all.push_back({"Exercise", each.title, each.task, "", [this, &each](Frame& frame) {
                           begin(frame.session, each);
                           frame.session.view = "kernel";
                       }});
    if (CompiledMethods* ours = compiled_methods())
        for (const std::string& id : ours->ids())
            all.push_back(
                {"Kernel", "Step through " + id, "As nvcc compiled it, without a GPU", "", [id](Frame& frame) {
                     frame.session.kernel.open_method(id);
                     frame.session.view = "kernel";
                 }});
    return all;
}

/// Our methods that the simulated GPU of the other views has no build of.
void KernelView::method_list(Frame& frame, const CompiledMethods& ours, const std::string& shown, float width) {
    Session& session = frame.session;
    const std::vector<std::string> ids = ours.ids();
    std::vector<std::string> why_not;
    for (const std::string& id : ids) {
        why_not.push_back(ours.reason(id, session.good.shape));
        const Method* method = frame.registry.find(id, DeviceKind::sim);
        if (method && why_not.back().empty()) why_not.back() = may_take_weights(*method, session.good, {}).reason;
    }
    const int picked = app::choice("kernel/method", shown, ids, width, &why_not);
    tip("Kernels with tensor cores, bulk copies and clusters, as nvcc compiled them: run "
        "and stepped through on the layer, without such a GPU");
    if (picked >= 0) session.kernel.open_method(ids[static_cast<std::size_t>(picked)]);
}

void KernelView::exercise_list(Session& session) {
    ImGui::SetNextWindowSizeConstraints({px(520), 0}, {px(520), px(480)});
    const bool open =
        begin_list("##exercises", "kernel/exercise", "Exercises", "Exercises", px(112), ImGuiComboFlags_HeightLargest);
    if (!open) return tip("Kernels with a part left out, to fill in");
    if (ImGui::IsWindowAppearing()) cards_ = exercise_cards(session.desktop_state.preferences.solved);
    const bool entered =
        gallery_search({"kernel/exercise search", "search: shared memory, atomics", "Search the exercises",
                        "Words of an exercise's title or task; Down goes to the cards, Enter takes "
                        "the first"},
                       exercise_search_, ImGui::IsWindowAppearing());
    std::vector<GalleryCard> cards;
    std::vector<const Exercise*> found;
    for (std::size_t i = 0; i < cards_.size(); ++i)
        if (matches(cards_[i].title + " " + cards_[i].sentence, exercise_search_)) {
            cards.push_back(cards_[i]);
            found.push_back(&exercises_[i]);
        }
    ImGui::BeginChild("cards", {0, px(420)});
    if (cards.empty()) note("No exercise has all of these words.");
    auto picked = gallery(cards, false);
    if (entered && !cards.empty()) picked = GalleryClick{};
    ImGui::EndChild();
    if (picked) {
        begin(session, *found[picked->card]);
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndCombo();
}

/// A file that was begun before is opened as it is.
void KernelView::begin(Session& session, const Exercise& exercise) {
    try {
        const std::filesystem::path file = own_exercise(exercise.id);
        open_kernel_file(session, file.string());
        hints_ = 0;
        notify(session, "Edit it in your editor: " + file.string());
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

}  // namespace convscope::app
