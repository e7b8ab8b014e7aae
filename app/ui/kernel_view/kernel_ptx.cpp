// The compiler's PTX beside the source, linked with it line by line.
#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/input/item_log.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

void KernelView::follow_ptx() {
    if (listed_ == look_) return;
    listed_ = look_;
    listing_ = ptx_listing(*look_);
    ptx_.show(listing_.text);
    if (!listing_.counts.empty()) ptx_.scroll_to(listing_.counts.begin()->first);
    assembler_.request({look_->kernel().ptx, look_->kernel().symbol});
}

/// "PTX: 32 registers, no spills"
std::string KernelView::ptx_title() const {
    const auto assembled = assembler_.busy() ? nullptr : assembler_.latest();
    if (!assembled || !*assembled) return "PTX";
    const ptx::AssembledKernel& kernel = **assembled;
    const std::string spills =
        kernel.spill_stores + kernel.spill_loads == 0
            ? "no spills"
            : fmt::format("spills: {} B stored, {} B loaded", kernel.spill_stores, kernel.spill_loads);
    return fmt::format("PTX: {} registers, {}", kernel.registers, spills);
}

void KernelView::draw_ptx(KernelChoice& choice, ImVec2 size, const ViewStyle& style) {
    follow_ptx();
    SourceMarks marks;
    marks.counts = listing_.counts;
    marks.unit = "issued";
    marks.meaning = "Warp instructions that the launch issued for each line of PTX";
    marks.title = ptx_title();
    unsigned line = pointed_line();
    if (!steps_.empty() && choice.step > 0) {
        const ptx::Program& program = look_->kernel().program;
        const std::uint32_t op = look_->result->trace.steps[instruction_].op;
        marks.current = listing_.place[program.instructions[op]->text_line];
        if (line == 0) line = steps_[std::min(choice.step, steps_.size() - 1)].line;
    }
    const std::vector<unsigned> linked = listing_.lines_of(line);
    marks.linked = {linked.begin(), linked.end()};
    if (pointed_in_source_ > 0 && !linked.empty()) ptx_.scroll_to(linked.front());
    const SourceEvents events = ptx_.draw("kernel ptx", size, marks, style);
    const unsigned pointed = events.pointed > 0 ? listing_.source[events.pointed] : 0;
    if (pointed > 0 && pointed != pointed_in_ptx_) source_.scroll_to(pointed);
    pointed_in_ptx_ = pointed;
    if (events.clicked > 0) go_to_line(choice, listing_.source[events.clicked]);
}

}  // namespace convscope::app
