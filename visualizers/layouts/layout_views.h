// The composed views: a format's arrays as the papers draw them, every element linked with every other.
// They fill the rest of the current ImGui window (which should not scroll).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visualizers/explain/lead.h"
#include "visualizers/explain/links.h"
#include "visualizers/explain/lit_term.h"
#include "visualizers/explain/multiplication.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/layouts/layout_scene.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// The user's settings in one view, as plain data. Whoever draws keeps it, and puts in what the session keeps: what is
/// pinned, the aggregate, the block row.
struct LayoutViewState {
    std::map<ArrayId, GridCamera> cameras;
    std::int64_t block = 0;                    ///< the block row that is taken apart (ECR, PECR)
    std::optional<ElementRef> pinned;          ///< by a click; the app clears it on Esc
    bool pinned_companion = false;             ///< in the second layout
    std::optional<LinkGroup> pinned_group;     ///< a block row, thread, window or partition; the app clears it on Esc
    Aggregate aggregate = Aggregate::largest;  ///< value of pixels that stand for several elements
    std::string note;                          ///< said under the view: what part of the layer this is
    std::map<ArrayId, GridCamera> companion_cameras;
};

/// A second layout next to the first, of the same map; null: none.
struct CompanionScene {
    const LayoutScene* scene = nullptr;
    ThreadMap threads;
};

/// How the multiplication behind an element of y is shown: where one is pointed at, played or pinned.
struct MultiplicationCourse {
    std::optional<Cell> y;       ///< that is played; it comes before what is pinned
    bool plays = false;          ///< and before what is pointed at
    std::optional<double> held;  ///< seconds of its course at which it stands still
};

struct ShownMultiplication {
    Cell y;
    double seconds = 0, course = 0;  ///< of its course so far, and until it rests
};

struct LayoutViewResult {
    std::optional<ElementRef> pointed;  ///< under the pointer, or else pinned
    bool pointed_companion = false;     ///< in the second layout
    std::optional<LinkGroup> group;     ///< pointed at by its name, or pinned, instead of an element
    LinkSet links;                      ///< of what is pointed at; its sentence is for the inspector
    LinkSet across;                     ///< its links in the other layout; without a second layout empty
    Lead lead;                          ///< the sentence that the page leads with, for above it
    std::optional<ShownMultiplication> multiplication;
};

/// Draws the views. Keeps the latest links, so that a still pointer costs nothing. One per GL context.
class LayoutViews {
public:
    LayoutViews();
    ~LayoutViews();
    /// Once per ImGui frame, before any view. 'animate': arrays glide to their places where the page changes.
    void begin_frame(bool animate = false);
    /// Once per ImGui frame, before any view: the layout that each view but the map's shows next to its own, and what a
    /// formula's term lights up; null: nothing.
    void accompany(CompanionScene companion, const LitTerm* lit);
    /// Once per ImGui frame, before any view: shows multiplications, which stand still unless 'animate' was given.
    void multiply(const MultiplicationCourse&);
    /// Once per ImGui frame, before any view: what is not to be seen. 'words': what is said of the arrays is neither.
    void conceal(std::vector<ArrayId> arrays, bool words);
    /// Aggregates are still being built, arrays glide, or a multiplication goes on: the next frame shows something
    /// else.
    bool busy() const;

    /// Xu 2019, Figs. 4 and 6. The scene holds Format::ecr.
    LayoutViewResult ecr(const LayoutScene&, LayoutViewState&, const ThreadMap&, const ViewStyle&);
    /// Xu 2019, Figs. 7 and 8. Format::pecr.
    LayoutViewResult pecr(const LayoutScene&, LayoutViewState&, const ThreadMap&, const ViewStyle&);
    /// Cho & Brand 2017, Figs. 1 and 2. Format::mec next to Format::im2col, of the same map.
    LayoutViewResult mec(const LayoutScene& mec, const LayoutScene& im2col, LayoutViewState&, const ViewStyle&);
    /// The output with the input and the filter that it comes from.
    LayoutViewResult output(const LayoutScene&, LayoutViewState&, const ViewStyle&);
    /// Another array of any scene, alone.
    LayoutViewResult map(const LayoutScene&, ArrayId, LayoutViewState&, const ThreadMap&, const ViewStyle&);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace convscope
