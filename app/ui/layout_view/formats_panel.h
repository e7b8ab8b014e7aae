// The Formats page of the layouts: a matrix of the layer, and the arrays of it in every sparse format. What is pointed
// at or pinned is lit in all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/jobs/latest_job.h"
#include "app/ui/layout_view/matrix_pins.h"
#include "app/ui/layout_view/whole_formats.h"
#include "app/ui/widgets/frame.h"
#include "kernels/formats/format_arrays.h"
#include "kernels/layers/format_matrix.h"
#include "visualizers/explain/lead.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class FormatsPanel {
public:
    /// 'wake' as of WholeFormats.
    FormatsPanel(GridRenderer& renderer, std::function<void()> wake) : all_(renderer, std::move(wake)) {}
    /// Returns the sentence about the element that is pointed at, or else pinned; empty: neither is. What is pinned
    /// here is pinned on the other pages, where they have it, and the other way round.
    std::string draw(Frame&, const ViewStyle&);
    /// The place in the matrix that the sentence of the latest draw() is about. Empty where it is about none, or about
    /// more than one. Of copies of one element, the first.
    const std::optional<FormatCell>& place() const { return place_; }
    /// Where the formats on screen keep the element of that sentence, a line each; empty where place() is.
    const std::vector<std::string>& kept() const { return kept_; }
    const std::string& about() const { return about_; }  ///< which matrix, and how much of it
    const Lead& lead() const { return lead_; }  ///< the sentence that the page leads with, of the latest draw()
    bool busy() const { return counter_.busy() || break_even_.busy() || loads_.busy() || all_.busy(); }
    /// Lets go of the memory of the whole matrix and of the layer, and ends what is being counted.
    void release();

private:
    /// Which element: of a format's array, or of the matrix.
    struct Element {
        std::size_t tile = 0, array = 0;  ///< tile 0 is the matrix, then the formats in their order
        std::int64_t at = 0;
        bool operator==(const Element&) const = default;
    };
    struct Array {
        std::string title;  ///< "row_ptr: 6 × int32"
        std::vector<std::int64_t> shape;
        std::vector<std::string> texts;
        std::vector<bool> zeros;                     ///< values that are zero, and slots that are unused
        std::vector<std::vector<FormatCell>> cells;  ///< of each element
        std::map<std::int64_t, std::string> groups;  ///< by their first block: "block row 1: rows 2 to 3"
        FormatRole role = FormatRole::values;
        bool in_four = false;       ///< elements are the places of 2:4's values, not its words
        std::int64_t together = 0;  ///< columns between two gaps; 0: there are none
    };
    struct Tile {
        std::string id, title, about, note;
        std::string bytes, sum, whole, saves, loss;
        double share = 0;  ///< of dense's bytes
        std::vector<Array> arrays;
    };
    /// The matrix that the tiles show.
    struct Source {
        std::uint64_t snapshot = 0;
        MatrixOf of = MatrixOf::x;
        std::vector<std::string> hidden = {};  ///< by a lesson
        bool operator==(const Source&) const = default;
    };

    /// What is counted on a thread of its own. What failed is counted again only after another request: a lasting
    /// error would come in every frame.
    template <class Request, class Result>
    struct Count {
        using Job = LatestJob<Request, const Result>;
        std::unique_ptr<Job> job;  ///< made with the first request
        std::optional<Request> wanted;
        std::shared_ptr<const Result> result;  ///< null while it is being counted, and where it failed
        std::string problem;                   ///< why it failed

        bool busy() const { return job && job->busy(); }
        bool counting() const { return !result && problem.empty(); }
        /// Waits some milliseconds for it, and says once why it failed.
        void request(Session&, const Request&, typename Job::Make);
    };

    /// Whose bytes are counted: the whole matrix.
    struct Whole {
        std::shared_ptr<const Workload> workload;
        MatrixOf of = MatrixOf::x;
        std::int64_t image = 0;
        bool operator==(const Whole&) const = default;
    };
    /// The formats in their order; empty where there was no memory to count.
    struct Counts {
        std::vector<std::optional<std::int64_t>> bytes;  ///< none where it cannot be
        std::vector<std::int64_t> lost;
        std::int64_t non_zeros = 0;
    };
    using Counter = Count<Whole, Counts>;
    /// From which share of zeros on each format saves depends on the size alone.
    using Size = std::pair<std::int64_t, std::int64_t>;
    using Shares = std::vector<std::optional<double>>;
    using BreakEven = Count<Size, Shares>;
    /// The chosen formats, whose kernels' loads are counted.
    struct Read {
        Whole whole;
        std::vector<std::string> formats;
        bool operator==(const Read&) const = default;
    };
    using Loads = std::vector<std::string>;  ///< a sentence for each format
    using LoadCounter = Count<Read, Loads>;

    void choose(Frame&);
    std::optional<FormatCell> cell_of(const std::optional<Element>&) const;
    void follow(const std::vector<FormatCell>&);
    std::vector<FormatCell> chosen_places() const;
    void draw_whole(Frame&, const ViewStyle&);
    void count_whole(Frame&);
    std::vector<std::string> count_loads(Frame&, MatrixOf, std::vector<std::string> formats);
    std::string whole_text(std::size_t tile) const;
    void make(const Snapshot&, Source);
    void make_tile(const SparseFormat&, const FormatMatrix&);
    bool hides(const std::string& name) const;
    std::vector<std::size_t> smallest() const;
    Lead lead_of(const std::string& chosen) const;
    void step_by_arrows();
    std::string sentence(const Element&) const;
    std::string sentence_of_copies() const;
    void light(const std::optional<Element>&);
    std::vector<std::string> where_kept(const std::string& chosen, const std::string& next) const;
    void light_what_finds(std::size_t tile, const std::optional<Element>&);

    std::pair<std::vector<ImVec2>, float> arrange(std::size_t tile, float width, const ViewStyle&);
    /// A tile at least so wide, as far as there is room.
    ImVec2 tile_size(std::size_t, float least, float room, const ViewStyle&);
    void draw_tiles(Frame&, const ViewStyle&);
    void draw_tile(std::size_t, ImVec2 at, ImVec2 size, const ViewStyle&);
    ImVec2 walk(std::size_t tile, std::size_t array, ImVec2 at, float room, const ViewStyle&, bool draws);

    Source source_;
    FormatMatrix matrix_;
    MatrixSize whole_;   ///< of the image that is shown
    bool part_ = false;  ///< matrix_ is the first rows and columns of a larger one
    Counter counter_;
    BreakEven break_even_;
    LoadCounter loads_;
    bool said_ = false;                      ///< the tiles say what these two hold
    std::shared_ptr<const Counts> counted_;  ///< of the whole matrix, where a part is shown
    std::shared_ptr<const Shares> shares_;
    std::string about_;
    Lead lead_;
    std::vector<std::size_t> smallest_;  ///< tiles that the lead names
    std::vector<FormatArrays> made_;
    std::vector<Tile> tiles_;
    std::vector<std::vector<std::vector<bool>>> lit_;  ///< by tile, array, element
    std::optional<Element> pinned_, pointed_, lit_of_;
    MatrixPins pins_;
    std::vector<FormatCell> followed_;             ///< what the other pages had pinned in the frame before
    std::vector<FormatCell> copies_, lit_copies_;  ///< places of an element that another page has pinned, if several
    std::optional<FormatCell> place_;
    std::vector<std::string> kept_;
    std::vector<std::string> loads_sentences_;  ///< of the chosen formats
    WholeFormats all_;                          ///< where the whole matrix is shown
    bool large_ = false;                        ///< one format alone
};

}  // namespace convscope::app
