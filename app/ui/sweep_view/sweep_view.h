// The Sweep view: what is varied, the run, and its points in plots that are brushed and pointed at together.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/compare/compare_data.h"
#include "app/session/jobs/latest_job.h"
#include "app/session/row_selection.h"
#include "app/ui/compare_view/recorded_gallery.h"
#include "app/ui/sweep_view/sweep_file.h"
#include "app/ui/sweep_view/sweep_job.h"
#include "app/ui/sweep_view/sweep_plots.h"
#include "app/ui/widgets/view.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class SweepView : public View {
public:
    /// 'wake' asks for a frame; it is called from another thread.
    SweepView(Registry&, SampleGate&, const std::function<void()>& wake);

    /// Once a frame, whichever view is shown: takes new rows, does what was requested, gives way to live timing.
    void update(Frame&);
    /// Rows that another view has open, to be shown here when requested.
    void set_available_rows(std::shared_ptr<const CompareData> rows) { available_rows_ = std::move(rows); }
    /// Shows rows in place of a sweep's: those available, or a recorded session by its name.
    void show_available_rows(Session&);
    void show_recorded(Session&, const std::string& name);
    void draw(Frame&, const ViewStyle&) override;
    /// The best point, with how sure that is; before there are any, what Run is about to measure.
    Lead lead(const Frame&) const override;
    /// The point that is pointed at or was clicked, else the best one.
    void inspect(Frame&) override;
    Explanation explain(const Session&) const override;
    std::string status(const Frame&) const override;
    RunButton run_button(const Frame&) const override;
    void run_or_stop(Frame& frame) override { frame.session.requested.sweep = SweepMove::run_or_stop; }
    /// Clears the brush and the pinned row.
    void clear_selection() { selection_.reset(); }

    /// Describes the rows that are shown: how many, of which layers, over which axes.
    std::string describe_rows() const { return describe(results_); }
    static std::string describe(const SweepRows&);
    bool reading() const { return recorded_gallery_.reading(); }
    bool busy(const Session&) const override { return recorded_gallery_.reading() || file_reader_.busy(); }
    bool measures() const { return waiting_ || job_.running(); }  ///< whichever view is shown
    const SweepRows& results() const { return results_; }
    const std::vector<SweepPlot>& plots() const { return plots_; }
    const std::vector<PlotResult>& shown_plots() const { return shown_plots_; }
    const RowSelection& selection() const { return selection_; }
    RowSelection& selection() { return selection_; }
    std::uint64_t opened() const { return opened_count_; }  ///< grows when other rows are shown
    bool shows_a_file() const { return !opened_.empty(); }
    const std::string& recorded() const { return recorded_; }  ///< the recorded session that is shown; may be empty
    /// All that sweeps have measured since the app was started, without raw samples.
    const std::vector<Record>& measured() const { return measured_; }
    const std::string& rejection() const { return rejection_; }

private:
    // sweep_controls.cpp and sweep_state.cpp
    void controls(Frame&);
    void metrics(Frame&, float width);
    void clock_choices(Frame&);
    void suggestions(Frame&, float width);
    void add_axis(Frame&);
    void axis_fields(Frame&);
    bool axis_field(std::size_t index, SweepAxis&, float width);
    void methods(Frame&, float width);
    void state_line(Frame&);
    Lead lead_of_plan(const Frame&) const;
    Lead lead_without_results() const;
    void progress_line(Frame&);
    void csv_field(Frame&);
    void words_and_csv_field(Frame&, const std::string& text, const Rgba&, const std::string& meaning);
    void filter_field(Session&);
    void pane_tabs(Frame&);

    void show_rows(const CompareData&);
    void follow_recorded(Session&);
    void follow_file(Frame&);
    void close_rows(Session&);
    void nothing_yet(Frame&, const ViewStyle&);
    void draw_example(const ViewStyle&, ImVec2 size);
    void read_plan(Frame&);
    void begin_or_end(Frame&);
    void begin(Frame&);
    /// Whether the plan is the one that the results are of.
    bool is_of_results() const { return command_ == run_command_ && saved_ == run_saved_; }
    /// Whether, besides, they are in the file that is named.
    bool is_in_file(const Session& session) const { return is_of_results() && run_csv_ == session.sweep.csv_path; }
    void take_rows(Frame&);
    void other_rows(std::vector<SweepAxis>);
    void filter(const std::string& query);
    void make_plots(Frame&);
    /// Whether rows are, or will be, of the simulated GPU, which counts and has no clock.
    bool simulated(const Frame&) const;
    std::string shown_method(const Session&) const;
    void draw_plots(Frame&, const ViewStyle&);
    void draw_plot(Frame&, const ViewStyle&, const SweepPlot&, float width, float height);
    void load(Frame&, PlotRow);
    std::string describe(PlotRow) const;
    void facts_of(const Record&);

    SweepJob job_;
    LatestJob<SweepFileRequest, const SweepFile> file_reader_;
    std::shared_ptr<const SweepFile> file_;  ///< of the plan and the path as they are; null where there is none
    RecordedGallery recorded_gallery_;
    std::optional<Plot> example_;            ///< of a recorded sweep, dimmed while there is nothing else to show
    std::string example_words_;              ///< what it is
    std::string command_;                    ///< of the choices as they are
    std::shared_ptr<const SweepPlan> plan_;  ///< of them; null while they are rejected
    std::string rejection_;                  ///< why, a sentence
    std::string own_;                        ///< the plan's kernel of the user's own, "FILE.cu:NAME"; empty: none
    std::filesystem::file_time_type saved_{}, run_saved_{};  ///< its file: of the plan, of the results
    bool waiting_ = false;                                   ///< for the live timing to end its sample
    std::shared_ptr<const CompareData> available_rows_;
    std::string opened_;       ///< what the results are, when they are rows of a file
    std::string opened_name_;  ///< the file's or the recorded session's
    std::string recorded_;     ///< the name of the recorded session that they are of
    std::string run_command_;  ///< of the results
    std::string run_layer_;    ///< that the run is of
    bool anew_ = false;        ///< the run began with nothing of what its file has
    std::string run_csv_;      ///< the file that they are in
    bool complete_ = false;    ///< the results have every point
    SweepRows results_;
    std::uint64_t opened_count_ = 0;
    std::vector<Record> measured_;
    RowSet shown_;               ///< rows of the results that the filter lets through
    std::string query_;          ///< the filter that these are of
    std::string query_problem_;  ///< what is wrong with it; then all rows are shown
    std::optional<BestPoint> best_;
    std::uint64_t generation_ = 0, plotted_ = 0;  ///< of the rows
    std::string plotted_as_;                      ///< the choices that the plots were made with
    std::vector<SweepPlot> plots_;
    PlotState states_[sweep_pane_count];
    RowSelection selection_;
    std::vector<PlotResult> shown_plots_;
    std::string method_search_;
};

}  // namespace convscope::app
