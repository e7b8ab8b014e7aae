// The Compare view: records of any number, from files, from recorded sessions or of this run, and what they show.
#pragma once

#include <imgui.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/compare/compare_result.h"
#include "app/session/jobs/latest_job.h"
#include "app/session/row_selection.h"
#include "app/ui/compare_view/compare_table.h"
#include "app/ui/compare_view/recorded_gallery.h"
#include "app/ui/widgets/view.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

/// The name of a recorded session: its file without folder and ending.
inline std::string source_name(const std::filesystem::path& path) {
    return path.stem().string();
}

class CompareView : public View {
public:
    static constexpr const char* this_run = "this run's measurements";  ///< the source that no file is

    /// 'wake' asks for a frame; it is called from other threads.
    explicit CompareView(std::function<void()> wake);

    /// Shows a file's records, together with those that were opened since the last frame.
    void open(const std::filesystem::path&);
    /// Shows a recorded session by its name, "xu2022-scopes", or next to what is open where that is recorded, too.
    void open_recorded(const std::string& name, bool companion = false);
    void open_this_run();
    void draw(Frame&, const ViewStyle&) override;
    Lead lead(const Frame&) const override {
        return result_ && !result_->findings.empty() ? result_->findings.front() : Lead{};
    }
    /// The row that is pointed at, else the last one that was clicked.
    void inspect(Frame&) override;
    bool uses_layer() const override { return false; }
    Explanation explain(const Session&) const override;
    bool busy(const Session&) const override { return loading(); }
    std::string status(const Frame&) const override;
    /// Rows that this run has measured besides the live timing, of sweeps and of a user's own kernels; to be told every
    /// frame. They outlive it.
    void also_measured(std::vector<std::span<const Record>> rows) { also_measured_ = std::move(rows); }
    /// Clears the brush and the pinned row.
    void clear_selection() { selection_.reset(); }

    bool loading() const { return loader_.busy() || maker_.busy() || recorded_.reading(); }
    /// "Reading big.csv: 43 %, about 12 s left", while what is shown is not yet what is chosen; else empty.
    std::string reading() const;
    std::shared_ptr<const CompareData> data() const { return data_; }
    const CompareResult* result() const { return result_.get(); }
    const std::vector<PlotResult>& plots() const { return shown_plots_; }
    std::size_t selected() const { return selection_.count(); }  ///< rows that are brushed or chosen in the table
    RowSelection& selection() { return selection_; }
    std::uint64_t opened() const { return opened_; }  ///< grows when other rows are shown

private:
    void choose_source(Frame&);
    void choose_recorded(Frame&);
    std::optional<CompareSource> first_source(Frame&);
    void update(Frame&);
    void header(Frame&);
    void source_list(Frame&);
    void source_line();
    void pages(Frame&);
    void controls(Frame&);
    void scope_control(Frame&);
    void list(const char* label, const char* item_name, const std::vector<std::string>&, const std::string& shown,
              std::string& set, float width);
    void selection_line(Frame&);
    void more_findings();
    void page(Frame&, const ViewStyle&);
    void plots(Frame&, const ViewStyle&, ImVec2 room);
    void plot(Frame&, const ViewStyle&, std::size_t index, float width, float height);
    /// A chip for each column that the plot holds at one value, in lines of at most 'width'. Returns their height.
    float chips(Frame&, std::size_t index, float width);
    void chip(Frame&, std::size_t index, const FixedColumn&, ImVec2 size);
    void pairs_list(Frame&, float height);
    void point(Frame&, PlotRow hovered, PlotRow clicked);
    void load(Frame&, std::size_t row);
    std::string describe(PlotRow) const;
    void export_rows(Frame&, bool to_clipboard);
    RowSet rows_to_export() const;
    void show_this_run(Frame&);
    void show_data(Frame&, std::shared_ptr<const CompareData>);

    std::atomic<double> read_ = 0;  ///< share of the source's bytes
    LatestJob<CompareSource, CompareData> loader_;
    LatestJob<CompareRequest, CompareResult> maker_;
    std::optional<CompareSource> source_;  ///< unset: the rows of this run
    std::optional<CompareSource> first_;   ///< what there was to see first
    bool started_ = false;                 ///< that has been chosen
    RecordSource requested_;               ///< by open() and open_recorded(), for the next frame
    unsigned openings_ = 0;                ///< of files: one that has grown is read again
    std::string run_state_;                ///< of this run's rows, when they were taken
    std::vector<std::span<const Record>> also_measured_;
    std::uint64_t opened_ = 0;
    std::shared_ptr<const CompareData> data_;
    std::shared_ptr<CompareResult> result_;

    struct PlotSlot {
        PlotState state;
        std::string of;  ///< what the state was set for
    };
    std::array<std::array<PlotSlot, 4>, ComparePage::count> states_;
    std::array<std::size_t, ComparePage::count> first_plot_{};  ///< of a page with more than there is room for
    std::vector<PlotResult> shown_plots_;
    CompareTable table_;
    RecordedGallery recorded_;
    RowSelection selection_;
};

}  // namespace convscope::app
