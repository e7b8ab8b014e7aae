// The whole matrix of a layer and its arrays in one or two formats, of up to 10^8 elements, drawn from GL buffers. They
// are built on a thread of their own and copied to OpenGL a few megabytes in each frame.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/jobs/latest_job.h"
#include "kernels/formats/format_arrays.h"
#include "kernels/layers/format_matrix.h"
#include "visualizers/explain/lead.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class WholeFormats {
public:
    /// The matrix of one image, or w, and the formats by name, one or two.
    struct Request {
        std::shared_ptr<const Workload> workload;
        MatrixOf of = MatrixOf::x;
        std::int64_t image = 0;
        std::vector<std::string> formats;
        bool operator==(const Request&) const = default;
    };

    /// 'wake' is called on the builder's thread when there is news; it must be safe to call from any thread.
    WholeFormats(GridRenderer&, std::function<void()> wake);
    ~WholeFormats();
    /// Fills the rest of the present window, and says in 'sentence' what is pointed at, or else pinned. 'below': for
    /// each format, a sentence under its arrays.
    void draw(const Request&, const std::vector<std::string>& below, const ViewStyle&);
    /// Pins the element of these places of the matrix, or nothing, where that is not what was followed before.
    void follow(const std::vector<FormatCell>&);
    /// What was pinned here is what the other pages have at these places.
    void follows(std::vector<FormatCell> places) { followed_ = std::move(places); }
    /// The place that is pinned; empty where none is, or more than one.
    std::optional<FormatCell> pinned_cell() const { return cell_of(pinned_); }
    /// As of FormatsPanel.
    const std::optional<FormatCell>& place() const { return place_; }
    const std::vector<std::string>& kept() const { return kept_; }
    /// Whether the user pinned or unpinned something in the latest draw().
    bool chose_pin() const { return chose_pin_; }
    /// Frees the memory; the next draw() begins again.
    void release();

    const std::string& sentence() const { return sentence_; }
    const Lead& lead() const { return lead_; }
    /// Whether the next frame would show something new without any event.
    bool busy() const;

private:
    /// An element of an array: of pane 0, the matrix, or of a format's.
    struct Element {
        std::size_t pane = 0, array = 0;
        std::int64_t at = 0;
        bool operator==(const Element&) const = default;
    };
    struct Made;  ///< what the thread builds
    class Grid;   ///< an array in a GL buffer
    struct Pane {
        std::string title, about, below;
        std::vector<std::unique_ptr<Grid>> grids;
    };

    static std::shared_ptr<const Made> build(const Request&, const std::stop_token&);
    void take(std::shared_ptr<const Made>);
    void draw_pane(std::size_t, ImVec2 at, ImVec2 size, const ViewStyle&);
    std::optional<FormatCell> cell_of(const std::optional<Element>&) const;
    void light(const std::optional<Element>&);
    std::string sentence_of(const Element&) const;
    std::vector<std::string> where_kept() const;

    GridRenderer& renderer_;
    const std::function<void()> wake_;
    using Job = LatestJob<Request, const Made>;
    std::unique_ptr<Job> job_;  ///< while the whole matrix is shown: it keeps the latest result
    std::shared_ptr<const Made> made_;
    std::optional<Request> failed_;
    std::string problem_;  ///< why 'failed_' could not be built
    std::vector<Pane> panes_;
    std::optional<Element> pinned_, pointed_, lit_of_;
    std::vector<FormatCell> followed_, copies_, lit_copies_;  ///< as of FormatsPanel
    std::optional<FormatCell> place_;
    std::vector<std::string> kept_;
    bool chose_pin_ = false;
    std::vector<std::vector<std::vector<std::int64_t>>> lit_;  ///< by pane and array: elements
    std::string sentence_;
    Lead lead_;
};

}  // namespace convscope::app
