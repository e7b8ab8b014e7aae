// The Kernel view: a user's own CUDA kernel, compiled and checked whenever its file is saved. Its source with what each
// line costs, what is wrong at which line, what it wrote, and one warp of it line by line.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/own_kernel/gpu_look.h"
#include "app/own_kernel/kernel_look.h"
#include "app/own_kernel/line_steps.h"
#include "app/own_kernel/ptx_listing.h"
#include "app/session/jobs/latest_job.h"
#include "app/ui/kernel_view/file_watch.h"
#include "app/ui/widgets/gallery.h"
#include "app/ui/widgets/view.h"
#include "kernels/ptx/compile.h"
#include "visualizers/step/source_view.h"

namespace convscope::app {

class KernelView : public View {
public:
    /// 'wake' asks for a frame; it is called from other threads.
    explicit KernelView(const std::function<void()>& wake);

    void draw(Frame&, const ViewStyle&) override;
    void inspect(Frame&) override;
    Explanation explain(const Session&) const override;
    std::vector<Offer> offers(const Frame&) override;
    bool busy(const Session&) const override { return job_.busy() || gpu_job_.busy() || assembler_.busy(); }
    bool uses_layer() const override;
    std::string status(const Frame&) const override;
    RunButton run_button(const Frame&) const override;
    void run_or_stop(Frame&) override;
    void to_barrier(Frame&, bool next) override;

    /// What is shown; null before the first look.
    const KernelLook* shown() const { return look_.get(); }
    const std::vector<LineStep>& steps() const { return steps_; }
    /// What can stand beside the source, and which line of the source is pointed at in either.
    const PtxListing& ptx() const { return listing_; }
    const PtxListing& sass() const { return sass_; }
    const SourceView& source_pane() const { return source_; }
    const SourceView& ptx_pane() const { return ptx_; }
    unsigned pointed_line() const { return pointed_in_ptx_ > 0 ? pointed_in_ptx_ : pointed_in_source_; }
    /// Once a frame, whatever view is shown.
    void take_rows();
    /// The rows of all kernels that this run has timed on a GPU.
    const std::vector<Record>& measured() const { return measured_; }
    /// What a real GPU made of it; null before that was asked for.
    std::shared_ptr<const GpuLook> on_gpu() const { return gpu_job_.latest(); }

private:
    void follow(Session&);

    // kernel_view.cpp
    void empty(Frame&);
    void bar(Frame&);
    void state_line(const KernelChoice&);
    void exercise_list(Session&);
    std::vector<GalleryCard> exercise_cards() const;
    void begin(Session&, const Exercise&);
    void source(KernelChoice&, ImVec2 size, const ViewStyle&);
    SourceMarks marks(const KernelChoice&, const ViewStyle&) const;
    void go_to_line(KernelChoice&, unsigned line);
    // kernel_ptx.cpp
    void draw_ptx(Frame&, ImVec2 size, const ViewStyle&);
    /// Where a session that has it was opened on a machine without the tools, the PTX stands there.
    bool shows_sass(const KernelChoice& choice) const { return choice.sass && no_sass_.empty(); }
    std::string ptx_title(bool sass) const;
    void follow_ptx(const Registry&, bool sass);
    // kernel_pages.cpp
    void pages(Frame&, ImVec2 size);
    void findings();
    void finding(std::size_t index);
    bool side(const std::string& log_name, const ptx::Side&, const std::string& text, bool chosen);
    void results();
    void printed();
    // kernel_gpu.cpp
    void gpu_section(Frame&);
    static void gpu_results(Session&, const GpuLook&);
    // kernel_steps.cpp
    void step_panel(KernelChoice&, ImVec2 size, const ViewStyle&);
    void transport(KernelChoice&);
    void lanes(KernelChoice&, const ptx::TraceStep&, const ViewStyle&);
    void instructions(KernelChoice&, const LineStep&);
    std::size_t shown_instruction(const LineStep&) const;
    // kernel_inspector.cpp
    void arguments(Frame&);
    void argument(KernelChoice&, const ArgumentState&);
    void write_comment(Frame&);
    void exercise();
    void counts();

    LatestJob<LookRequest, KernelLook> job_;
    LatestJob<GpuLookRequest, GpuLook> gpu_job_;  ///< when its button is pressed
    std::shared_ptr<const GpuLook> kept_;         ///< whose rows are the last of measured_
    std::vector<Record> measured_;
    FileWatch watch_;
    std::shared_ptr<KernelLook> look_;
    std::map<unsigned, ptx::LineFigures> lines_;       ///< of look_
    std::vector<LineStep> steps_;                      ///< of look_
    std::string stopped_, gpu_stopped_;                ///< why there is no newer look
    std::optional<LookRequest> requested_, given_up_;  ///< the latest; what was stopped, and is not begun by itself
    SourceView source_, ptx_;
    LatestJob<ptx::AssemblyRequest, std::optional<ptx::AssembledKernel>> assembler_;
    std::shared_ptr<KernelLook> listed_;                                       ///< what listing_ is of
    std::shared_ptr<const std::optional<ptx::AssembledKernel>> disassembled_;  ///< what sass_ is of
    bool with_sass_ = false;                                                   ///< what was requested of the assembler
    std::string no_sass_;                                                      ///< why there can be none
    PtxListing listing_, sass_;
    unsigned pointed_in_source_ = 0, pointed_in_ptx_ = 0;  ///< lines of the source
    std::vector<Exercise> exercises_;                      ///< all there are
    std::vector<GalleryCard> cards_;                       ///< of them, as they were when their list appeared
    std::size_t hints_ = 0;                                ///< that were asked for
    std::size_t chosen_ = 0;                               ///< finding
    std::size_t instruction_ = 0;                ///< of the trace, picked by a click; else the line's most telling one
    std::map<std::string, std::string> edited_;  ///< fields that are being typed in
};

}  // namespace convscope::app
