// The Kernel view: a user's own CUDA kernel, compiled and checked whenever its file is saved. Its source with what each
// line costs, what is wrong at which line, what it wrote, and one warp of it line by line.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/jobs/latest_job.h"
#include "app/ui/kernel_view/file_watch.h"
#include "app/ui/widgets/gallery.h"
#include "app/ui/widgets/view.h"
#include "app/user_kernel/gpu_run_result.h"
#include "app/user_kernel/kernel_check.h"
#include "app/user_kernel/line_steps.h"
#include "app/user_kernel/ptx_listing.h"
#include "kernels/ptx/toolchain/compile.h"
#include "kernels/registry/compiled_methods.h"
#include "visualizers/step/source_view.h"

namespace convscope::app {

class KernelView : public View {
public:
    /// 'wake' asks for a frame; it is called from other threads.
    explicit KernelView(const std::function<void()>& wake);

    void draw(Frame&, const ViewStyle&) override;
    /// How it stands with the kernel.
    Lead lead(const Frame&) const override;
    void inspect(Frame&) override;
    Explanation explain(const Session&) const override;
    std::vector<PaletteItem> palette_items(const Frame&) override;
    bool busy(const Session&) const override { return job_.busy() || gpu_job_.busy() || assembler_.busy(); }
    bool uses_layer() const override;
    bool uses_launch() const override { return false; }
    std::string status(const Frame&) const override;
    RunButton run_button(const Frame&) const override;
    void run_or_stop(Frame&) override;
    void to_barrier(Frame&, bool next) override;

    /// The result on screen; null before the first check.
    const KernelCheckResult* shown() const { return check_.get(); }
    const std::vector<LineStep>& steps() const { return steps_; }
    /// That result is of an earlier version: dimmed until there is a newer one.
    bool outdated() const { return check_ && (job_.busy_seconds() > 0.15 || !stopped_.empty()); }
    /// The same of the steps and of what the launch cost.
    bool run_outdated() const { return outdated() || ran_ != check_; }
    /// The panes next to the source, and the source line that is pointed at in either.
    const PtxListing& ptx() const { return listing_; }
    const PtxListing& sass() const { return sass_; }
    const SourceView& source_pane() const { return source_; }
    const SourceView& ptx_pane() const { return ptx_; }
    unsigned pointed_line() const { return pointed_in_ptx_ > 0 ? pointed_in_ptx_ : pointed_in_source_; }
    /// Once a frame, whatever view is shown, and before any part of it is drawn: the column on the right comes first.
    void update(Session&);
    /// The rows of all kernels that this run has timed on a GPU.
    const std::vector<Record>& measured() const { return measured_; }
    /// The latest result of a real GPU; null before the first was requested.
    std::shared_ptr<const GpuRunResult> on_gpu() const { return gpu_job_.latest(); }

private:
    void take_check(Session&);
    void stop_all();
    void show_check(const KernelChoice&, std::shared_ptr<KernelCheckResult>);
    void show_unchecked(const KernelChoice&);
    /// The open file is a whole program that the user has not yet allowed to run.
    bool asks_to_run(const Session&) const;
    void take_rows();

    // kernel_lists.cpp
    void empty(Frame&);
    static void method_list(Frame&, const CompiledMethods&, const std::string& shown, float width);
    void exercise_list(Session&);
    std::vector<GalleryCard> exercise_cards(const std::set<std::string>& solved) const;
    void begin(Session&, const Exercise&);
    // kernel_view.cpp
    void bar(Frame&);
    void ask(Session&) const;
    void state_line(const KernelChoice&);
    struct State {
        std::string text;
        Rgba colour;
    };
    State state() const;
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
    void findings(KernelChoice&);
    void finding(KernelChoice&, std::size_t index, bool in_one_line = false);
    float finding_lines_height(float height) const;
    void finding_lines(KernelChoice&, ImVec2 size);
    void show_thread(KernelChoice&, const ptx::ThreadLocation&);
    void dim_outdated(ImVec2 from, ImVec2 to) const;
    bool location(const std::string& item_name, const ptx::ThreadLocation&, const std::string& text, bool chosen);
    void results();
    void printed();
    // kernel_program.cpp
    void take_program(const KernelChoice&);
    void launches(KernelChoice&);
    void program_finding();
    void program_output();
    void program_arguments(Session&);
    void recorded_arrays(const RecordedMemory&);
    /// The line of the shown file that a place as "add.cu:17" is in; 0: another file's.
    unsigned line_at(const std::string& place) const;
    // kernel_gpu.cpp
    void gpu_section(Frame&);
    static void gpu_results(Session&, const GpuRunResult&);
    // kernel_steps.cpp
    void step_panel(KernelChoice&, ImVec2 size, const ViewStyle&);
    std::string place_of_step(const KernelChoice&) const;
    void transport(KernelChoice&);
    void lanes(KernelChoice&, const LineStep&, const ViewStyle&);
    void instructions(KernelChoice&, const LineStep&);
    /// Whose place in the PTX is lit: picked, or else the line's most telling one.
    std::size_t shown_instruction(const LineStep&) const;
    // kernel_inspector.cpp
    /// The launch whose arguments are shown: that of the open kernel or, while it does not compile, the last that ran.
    const KernelCheckResult* called() const { return check_ && check_->prepared ? check_.get() : ran_.get(); }
    void arguments(Frame&);
    void argument(KernelChoice&, const ArgumentState&);
    bool is_missing(const ArgumentState&) const;
    static bool is_rejected(const KernelChoice&, const ArgumentState&);
    void reasons(const KernelChoice&, const std::vector<ArgumentState>&) const;
    void write_comment(Frame&);
    void exercise(Session&);
    static void counts(const ptx::LaunchCounts&);

    LatestJob<KernelCheckRequest, KernelCheckResult> job_;
    LatestJob<GpuRunRequest, GpuRunResult> gpu_job_;  ///< when its button is pressed
    std::shared_ptr<const GpuRunResult> kept_;        ///< whose rows are the last of measured_
    std::vector<Record> measured_;
    FileWatch watch_;
    struct Unchecked {
        std::string named, source;
        bool program = false;
    };
    std::optional<Unchecked> unchecked_;  ///< what is open while check_ is null
    std::shared_ptr<KernelCheckResult> check_;
    std::map<unsigned, ptx::LineCounts> lines_;  ///< of check_
    /// The latest that ran: while what is open does not compile, it stays next to and below the source, dimmed.
    std::shared_ptr<KernelCheckResult> ran_;
    std::vector<LineStep> steps_;                ///< of ran_
    std::shared_ptr<const ProgramRun> program_;  ///< of check_
    /// In the order of time: launches, from 1 on, and findings of the calls between them, with 0.
    struct ProgramRow {
        std::size_t launch = 0, finding = 0, found = 0;
    };
    std::vector<ProgramRow> rows_;
    std::optional<std::size_t> call_finding_;  ///< chosen in the place of the launch; index of ProgramRun::findings
    bool row_into_sight_ = false;
    std::string stopped_, gpu_stopped_;  ///< why there is no newer result
    std::optional<KernelCheckRequest> requested_,
        given_up_;  ///< the latest; what was stopped, and is not begun by itself
    SourceView source_, ptx_;
    LatestJob<ptx::AssemblyRequest, std::optional<ptx::AssembledKernel>> assembler_;
    std::shared_ptr<KernelCheckResult> listed_;                                ///< what listing_ is of
    std::shared_ptr<const std::optional<ptx::AssembledKernel>> disassembled_;  ///< what sass_ is of
    bool slide_ = false;                                                       ///< shown as one in the latest frame
    bool with_sass_ = false;                                                   ///< what was requested of the assembler
    std::string no_sass_;                                                      ///< why there can be none
    PtxListing listing_, sass_;
    unsigned pointed_in_source_ = 0, pointed_in_ptx_ = 0;  ///< lines of the source
    std::vector<Exercise> exercises_;                      ///< all there are
    std::string exercise_search_;
    std::vector<GalleryCard> cards_;             ///< of them, as they were when their list appeared
    std::size_t hints_ = 0;                      ///< that were asked for
    std::size_t chosen_ = 0;                     ///< finding
    std::optional<unsigned> line_to_show_;       ///< of the warp that is about to be traced
    std::optional<std::size_t> instruction_;     ///< of the trace, picked by a click
    std::map<std::string, std::string> edited_;  ///< fields that are being typed in
};

}  // namespace convscope::app
