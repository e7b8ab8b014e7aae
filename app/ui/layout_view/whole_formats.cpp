#include "app/ui/layout_view/whole_formats.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/host_memory.h"
#include "visualizers/style/control_hook.h"

namespace convscope::app {
namespace {

constexpr double copying_ms = 8;                                         // of a frame
constexpr std::int64_t least_chunk = 1 << 20, largest_chunk = 64 << 20;  // bytes copied at once
constexpr std::int64_t most_cols = 4096;                                 // of the lines of a list
constexpr std::int64_t most_linked = 1 << 20;       // elements of all arrays: a frame looks at each
constexpr std::int64_t most_bytes = 2'000'000'000;  // of a format's arrays, in host memory
constexpr std::int64_t most_marks = 65536;
constexpr float pane_gap = 24, largest_cell = 40, least_grid = 36;  // px at scale 1

/// The range of the elements and 0. 'slots': all bits set is an unused one.
ValueRange range_of(const std::uint32_t* words, std::int64_t count, bool floats, bool slots) {
    ValueRange range{0, 0};
    for (std::int64_t i = 0; i < count; ++i) {
        if (slots && words[i] == 0xffffffffU) continue;
        const float value =
            floats ? std::bit_cast<float>(words[i]) : static_cast<float>(std::bit_cast<std::int32_t>(words[i]));
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    return range;
}

bool before_in_matrix(const FormatCell& a, const FormatCell& b) {
    return std::pair{a.row, a.col} < std::pair{b.row, b.col};
}

/// Words of bits may have all of them set.
bool has_slots(const FormatArray& array) {
    return array.role != FormatRole::bits && array.role != FormatRole::metadata;
}

/// Whether an element is of nothing but the wanted cells, or of all of them. 'entries': those of the format that are
/// wanted, in order; 'wanted' is row by row.
bool belongs(const FormatArrays& arrays, const FormatArray& array, std::int64_t at,
             const std::vector<FormatCell>& wanted, const std::vector<std::int64_t>& entries) {
    const FormatPlace& place = array.places[static_cast<std::size_t>(at)];
    if (!place.used) return false;
    if (const std::int64_t count = place.last - place.first; count > 0) {
        const auto begin = std::ranges::lower_bound(entries, place.first);
        const std::int64_t found = std::ranges::lower_bound(begin, entries.end(), place.last) - begin;
        return found == count || (found > 0 && found == static_cast<std::int64_t>(wanted.size()));
    }
    // A zero that is stored has a cell and no entry.
    const std::vector<FormatCell> cells = arrays.cells(array, at);
    return cells.size() == 1 && std::ranges::binary_search(wanted, cells.front(), before_in_matrix);
}

}  // namespace

struct WholeFormats::Made {
    Request request;
    FormatMatrix matrix;
    std::vector<std::unique_ptr<FormatArrays>> formats;  ///< null where it cannot be built
    std::vector<std::string> problems;                   ///< why not
    /// Places are known, and the non-zeros by row and column: what is pointed at can be found in all arrays.
    bool linked = false;
    std::vector<std::vector<std::int32_t>> by_cell;  ///< of each format: its entries in the order of the matrix
    std::int64_t zeros = 0;
    ValueRange range;                             ///< of the matrix
    std::vector<std::vector<ValueRange>> ranges;  ///< of each format's arrays
};

/// An array in a GL buffer, drawn in lines: a matrix as it is, a list in as many lines as its box has room for.
class WholeFormats::Grid {
public:
    /// 'words' outlive it.
    Grid(std::string title, const std::vector<std::int64_t>& shape, const std::uint32_t* words, bool floats, bool slots,
         const ValueRange& range, std::shared_ptr<PyramidPrograms> programs)
        : title_(std::move(title)),
          words_(words),
          count_(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())),
          element_(floats ? convscope::Element::f32 : convscope::Element::i32),
          slots_(slots),
          range_(range),
          pyramid_(std::move(programs)) {
        const std::int64_t last = shape.empty() ? 1 : shape.back();
        // Blocks are listed one behind the other, each whole in its line.
        unit_ = shape.size() == 3 ? shape[1] * shape[2] : 1;
        if (shape.size() == 2 && shape[0] > 0) fixed_cols_ = last;
        const std::int64_t room = count_ + (fixed_cols_ ? 0 : most_cols);
        buffer_ = gl::Buffer("format." + title_, 4 * std::max<std::int64_t>(room, 1));
    }

    const std::string& title() const { return title_; }
    std::int64_t count() const { return count_; }
    bool complete() const { return copied_ == count_ && pyramid_.complete(); }
    double share_copied() const { return count_ > 0 ? static_cast<double>(copied_) / static_cast<double>(count_) : 1; }

    /// Copies on for about so many milliseconds; returns those that are left.
    double copy(double milliseconds) {
        using Clock = std::chrono::steady_clock;
        while (copied_ < count_ && milliseconds > 0) {
            const Clock::time_point begin = Clock::now();
            const std::int64_t some = std::min(count_ - copied_, chunk_ / 4);
            buffer_.write(words_ + copied_, 4 * some, 4 * copied_);
            copied_ += some;
            const double spent = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
            chunk_ = std::clamp(spent < milliseconds / 4 ? chunk_ * 2 : chunk_ / 2, least_chunk, largest_chunk);
            milliseconds -= spent;
            // The rest of the last line is blank.
            if (copied_ == count_ && !fixed_cols_)
                buffer_.write(std::vector<std::uint32_t>(most_cols, blank()).data(), 4 * most_cols, 4 * count_);
        }
        return milliseconds;
    }

    /// The size that it has in a box: cells are no larger than can be read.
    ImVec2 fit(ImVec2 box, float cell) {
        if (fixed_cols_) {
            cols_ = *fixed_cols_;
        } else {
            // A power of two, so that a window that is drawn larger rarely breaks the lines anew.
            const double wanted = std::sqrt(static_cast<double>(std::max<std::int64_t>(count_, 1)) *
                                            static_cast<double>(box.x / std::max(box.y, 1.0F)));
            const auto lines = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
            cols_ = std::clamp<std::int64_t>(lines / unit_ * unit_, std::min(unit_, most_cols), most_cols);
            cols_ = std::min(cols_, std::max<std::int64_t>(count_, 1));
        }
        rows_ = std::max<std::int64_t>((count_ + cols_ - 1) / cols_, 1);
        return {std::floor(std::min(box.x, cell * static_cast<float>(cols_))),
                std::floor(std::min(box.y, cell * static_cast<float>(rows_)))};
    }

    GridHit draw(GridRenderer& renderer, const char* id, ImVec2 at, ImVec2 size, const std::vector<std::int64_t>& lit,
                 std::optional<std::int64_t> focus, const ViewStyle& style) {
        const PyramidSource source{buffer_.id(), 0, rows_, cols_, cols_, element_, slots_, !floats()};
        if (pyramid_.source() != source) {
            pyramid_.reset(source);
            camera_ = {};
        }
        GridDecor decor;
        for (const std::int64_t each : lit) decor.linked.push_back({each / cols_, each % cols_});
        if (focus) decor.focus = Cell{*focus / cols_, *focus % cols_};
        GridSource grid;
        grid.buffer = buffer_.id();
        grid.rows = rows_;
        grid.cols = grid.row_stride = cols_;
        grid.element = element_;
        grid.empty_slots = slots_;
        grid.zero_is_a_value = !floats();
        grid.range = range_;
        grid.pyramid = &pyramid_;
        grid.read = [this](std::int64_t first, std::int64_t rows, std::int64_t cols,
                           std::int64_t stride) -> const std::vector<std::uint32_t>& {
            seen_.clear();
            for (std::int64_t row = 0; row < rows && rows * cols <= most_marks; ++row)
                for (std::int64_t i = first + row * stride, end = i + cols; i < end; ++i)
                    seen_.push_back(i < count_ ? words_[i] : blank());
            return seen_;
        };
        return renderer.draw(id, at, size, grid, camera_, decor, style);
    }
    std::int64_t element_at(const Cell& cell) const { return cell.row * cols_ + cell.col; }
    ArrayColours colours() const { return {{range_}, slots_}; }

private:
    /// Stands behind the last element of a list.
    std::uint32_t blank() const { return slots_ ? 0xffffffffU : 0; }
    bool floats() const { return element_ == convscope::Element::f32; }

    const std::string title_;
    const std::uint32_t* const words_;
    const std::int64_t count_;
    const convscope::Element element_;
    const bool slots_;  ///< all bits set is an unused one; words of bits may have all of them set
    const ValueRange range_;
    std::optional<std::int64_t> fixed_cols_;
    std::int64_t unit_ = 1, rows_ = 1, cols_ = 1, copied_ = 0, chunk_ = 4 << 20;
    gl::Buffer buffer_;
    TilePyramid pyramid_;
    GridCamera camera_;
    std::vector<std::uint32_t> seen_;
};

WholeFormats::WholeFormats(GridRenderer& renderer, std::function<void()> wake)
    : renderer_(renderer), wake_(std::move(wake)) {}

WholeFormats::~WholeFormats() = default;

std::shared_ptr<const WholeFormats::Made> WholeFormats::build(const Request& request, const std::stop_token& stop) {
    auto made = std::make_shared<Made>();
    made->request = request;
    const std::optional<std::int64_t> image = request.of == MatrixOf::w ? std::nullopt : std::optional(request.image);
    const MatrixSize size = matrix_size(request.of, request.workload->spec.shape, image.has_value());
    const double elements = static_cast<double>(size.rows) * static_cast<double>(size.cols);
    if (4 * elements > static_cast<double>(most_bytes))
        throw Error(ErrorKind::usage,
                    fmt::format("the whole matrix has {} \u00d7 {} elements; shown are up to {}",
                                format_count(size.rows), format_count(size.cols), format_count(most_bytes / 4)));
    require_host_memory(8 * elements, "the whole matrix");
    made->matrix = make_matrix(request.of, *request.workload, image);
    if (stop.stop_requested()) return nullptr;
    made->zeros = std::ranges::count(made->matrix.values, 0.0F);
    const auto least_and_largest = std::ranges::minmax(made->matrix.values);
    made->range = {std::min(0.0F, least_and_largest.min), std::max(0.0F, least_and_largest.max)};
    const NonZeros non_zeros = find_non_zeros(request.of, *request.workload, image, stop);
    // Each non-zero has an entry, and a place in two lists while a level is built.
    require_host_memory(100 * static_cast<double>(non_zeros.count()), "the whole matrix in formats");
    std::int64_t all = static_cast<std::int64_t>(made->matrix.values.size());
    std::vector<bool> can(request.formats.size());
    for (std::size_t i = 0; i < request.formats.size(); ++i) {
        const SparseFormat& format = find_sparse_format(request.formats[i]);
        const std::optional<std::int64_t> bytes = count_bytes(format, non_zeros, stop);
        if (stop.stop_requested()) return nullptr;
        can[i] = bytes && *bytes <= most_bytes;
        made->problems.push_back(
            can[i]  ? std::string()
            : bytes ? fmt::format("{} would take {}; shown are arrays of up to {}.", format.title, format_bytes(*bytes),
                                  format_bytes(most_bytes))
                    : fmt::format("{} has more elements than an index of 31 bits counts.", format.title));
        if (can[i]) all += *bytes / 4;
    }
    made->linked = all <= most_linked;
    for (std::size_t i = 0; i < can.size(); ++i) {
        auto& arrays = made->formats.emplace_back();
        auto& order = made->by_cell.emplace_back();
        auto& ranges = made->ranges.emplace_back();
        if (!can[i]) continue;
        arrays = std::make_unique<FormatArrays>(
            build_format(find_sparse_format(request.formats[i]), made->matrix, made->linked));
        if (stop.stop_requested()) return nullptr;
        for (const FormatArray& array : arrays->arrays)
            ranges.push_back(
                range_of(array.words.data(), array.elements(), array.type == FormatType::f32, has_slots(array)));
        if (!made->linked) continue;
        order.resize(arrays->entries.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, {}, [&](std::int32_t at) {
            const FormatEntry& entry = arrays->entries[static_cast<std::size_t>(at)];
            return std::pair{entry.row, entry.col};
        });
    }
    return made;
}

bool WholeFormats::busy() const {
    return (job_ && job_->busy()) || renderer_.building() || std::ranges::any_of(panes_, [](const Pane& pane) {
               return std::ranges::any_of(pane.grids, [](const auto& grid) { return grid->share_copied() < 1; });
           });
}

void WholeFormats::release() {
    if (!job_) return;
    job_.reset();
    panes_.clear();
    made_.reset();
    failed_.reset();
    pinned_.reset();
    followed_.clear();
    copies_.clear();
    place_.reset();
    kept_.clear();
    pointed_.reset();
    sentence_.clear();
    lead_ = {};
}

void WholeFormats::take(std::shared_ptr<const Made> made) {
    panes_.clear();  // their memory first
    made_ = std::move(made);
    pinned_.reset();
    followed_.clear();
    copies_.clear();
    pointed_.reset();
    lit_of_.reset();
    lit_copies_.clear();
    const FormatMatrix& matrix = made_->matrix;
    const auto programs = renderer_.pyramid_programs();
    Pane& dense = panes_.emplace_back();
    dense.title = "Dense";
    dense.about = format_bytes(4 * matrix.rows * matrix.cols);
    const std::vector<std::int64_t> shape{matrix.rows, matrix.cols};
    static_assert(sizeof(float) == sizeof(std::uint32_t));
    dense.grids.push_back(std::make_unique<Grid>(fmt::format("{} float32", sizes(shape)), shape,
                                                 reinterpret_cast<const std::uint32_t*>(matrix.values.data()), true,
                                                 false, made_->range, programs));
    for (std::size_t i = 0; i < made_->formats.size(); ++i) {
        Pane& pane = panes_.emplace_back();
        pane.title = find_sparse_format(made_->request.formats[i]).title;
        pane.about = made_->problems[i];
        const FormatArrays* arrays = made_->formats[i].get();
        if (!arrays) continue;
        pane.about = fmt::format(
            "{}, {} of dense{}", format_bytes(arrays->bytes()),
            format_percent(static_cast<double>(arrays->bytes()) / static_cast<double>(arrays->dense_bytes())),
            arrays->lost == 0 ? "" : "; " + loss_sentence(*arrays));
        for (std::size_t at = 0; at < arrays->arrays.size(); ++at) {
            const FormatArray& array = arrays->arrays[at];
            pane.grids.push_back(std::make_unique<Grid>(
                fmt::format("{}: {} {}", array.name, sizes(array.shape), to_string(array.type)), array.shape,
                array.words.data(), array.type == FormatType::f32, has_slots(array), made_->ranges[i][at], programs));
        }
    }
}

void WholeFormats::draw(const Request& request, const std::vector<std::string>& below, const ViewStyle& style) {
    if (!job_)
        job_ = std::make_unique<Job>([](const Request& wanted, const std::shared_ptr<const Made>&,
                                        const std::stop_token& stop) { return build(wanted, stop); },
                                     wake_);
    // A failed request is not built again in each frame.
    if (failed_ != request) {
        failed_.reset();
        job_->request(request);
        job_->settle(4);
        const auto fail = [&](std::string why) {
            problem_ = std::move(why);
            failed_ = request;
            panes_.clear();
            made_.reset();
        };
        if (std::string error = job_->take_error(); !error.empty()) fail(std::move(error));
        if (const auto latest = job_->latest(); latest && latest != made_ && latest->request == request) {
            try {
                take(latest);
            } catch (const std::exception& error) {
                fail(error.what());
            }
        }
    }
    lead_ = {};
    sentence_.clear();
    place_.reset();
    kept_.clear();
    chose_pin_ = false;
    if (failed_) return problem(problem_);
    if (!made_ || made_->request != request) return note("Building the whole matrix and its arrays...");
    const FormatArrays* first = made_->formats.front().get();
    if (first) {
        const auto dense = static_cast<double>(first->dense_bytes());
        const double taken = static_cast<double>(first->bytes()) / dense;
        lead_ = {fmt::format("At {} zeros {} takes ", format_percent(4 * static_cast<double>(made_->zeros) / dense),
                             first->format->title),
                 format_percent(taken), " of the dense matrix's bytes",
                 taken <= 1 ? std::optional(taken) : std::nullopt};
    }
    if (focus_order().leaves_keys_to_view() && pressed(Key::escape) && !focus_order().took_escape()) {
        chose_pin_ = pinned_ || !copies_.empty();
        pinned_.reset();
        copies_.clear();
    }
    const std::optional<Element> of = pointed_ ? pointed_ : pinned_;
    light(of);
    place_ = cell_of(of);
    if (of) {
        sentence_ = sentence_of(*of);
        if (place_) kept_ = where_kept();
    } else if (!copies_.empty()) {
        place_ = copies_.front();
        sentence_ =
            fmt::format("The pinned element of x is {:.4g}, in {} places of the matrix{}.",
                        made_->matrix.values[static_cast<std::size_t>(place_->row * made_->matrix.cols + place_->col)],
                        copies_.size(), made_->linked ? ": they are lit, and what each array has of them" : "");
    }
    note(!sentence_.empty() ? sentence_
         : made_->linked ? "Point at an element to see it in every array; a click pins it. Wheel zooms, dragging pans."
                         : fmt::format("Wheel zooms, dragging pans. With more than {} elements in all, an element is "
                                       "not looked for in the other arrays.",
                                       format_count(most_linked)));
    pointed_.reset();
    renderer_.show(Aggregate::largest);
    double left = copying_ms;
    for (Pane& pane : panes_)
        for (const auto& grid : pane.grids) left = grid->copy(left);
    const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const auto count = static_cast<float>(panes_.size());
    const float width = std::floor((room.x - px(pane_gap) * (count - 1)) / count);
    for (std::size_t i = 1; i < panes_.size(); ++i)
        if (made_->formats[i - 1]) panes_[i].below = below[i - 1];
    for (std::size_t i = 0; i < panes_.size(); ++i)
        draw_pane(i, {start.x + (width + px(pane_gap)) * static_cast<float>(i), start.y}, {width, room.y}, style);
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy(room);
}

/// The arrays one below the other; what their captions leave is shared by the roots of their sizes.
void WholeFormats::draw_pane(std::size_t number, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    Pane& pane = panes_[number];
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 corner = at;
    {
        WithFont font(look().fonts->strong);
        list.AddText(at, style.theme->text.u32(), pane.title.c_str());
        capture_text(pane.title);
        at.y += ImGui::GetTextLineHeight() + px(2);
    }
    WithFont font(look().fonts->small);
    const float line = ImGui::GetTextLineHeight() + px(4);
    const std::string about = in_lines(pane.about, size.x);
    list.AddText(at, style.theme->text_dim.u32(), about.c_str());
    capture_text(pane.about);
    at.y += ImGui::CalcTextSize(about.c_str()).y + px(6);
    float weights = 0;
    for (const auto& grid : pane.grids)
        weights += std::sqrt(static_cast<float>(std::max<std::int64_t>(grid->count(), 1)));
    const float captions = (line + px(8)) * static_cast<float>(pane.grids.size());
    const std::string below = pane.below.empty() ? "" : in_lines(pane.below, size.x);
    const float least = px(least_grid) * static_cast<float>(pane.grids.size());
    const float room =
        std::max(0.0F, corner.y + size.y - at.y - captions - least - ImGui::CalcTextSize(below.c_str()).y - px(4));
    for (std::size_t i = 0; i < pane.grids.size(); ++i) {
        Grid& grid = *pane.grids[i];
        list.AddText(at, style.theme->text_dim.u32(), shortened(grid.title(), size.x).c_str());
        capture_text(grid.title());
        at.y += line;
        const float share = std::sqrt(static_cast<float>(std::max<std::int64_t>(grid.count(), 1))) / weights;
        const ImVec2 box{size.x, px(least_grid) + std::floor(room * share)};
        const ImVec2 extent = grid.fit(box, px(largest_cell));
        if (grid.count() == 0) {
            list.AddText(at, style.theme->text_dim.u32(), "no elements");
        } else if (grid.share_copied() < 1) {
            list.AddText(at, style.theme->text_dim.u32(),
                         fmt::format("copying to OpenGL, {}", format_percent(grid.share_copied())).c_str());
        } else {
            std::vector<std::int64_t> lit;
            std::optional<std::int64_t> focus;
            if (lit_of_ || !lit_copies_.empty()) {
                lit = lit_[number][i];
                if (lit_of_ && lit_of_->pane == number && lit_of_->array == i) focus = lit_of_->at;
            }
            const std::string id = fmt::format("whole/{}/{}", number, i);
            const GridHit hit = grid.draw(renderer_, id.c_str(), at, extent, lit, focus, style);
            if (ItemRegistry::active) ItemRegistry::active->add(id, at, {at.x + extent.x, at.y + extent.y});
            if (figure_hook)
                figure_hook(pane.title + " " + grid.title(), at.x, at.y, extent.x, extent.y, grid.colours());
            if (hit.hovered && grid.element_at(*hit.hovered) < grid.count()) {
                const Element here{number, i, grid.element_at(*hit.hovered)};
                pointed_ = here;
                if (hit.clicked) {
                    pinned_ = pinned_ == here ? std::nullopt : std::optional(here);
                    copies_.clear();
                    chose_pin_ = true;
                }
            }
        }
        at.y += extent.y + px(8);
    }
    list.AddText(at, style.theme->text_dim.u32(), below.c_str());
    capture_text(pane.below);
}

void WholeFormats::follow(const std::vector<FormatCell>& places) {
    if (!made_ || panes_.empty() || followed_ == places) return;
    followed_ = places;
    const FormatMatrix& matrix = made_->matrix;
    copies_ = places;
    // Until the matrix of a new layer is built, they may be of that one.
    std::erase_if(copies_, [&](const FormatCell& at) { return at.row >= matrix.rows || at.col >= matrix.cols; });
    pinned_.reset();
    if (copies_.size() == 1) {
        pinned_ = Element{0, 0, copies_.front().row * matrix.cols + copies_.front().col};
        copies_.clear();
    }
}

/// The place that an element is of, where it is of one and that is known.
std::optional<FormatCell> WholeFormats::cell_of(const std::optional<Element>& element) const {
    if (!element || !made_) return {};
    if (element->pane == 0) return FormatCell{element->at / made_->matrix.cols, element->at % made_->matrix.cols};
    if (!made_->linked) return {};
    const FormatArrays& arrays = *made_->formats[element->pane - 1];
    const std::vector<FormatCell> cells = arrays.cells(arrays.arrays[element->array], element->at);
    return cells.size() == 1 ? std::optional(cells.front()) : std::nullopt;
}

/// Where the formats keep what is lit, which is one element of the matrix.
std::vector<std::string> WholeFormats::where_kept() const {
    if (!made_->linked) return {};
    std::vector<KeptValue> values;
    for (std::size_t pane = 1; pane < panes_.size(); ++pane) {
        const FormatArrays* const arrays = made_->formats[pane - 1].get();
        if (!arrays) continue;
        const std::vector<std::int64_t>& lit = lit_[pane].back();
        values.push_back({arrays, lit.empty() ? std::nullopt : std::optional(lit.front())});
    }
    const FormatMatrix& matrix = made_->matrix;
    return kept_sentences(values, matrix.values[static_cast<std::size_t>(place_->row * matrix.cols + place_->col)]);
}

/// An element is lit where it is of nothing but what the other one is of, or of all of that. With none, what is of the
/// copies of an element that another page has pinned.
void WholeFormats::light(const std::optional<Element>& of) {
    if (lit_of_ == of && lit_copies_ == copies_) return;
    lit_of_ = of;
    lit_copies_ = copies_;
    lit_.clear();
    for (const Pane& pane : panes_) lit_.emplace_back(pane.grids.size());
    const std::int64_t cols = made_->matrix.cols;
    if (!made_->linked) {
        for (const FormatCell& cell : copies_) lit_[0][0].push_back(cell.row * cols + cell.col);
        return;
    }
    std::vector<FormatCell> wanted;
    if (!of) {
        wanted = copies_;
    } else if (of->pane == 0) {
        wanted = {{of->at / cols, of->at % cols}};
    } else {
        const FormatArrays& arrays = *made_->formats[of->pane - 1];
        wanted = arrays.cells(arrays.arrays[of->array], of->at);
    }
    if (wanted.empty() || static_cast<std::int64_t>(wanted.size()) > most_marks) return;
    std::ranges::sort(wanted, before_in_matrix);
    for (const FormatCell& cell : wanted) lit_[0][0].push_back(cell.row * cols + cell.col);
    for (std::size_t pane = 1; pane < panes_.size(); ++pane) {
        const FormatArrays* arrays = made_->formats[pane - 1].get();
        if (!arrays) continue;
        // The wanted entries of this format, in its order.
        std::vector<std::int64_t> entries;
        const auto place = [&](std::int32_t at) {
            const FormatEntry& entry = arrays->entries[static_cast<std::size_t>(at)];
            return std::pair<std::int64_t, std::int64_t>{entry.row, entry.col};
        };
        const auto& order = made_->by_cell[pane - 1];
        for (const FormatCell& cell : wanted) {
            const auto found = std::ranges::lower_bound(order, std::pair{cell.row, cell.col}, {}, place);
            if (found != order.end() && place(*found) == std::pair{cell.row, cell.col}) entries.push_back(*found);
        }
        std::ranges::sort(entries);
        for (std::size_t i = 0; i < arrays->arrays.size(); ++i) {
            const FormatArray& array = arrays->arrays[i];
            for (std::int64_t at = 0; at < array.elements(); ++at)
                if (belongs(*arrays, array, at, wanted, entries)) lit_[pane][i].push_back(at);
        }
    }
}

std::string WholeFormats::sentence_of(const Element& element) const {
    if (element.pane == 0) {
        const std::int64_t cols = made_->matrix.cols;
        return fmt::format("Row {}, column {} is {:.4g}.", element.at / cols, element.at % cols,
                           made_->matrix.values[static_cast<std::size_t>(element.at)]);
    }
    const FormatArrays& arrays = *made_->formats[element.pane - 1];
    const FormatArray& array = arrays.arrays[element.array];
    const std::string& title = arrays.format->title;
    if (made_->linked) return fmt::format("{}: {}.", title, format_sentence(arrays, array, element.at));
    return fmt::format("{}: {}[{}] = {}.", title, array.name, element.at, array.text(element.at));
}

}  // namespace convscope::app
