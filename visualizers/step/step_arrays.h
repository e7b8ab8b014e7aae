// The arrays of a traced block as grids, with what the present step reads and writes marked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "visualizers/gl/objects.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/layouts/figure_board.h"
#include "visualizers/step/traced_block.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// A position in a replay: after 'done' steps, with one thread chosen.
struct StepPoint {
    std::size_t done = 0;
    unsigned thread = 0;
    bool operator==(const StepPoint&) const = default;
};

/// The content to draw. 'number' grows with every trace; 'notes' stand under the arrays' names; 'legible' leaves arrays
/// out where the numbers of all would have no room.
struct StepPicture {
    TracedBlock& block;
    std::uint64_t number = 0;
    StepPoint point;
    bool notes = true, legible = false;
};

/// Belongs to the thread of the GL context.
class StepArrays {
public:
    /// The renderer outlives this, and begins each frame before draw.
    explicit StepArrays(GridRenderer& renderer) : renderer_(renderer) {}
    /// Draws into a rectangle of the present window.
    void draw(ImVec2 at, ImVec2 size, const StepPicture&, const ViewStyle&);

private:
    /// The part of an array that is on screen: all of it, or the page that holds what was touched last.
    struct Page {
        std::int64_t plane = 0, row = 0, col = 0, rows = 1, cols = 1;
        bool operator==(const Page&) const = default;
    };
    struct CachedArray {
        Page page;
        std::vector<std::uint32_t> cells;  ///< of the page, row-major, as bit patterns of floats
        gl::Buffer buffer;
        GridCamera camera;
    };

    void forget(std::size_t arrays);
    void limit_pages(ImVec2 size, const ViewStyle&);
    const std::vector<std::size_t>& chosen_few(const StepPicture&, ImVec2 at, ImVec2 size, const ViewStyle&);
    std::vector<std::size_t> fitting(const StepPicture&, const std::vector<std::size_t>& ranked, ImVec2 at, ImVec2 size,
                                     const ViewStyle&);
    Page page_of(const TracedBlock&, std::size_t array, const StepPoint&) const;
    void fill(TracedBlock&, const StepPoint&);
    Figure figure(TracedBlock&, std::size_t array, const StepPoint&, const ViewStyle&);
    void mark(Figure&, TracedBlock&, std::size_t array, const StepPoint&, const ViewStyle&) const;
    void tell(TracedBlock&, std::size_t array, const Cell&, const StepPoint&, const CellColumn&,
              const ViewStyle&) const;
    const std::vector<Arrangement>& candidates(const std::vector<Figure>&, unsigned borders, ImVec2 size, float scale);

    GridRenderer& renderer_;
    std::map<ArrayId, GridCamera> no_cameras_;
    std::vector<CachedArray> cached_;  ///< as TracedBlock::arrays
    std::vector<std::uint32_t> part_;  ///< the values that a grid's numbers are printed from
    std::uint64_t trace_ = 0;
    std::optional<StepPoint> filled_;
    Cell page_limit_;                                 ///< rows and columns of the largest page
    std::map<int, std::vector<std::size_t>> chosen_;  ///< arrays that have room, by the one that must be among them
    std::uint64_t chosen_of_ = 0;                     ///< the trace
    std::array<float, 3> chosen_for_{};
    std::vector<Arrangement> arrangements_;
    std::vector<double> arranged_for_;  ///< sizes that arrangements_ were made for
};

}  // namespace convscope
