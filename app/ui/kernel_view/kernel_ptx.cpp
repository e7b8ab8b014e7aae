// The compiler's PTX, or the SASS of it, next to the source, linked with it line by line.
#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/input/item_registry.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "app/user_kernel/gpu_run.h"

namespace convscope::app {

void KernelView::follow_ptx(const Registry& registry, bool sass) {
    const bool other = listed_ != check_;
    if (other) {
        listed_ = check_;
        ptx_.show({});  // it must not outlive its text
        listing_ = ptx_listing(*check_);
        sass_ = {};
        disassembled_.reset();
        ptx_.show(listing_.text);
        if (!listing_.counts.empty()) ptx_.scroll_to(listing_.counts.begin()->first);
    }
    if (other || (sass && !with_sass_)) {
        const DeviceInfo* gpu = registry.usable_device(DeviceKind::cuda);
        assembler_.request({check_->kernel().ptx, check_->kernel().symbol, gpu ? architecture_of(*gpu) : "", sass});
        with_sass_ = sass;
    }
    const auto assembled = assembler_.busy() ? nullptr : assembler_.latest();
    if (sass && assembled && *assembled && assembled != disassembled_) {
        disassembled_ = assembled;
        ptx_.show({});
        sass_ = sass_listing(*check_, (*assembled)->sass);
    }
    ptx_.show(sass ? sass_.text : listing_.text);
}

/// "PTX: 32 registers on sm_90a, no spills", "SASS: ..."
std::string KernelView::ptx_title(bool sass) const {
    const auto assembled = assembler_.busy() ? nullptr : assembler_.latest();
    if (!assembled) return sass ? "SASS: assembling" : "PTX";
    if (!*assembled) return sass ? "SASS: ptxas does not take the PTX" : "PTX";
    const ptx::AssembledKernel& kernel = **assembled;
    if (sass && kernel.sass.empty()) return "SASS: nvdisasm does not read what ptxas made";
    const std::string spills =
        kernel.spill_stores + kernel.spill_loads == 0
            ? "no spills"
            : fmt::format("spills: {} B stored, {} B loaded", kernel.spill_stores, kernel.spill_loads);
    return fmt::format("{}: {} registers on {}, {}", sass ? "SASS" : "PTX", kernel.registers, kernel.target, spills);
}

void KernelView::draw_ptx(Frame& frame, ImVec2 size, const ViewStyle& style) {
    KernelChoice& choice = frame.session.kernel;
    const bool sass = shows_sass(choice);
    follow_ptx(frame.registry, sass);
    const PtxListing& listing = sass ? sass_ : listing_;
    SourceMarks marks;
    marks.counts = listing.counts;
    marks.outdated = outdated();
    marks.unit = sass ? "" : "issued";
    marks.meaning = sass ? "" : "Warp instructions that the launch issued for each line of PTX";
    marks.title = ptx_title(sass);
    unsigned line = pointed_line();
    if (!steps_.empty() && choice.step > 0) {
        const ptx::Program& program = check_->kernel().program;
        const LineStep& step = steps_[std::min(choice.step, steps_.size() - 1)];
        const std::uint32_t op = check_->result->trace.steps[shown_instruction(step)].op;
        if (!sass) marks.current = listing.place[program.instructions[op]->text_line];
        if (line == 0) line = step.line;
    }
    const std::vector<unsigned> linked = listing.lines_of(line);
    marks.linked = {linked.begin(), linked.end()};
    if (pointed_in_source_ > 0 && !linked.empty()) ptx_.scroll_to(linked.front());
    const SourceEvents events = ptx_.draw("kernel ptx", size, marks, style);
    const unsigned pointed = events.pointed > 0 ? listing.source[events.pointed] : 0;
    if (pointed > 0 && pointed != pointed_in_ptx_) source_.scroll_to(pointed);
    pointed_in_ptx_ = pointed;
    if (events.clicked > 0) go_to_line(choice, listing.source[events.clicked]);
}

}  // namespace convscope::app
