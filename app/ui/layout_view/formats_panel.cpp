#include "app/ui/layout_view/formats_panel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>

#include "app/lessons/hideable.h"
#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"
#include "kernels/formats/format_bytes.h"
#include "kernels/measure/format_loads.h"
#include "visualizers/grid/cell_text.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/tooltip.h"

namespace convscope::app {
namespace {

// px at scale 1
constexpr float least_cell = 20, large_cell = 28, tile_gap = 20, array_gap = 16, least_tile = 264, dense_tile = 136,
                slide_tile = 236, large_tile = 400, longest_sentence = 800, bar_height = 6;

constexpr float far_away = 20000;  // px: no window is so wide

/// Elements of a matrix up to which it is looked from which share of zeros on each format saves: some seconds.
constexpr std::int64_t max_bisected = 1 << 25;

/// A session may name a format of other presets: it is as if none were chosen.
bool is_format(const std::string& name) {
    return std::ranges::find(all_sparse_formats(), name, &SparseFormat::name) != all_sparse_formats().end();
}

/// "im2col of image 2, (c r s) x (p q): 9 x 9"
std::string matrix_text(MatrixOf of, const Snapshot& snapshot) {
    const ConvShape& shape = snapshot.workload->spec.shape;
    const MatrixSize size = matrix_size(of, shape, true);
    return fmt::format("{}{}, {}: {} \u00d7 {}", to_string(of),
                       of != MatrixOf::w && shape.n > 1 ? fmt::format(" of image {}", snapshot.selection.image) : "",
                       matrix_axes(of, false), format_count(size.rows), format_count(size.cols));
}

float line() {
    return ImGui::GetTextLineHeight() + px(2);
}

/// One unit for all formats, whose sizes stand side by side.
std::string plain_bytes(std::int64_t bytes) {
    return format_count(bytes) + " B";
}

float least_width(const ViewStyle& style) {
    return px(style.presented ? slide_tile : least_tile);
}

/// As many columns as fit share all of the room.
float column_width(const ViewStyle& style, float room) {
    const float least = least_width(style), gap = px(tile_gap);
    const float columns = std::max(1.0F, std::floor((room + gap) / (least + gap)));
    return std::floor((room - (columns - 1) * gap) / columns);
}

bool within(const std::vector<FormatCell>& some, const std::vector<FormatCell>& all) {
    return std::ranges::all_of(some, [&](const FormatCell& cell) { return std::ranges::find(all, cell) != all.end(); });
}

std::string saving(const SparseFormat& format, const std::optional<double>& even) {
    if (!even) return "never smaller than dense at this size";
    if (format.builder == FormatBuilder::two_four)
        return "smaller than dense whatever the zeros, as it keeps at most two of each four";
    if (*even <= 0) return "smaller than dense whatever the zeros";
    const double percent = 100 * *even;
    if (percent > 99.9) return "begins to save above 99.9 % zeros";
    if (percent > 99) return fmt::format("begins to save at {:.1f} % zeros", std::ceil(10 * percent) / 10);
    return fmt::format("begins to save at {:.0f} % zeros", std::ceil(percent));
}

/// A line does not break within "1 024", "96 B" and "= 96".
std::string whole_numbers(const std::string& text) {
    const auto digit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    std::string kept;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == ' ' && i > 0 &&
            ((digit(i - 1) && (digit(i + 1) || text.compare(i, 2, " B") == 0)) || (text[i - 1] == '=' && digit(i + 1))))
            kept += "\u00a0";
        else
            kept += text[i];
    return kept;
}

/// By the first block of each block row: "block row 1: rows 2 to 3".
std::map<std::int64_t, std::string> block_rows(const FormatArrays& made, const FormatArray& values) {
    std::map<std::int64_t, std::string> rows;
    const std::int64_t each = values.shape[1] * values.shape[2];
    for (std::int64_t block = 0, last = -1; block < values.shape[0]; ++block) {
        const FormatPlace& place = values.places[static_cast<std::size_t>(block * each)];
        if (place.row == last) continue;
        last = place.row;
        const std::int64_t from = last * made.format->block_h,
                           to = std::min(from + made.format->block_h, made.rows) - 1;
        rows[block] = fmt::format("block row {}: ", last) +
                      (from == to ? fmt::format("row {}", from) : fmt::format("rows {} to {}", from, to));
    }
    return rows;
}

/// "run length", but "CSR".
std::string name_in_sentence(std::string title) {
    if (title.size() > 1 && std::islower(static_cast<unsigned char>(title[1])))
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return title;
}

std::vector<std::string> chosen_formats(const FormatsChoice& choice) {
    std::vector<std::string> names{choice.format};
    if (is_format(choice.next) && choice.next != choice.format) names.push_back(choice.next);
    return names;
}

}  // namespace

template <class Request, class Result>
void FormatsPanel::Count<Request, Result>::request(Session& session, const Request& now, typename Job::Make make) {
    if (!job) job = std::make_unique<Job>(std::move(make), [] {});
    if (wanted != now) {
        job->take_error();  // why the request before this one failed
        result.reset();
        problem.clear();
        wanted = now;
        job->request(now);
    }
    if (!counting()) return;
    job->settle(4);
    if (job->busy()) return;
    problem = job->take_error();
    if (problem.empty())
        result = job->latest();
    else
        notify(session, problem, true);
}

void FormatsPanel::release() {
    all_.release();
    counter_ = {};
    break_even_ = {};
    loads_ = {};
}

std::string FormatsPanel::draw(Frame& frame, const ViewStyle& style) {
    if (!shows_slide(frame.session)) choose(frame);
    const LessonChoice& lesson = frame.session.lesson;
    const FormatsChoice& choice = frame.session.pages.formats;
    // The whole matrix would show the arrays that a lesson hides.
    if (choice.whole && is_format(choice.format) && lesson.hidden.empty()) {
        draw_whole(frame, style);
        return all_.sentence();
    }
    all_.release();
    Source source{frame.snapshot->number, frame.session.pages.formats.of, lesson.hidden};
    if (source_ != source) make(*frame.snapshot, std::move(source));
    count_whole(frame);
    lead_ = lead_of(choice.format);
    loads_sentences_.clear();
    if (is_format(choice.format) && !style.presented && !hides(lessons::summary_word))
        loads_sentences_ = count_loads(frame, source_.of, chosen_formats(choice));
    follow(pins_.places(frame, source_.of));
    const std::optional<Element> before = pinned_;
    bool unpins = false;
    if (focus_order().leaves_keys_to_view()) {
        unpins =
            (pinned_ || !copies_.empty()) && pressed(Key::escape) && !focus_order().took_escape() && !style.presented;
        if (unpins) pinned_.reset(), copies_.clear();
        if (!ImGui::GetIO().KeyShift && !arrows_are_taken()) step_by_arrows();
    }
    // The arrays of a moment ago say what is pointed at; it is drawn lit in this frame.
    const std::optional<Element> spoken_of = pointed_ ? pointed_ : pinned_;
    light(spoken_of);
    place_ = cell_of(spoken_of);
    if (!spoken_of && !copies_.empty()) place_ = copies_.front();
    const bool silent = lesson.hides(lessons::summary_word);
    const std::string words = silent            ? std::string()
                              : spoken_of       ? sentence(*spoken_of)
                              : copies_.empty() ? std::string()
                                                : sentence_of_copies();
    kept_ = silent || !cell_of(spoken_of) ? std::vector<std::string>() : where_kept(choice.format, choice.next);
    note(about_);
    for (const UnreadFormat& unread : unread_sparse_formats()) problem("A file of a format is wrong: " + unread.error);
    const auto one = std::ranges::find(tiles_, frame.session.pages.formats.format, &Tile::id);
    if (one != tiles_.end() && !one->about.empty()) paragraph(one->about, look().theme->text.u32());
    const float top = ImGui::GetCursorPosY(), room = ImGui::GetContentRegionAvail().x;
    note(!words.empty()        ? words
         : one == tiles_.end() ? "Point at an element to see it in every format, at a format's name to read what it "
                                 "is. A click pins an element."
                               : "Point at an element to see it in every format; a click pins it.");
    // The element that is pointed at stays under the pointer where its sentence takes two lines.
    if (room < px(longest_sentence))
        ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(),
                                      top + 2 * look().fonts->small->FontSize + ImGui::GetStyle().ItemSpacing.y));
    pointed_.reset();
    draw_tiles(frame, style);
    if (pinned_ != before || unpins) {
        copies_.clear();
        pin_place(frame, source_.of, cell_of(pinned_));
        followed_ = pins_.places(frame, source_.of);
    }
    return words;
}

/// The place that an element is of, where it is of one.
std::optional<FormatCell> FormatsPanel::cell_of(const std::optional<Element>& element) const {
    if (!element) return {};
    const auto& cells = tiles_[element->tile].arrays[element->array].cells[static_cast<std::size_t>(element->at)];
    return cells.size() == 1 ? std::optional(cells.front()) : std::nullopt;
}

/// Pins what the other pages have pinned, where it is shown, and unpins it with them.
void FormatsPanel::follow(const std::vector<FormatCell>& places) {
    if (followed_ == places) return;
    followed_ = places;
    copies_ = places;
    std::erase_if(copies_, [&](const FormatCell& at) { return at.row >= matrix_.rows || at.col >= matrix_.cols; });
    pinned_.reset();
    if (copies_.size() == 1) {
        pinned_ = Element{0, 0, copies_.front().row * matrix_.cols + copies_.front().col};
        copies_.clear();
    }
}

void FormatsPanel::choose(Frame& frame) {
    FormatsChoice& choice = frame.session.pages.formats;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    constexpr const char* meanings[] = {"The input: its channels one below the other",
                                        "The matrix that a product multiplies with w: a column for each output",
                                        "The weights: a row for each filter"};
    for (const MatrixOf of : all_matrices) {
        if (segment(fmt::format("formats/{}", to_string(of)).c_str(), to_string(of), choice.of == of)) choice.of = of;
        tip(meanings[static_cast<std::size_t>(of)]);
        ImGui::SameLine(0, px(4));
    }
    ImGui::SameLine(0, px(16));
    const auto& formats = all_sparse_formats();
    std::vector<std::string> items{"all formats"};
    std::string shown = items.front();
    for (const SparseFormat& format : formats) {
        items.push_back(format.title);
        if (format.name == choice.format) shown = format.title;
    }
    if (const int picked = app::choice("formats/format", shown, items, px(160)); picked >= 0)
        choice.format = picked == 0 ? "" : formats[static_cast<std::size_t>(picked) - 1].name;
    tip("One format large, or all of them");
    if (is_format(choice.format)) {
        items.front() = shown = "no second one";
        if (is_format(choice.next)) shown = find_sparse_format(choice.next).title;
        ImGui::SameLine(0, px(8));
        if (const int picked = app::choice("formats/next", shown, items, px(160)); picked >= 0)
            choice.next = picked == 0 ? "" : formats[static_cast<std::size_t>(picked) - 1].name;
        tip("A second format next to it");
        ImGui::SameLine(0, px(8));
        check_box("formats/whole", "whole matrix", choice.whole);
        tip("All of the matrix and of its arrays, however large; else its first rows and columns, each element "
            "readable");
    }
    ImGui::PopStyleVar();
}

void FormatsPanel::draw_whole(Frame& frame, const ViewStyle& style) {
    const FormatsChoice& choice = frame.session.pages.formats;
    const Snapshot& snapshot = *frame.snapshot;
    const WholeFormats::Request request{
        snapshot.workload, choice.of, choice.of == MatrixOf::w ? 0 : snapshot.selection.image, chosen_formats(choice)};
    source_ = {};  // the first rows and columns are made again when they are shown
    about_ = matrix_text(choice.of, snapshot) + ", whole.";
    note(about_);
    all_.follow(pins_.places(frame, choice.of));
    all_.draw(request, count_loads(frame, choice.of, request.formats), style);
    place_ = all_.place();
    kept_ = all_.kept();
    if (all_.chose_pin()) {
        pin_place(frame, choice.of, all_.pinned_cell());
        all_.follows(pins_.places(frame, choice.of));
    }
    lead_ = all_.lead();
}

void FormatsPanel::make(const Snapshot& snapshot, Source source) {
    source_ = std::move(source);
    const MatrixOf of = source_.of;
    pinned_.reset();
    followed_.clear();
    copies_.clear();
    pointed_.reset();
    lit_of_.reset();
    lit_copies_.clear();
    const Workload& workload = *snapshot.workload;
    whole_ = matrix_size(of, workload.spec.shape, true);
    matrix_ = make_matrix(of, workload, snapshot.selection.image, most_of_matrix);
    part_ = matrix_.rows < whole_.rows || matrix_.cols < whole_.cols;
    said_ = false;
    about_ = matrix_text(of, snapshot);
    if (part_)
        about_ +=
            fmt::format("; here its first {} rows and {} columns, of which the arrays are", matrix_.rows, matrix_.cols);
    about_ += ".";

    tiles_.clear();
    made_.clear();
    Array dense;
    dense.shape = {matrix_.rows, matrix_.cols};
    dense.title = sizes(dense.shape) + " float32";
    for (std::int64_t i = 0; i < matrix_.rows * matrix_.cols; ++i) {
        const float value = matrix_.values[static_cast<std::size_t>(i)];
        dense.texts.push_back(short_value(value, 5));
        dense.zeros.push_back(value == 0);
        dense.cells.push_back({{i / matrix_.cols, i % matrix_.cols}});
    }
    Tile& of_dense = tiles_.emplace_back();
    of_dense.id = "dense";
    of_dense.title = "Dense";
    of_dense.about = "Every element, row by row. A zero takes as many bytes as any other value.";
    of_dense.note = "every element";
    of_dense.bytes = plain_bytes(4 * matrix_.rows * matrix_.cols) + (part_ ? " here" : "");
    of_dense.share = 1;
    of_dense.arrays.push_back(std::move(dense));
    for (const SparseFormat& format : all_sparse_formats()) make_tile(format, matrix_);
    smallest_ = hides(lessons::summary_word) ? std::vector<std::size_t>() : smallest();
    lit_.clear();
    for (const Tile& tile : tiles_) {
        lit_.emplace_back();
        for (const Array& array : tile.arrays) lit_.back().emplace_back(array.texts.size());
    }
}

/// On threads of their own: a matrix may have 2^31 - 1 elements. Where the page shows all of it, nothing is counted but
/// from which share of zeros on a format saves.
void FormatsPanel::count_whole(Frame& frame) {
    if (hides(lessons::summary_word)) return;
    const bool too_large = whole_.rows > std::numeric_limits<std::int32_t>::max() / whole_.cols;
    const Snapshot& snapshot = *frame.snapshot;
    const bool counts = part_ && !too_large, bisects = !too_large && whole_.rows * whole_.cols <= max_bisected;
    if (counts)
        counter_.request(
            frame.session, {snapshot.workload, source_.of, source_.of == MatrixOf::w ? 0 : snapshot.selection.image},
            [](const Whole& whole, const auto&, const std::stop_token& stop) -> std::shared_ptr<const Counts> {
                auto counted = std::make_shared<Counts>();
                try {
                    const NonZeros matrix = find_non_zeros(whole.of, *whole.workload, whole.image, stop);
                    counted->non_zeros = matrix.count();
                    for (const SparseFormat& format : all_sparse_formats()) {
                        counted->bytes.push_back(count_bytes(format, matrix, stop));
                        counted->lost.push_back(count_lost(format, matrix, stop));
                    }
                } catch (const std::bad_alloc&) {
                    *counted = {};
                }
                return stop.stop_requested() ? nullptr : counted;
            });
    if (bisects)
        break_even_.request(
            frame.session, {whole_.rows, whole_.cols},
            [](const Size& size, const auto&, const std::stop_token& stop) -> std::shared_ptr<const Shares> {
                auto shares = std::make_shared<Shares>();
                for (const SparseFormat& format : all_sparse_formats())
                    shares->push_back(break_even_zeros(format, size.first, size.second, stop));
                return stop.stop_requested() ? nullptr : shares;
            });
    const bool counting = counts && counter_.counting(), bisecting = bisects && break_even_.counting();
    const std::shared_ptr<const Counts> counted = counts ? counter_.result : nullptr;
    const std::shared_ptr<const Shares> shares = bisects ? break_even_.result : nullptr;
    if (said_ && counted_ == counted && shares_ == shares) return;
    said_ = !counting && !bisecting;
    counted_ = counted;
    shares_ = shares;
    const std::string of = part_ ? "whole matrix: " : "";
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
        if (part_)
            tiles_[tile].whole = counting                                          ? "whole matrix: counting"
                                 : counts && tile > 0 && !counter_.problem.empty() ? "the whole matrix is not counted"
                                                                                   : whole_text(tile);
        if (tile == 0) continue;
        tiles_[tile].saves = of + (shares_     ? saving(all_sparse_formats()[tile - 1], (*shares_)[tile - 1])
                                   : bisecting ? "looking from which share of zeros on it saves"
                                   : bisects   ? "from which share of zeros on it saves is not known"
                                               : "too large to look from which share of zeros on it saves");
    }
}

/// A sentence for each of the formats, or that it is being counted. The executor takes seconds: on a thread of its own.
std::vector<std::string> FormatsPanel::count_loads(Frame& frame, MatrixOf of, std::vector<std::string> formats) {
    const Snapshot& snapshot = *frame.snapshot;
    const std::size_t count = formats.size();
    loads_.request(frame.session,
                   {{snapshot.workload, of, of == MatrixOf::w ? 0 : snapshot.selection.image}, std::move(formats)},
                   [](const Read& read, const auto&, const std::stop_token& stop) -> std::shared_ptr<const Loads> {
                       auto made = std::make_shared<Loads>();
                       const auto& [workload, matrix_of, image] = read.whole;
                       const MatrixSize size = matrix_size(matrix_of, workload->spec.shape, true);
                       const FormatMatrix matrix = make_matrix(matrix_of, *workload, image, counted_part(size));
                       for (const std::string& name : read.formats) {
                           const SparseFormat& format = find_sparse_format(name);
                           made->push_back(loads_sentence(format, count_format_loads(format, matrix, size, stop)));
                       }
                       return made;
                   });
    if (loads_.result) return *loads_.result;
    return Loads(count, loads_.counting()
                            ? "Counting what a warp that reads it asks of memory..."
                            : "What a warp that reads it asks of memory is not counted: " + loads_.problem);
}

std::string FormatsPanel::whole_text(std::size_t tile) const {
    const std::int64_t dense = 4 * whole_.rows * whole_.cols;
    if (tile == 0) return plain_bytes(dense) + " of the whole matrix";
    if (!counted_) return "the whole matrix has more elements than an index of 31 bits counts";
    if (counted_->bytes.empty()) return "there was not enough memory to count the whole matrix";
    const std::optional<std::int64_t> bytes = counted_->bytes[tile - 1];
    if (!bytes) return "too large for the whole matrix";
    const std::int64_t lost = counted_->lost[tile - 1];
    return fmt::format("{} of the whole matrix, {:.0f} % of dense{}", plain_bytes(*bytes),
                       100 * static_cast<double>(*bytes) / static_cast<double>(dense),
                       lost == 0 ? ""
                                 : fmt::format("; loses {} of its {} non-zeros", format_count(lost),
                                               format_count(counted_->non_zeros)));
}

bool FormatsPanel::hides(const std::string& name) const {
    return std::ranges::find(source_.hidden, name) != source_.hidden.end();
}

/// Tiles of the formats that keep every value and take the fewest bytes; none where dense does.
std::vector<std::size_t> FormatsPanel::smallest() const {
    std::int64_t least = made_.front().dense_bytes();
    std::vector<std::size_t> tiles;
    for (std::size_t i = 0; i < made_.size(); ++i) {
        const FormatArrays& made = made_[i];
        if (made.lost > 0 || made.bytes() > least || made.bytes() == made.dense_bytes()) continue;
        if (made.bytes() < least) tiles.clear();
        least = made.bytes();
        tiles.push_back(i + 1);
    }
    return tiles;
}

/// Names the smallest of the formats that keep every value and what it takes; for a chosen one, its size and loss.
Lead FormatsPanel::lead_of(const std::string& chosen) const {
    if (hides(lessons::summary_word)) return {};
    const auto zeros = static_cast<double>(std::ranges::count(matrix_.values, 0.0F));
    const std::string share = format_percent(zeros / static_cast<double>(matrix_.values.size())) + " zeros";
    const std::string at = part_ ? fmt::format("In the corner shown, with {}, ", share) : fmt::format("At {} ", share);
    const std::string dense_matrix = part_ ? "the dense corner" : "the dense matrix";
    const std::int64_t dense = made_.front().dense_bytes();
    const auto lead = [&](const std::string& names, bool one, const FormatArrays& made) {
        const double left = static_cast<double>(made.bytes()) / static_cast<double>(dense);
        Lead says{at + names + (one ? " takes " : " take "), format_percent(left), " of " + dense_matrix + "'s bytes"};
        if (made.lost > 0)
            says.after += fmt::format(" and loses {} of its {} non-zeros", made.lost, made.entries.size());
        if (left <= 1) says.share = left;
        says.remains = true;
        return says;
    };
    if (const auto one = std::ranges::find(made_, chosen, [](const FormatArrays& made) { return made.format->name; });
        one != made_.end())
        return lead(name_in_sentence(one->format->title), true, *one);
    std::vector<std::string> titles;
    for (const std::size_t tile : smallest_) titles.push_back(name_in_sentence(tiles_[tile].title));
    if (!titles.empty())
        return lead(fmt::format("{}", fmt::join(titles, " and ")), titles.size() == 1, made_[smallest_.front() - 1]);
    const bool lossy =
        std::ranges::any_of(made_, [&](const FormatArrays& made) { return made.lost > 0 && made.bytes() < dense; });
    return {at, lossy ? "no format without a loss" : "no format", " is smaller than " + dense_matrix};
}

void FormatsPanel::make_tile(const SparseFormat& format, const FormatMatrix& matrix) {
    const FormatArrays& made = made_.emplace_back(build_format(format, matrix));
    Tile tile;
    tile.id = format.name;
    tile.title = format.title;
    tile.about = format.about();
    tile.note = describe_levels(format);
    const std::string here = part_ ? " here" : "";
    tile.loss = loss_sentence(made, here);
    tile.share = static_cast<double>(made.bytes()) / static_cast<double>(made.dense_bytes());
    if (hides(lessons::summary_word)) {
        tile.share = 0;
        tile.loss.clear();
        tile.about.clear();
    } else {
        tile.bytes = fmt::format("{}{}, {:.0f} % of dense", plain_bytes(made.bytes()), here, 100 * tile.share);
        tile.sum = bytes_sentence(made) + here;
        if (const std::string zeros = stored_zeros_sentence(made, here); !zeros.empty()) tile.about += ' ' + zeros;
    }
    for (const FormatArray& array : made.arrays) {
        if (hides(array.name)) {
            Array& one = tile.arrays.emplace_back();
            one.title = array.name;
            one.shape = {1};
            one.texts = {"?"};
            one.zeros = {false};
            one.cells = {{}};
            continue;
        }
        Array one;
        one.in_four = array.role == FormatRole::metadata;
        one.title = fmt::format("{}: {} {}{}", array.name, sizes(array.shape), to_string(array.type),
                                one.in_four ? ", as places 0 to 3" : "");
        // Two bits for each value are drawn as what they say of it.
        const FormatArray& drawn = one.in_four ? made.array(FormatRole::values) : array;
        one.shape = drawn.shape;
        one.role = array.role;
        one.together = format.builder == FormatBuilder::two_four ? 2 : 0;
        for (std::int64_t i = 0; i < drawn.elements(); ++i) {
            const bool value = drawn.type == FormatType::f32;
            one.texts.push_back(one.in_four ? std::to_string(place_in_four(made, i))
                                : value     ? short_value(drawn.number(i), 5)
                                            : drawn.text(i));
            one.zeros.push_back((value && drawn.number(i) == 0) || !drawn.places[static_cast<std::size_t>(i)].used);
            one.cells.push_back(made.cells(drawn, i));
        }
        if (array.role == FormatRole::values && array.shape.size() == 3) one.groups = block_rows(made, array);
        tile.arrays.push_back(std::move(one));
    }
    tiles_.push_back(std::move(tile));
}

/// The arrows go from element to element of the matrix; with nothing pinned they begin at the first.
void FormatsPanel::step_by_arrows() {
    const int rows = pressed(Key::down, true) - pressed(Key::up, true);
    const int cols = pressed(Key::right, true) - pressed(Key::left, true);
    if (rows == 0 && cols == 0) return;
    FormatCell next = copies_.empty() ? FormatCell() : copies_.front();
    if (pinned_) {
        const auto& cells = tiles_[pinned_->tile].arrays[pinned_->array].cells[static_cast<std::size_t>(pinned_->at)];
        if (!cells.empty())
            next = {std::clamp<std::int64_t>(cells.front().row + rows, 0, matrix_.rows - 1),
                    std::clamp<std::int64_t>(cells.front().col + cols, 0, matrix_.cols - 1)};
    }
    pinned_ = Element{0, 0, next.row * matrix_.cols + next.col};
}

std::string FormatsPanel::sentence(const Element& element) const {
    if (element.tile > 0) {
        const FormatArrays& made = made_[element.tile - 1];
        const FormatArray& array = made.arrays[element.array];
        if (hides(array.name))
            return fmt::format("{}: {} is what the lesson asks for.", made.format->title, array.name);
        return fmt::format("{}: {}.", made.format->title,
                           tiles_[element.tile].arrays[element.array].in_four
                               ? place_sentence(made, element.at)
                               : format_sentence(made, array, element.at));
    }
    const std::int64_t row = element.at / matrix_.cols, col = element.at % matrix_.cols;
    const float value = matrix_.values[static_cast<std::size_t>(element.at)];
    if (value == 0) return fmt::format("Row {}, column {} is a zero: what still stores it is lit.", row, col);
    return fmt::format("Row {}, column {} is {:.4g}: in each format, its value and what finds it are lit.", row, col,
                       value);
}

std::string FormatsPanel::sentence_of_copies() const {
    const FormatCell& first = copies_.front();
    return fmt::format(
        "The pinned element of x is {:.4g}, in {} places here: in each format, its values and what "
        "finds them are lit.",
        matrix_.values[static_cast<std::size_t>(first.row * matrix_.cols + first.col)], copies_.size());
}

/// Where the formats on screen keep what is lit, which is one element of the matrix.
std::vector<std::string> FormatsPanel::where_kept(const std::string& chosen, const std::string& next) const {
    std::vector<KeptValue> values;
    const bool all = std::ranges::find(tiles_, chosen, &Tile::id) == tiles_.end();
    for (std::size_t tile = 1; tile < tiles_.size(); ++tile) {
        if (!all && tiles_[tile].id != chosen && tiles_[tile].id != next) continue;
        const FormatArrays& made = made_[tile - 1];
        if (hides(made.arrays.back().name)) continue;
        const std::vector<bool>& lit = lit_[tile].back();
        const auto at = std::ranges::find(lit, true);
        values.push_back({&made, at == lit.end() ? std::nullopt : std::optional(at - lit.begin())});
    }
    return kept_sentences(values, matrix_.values[static_cast<std::size_t>(place_->row * matrix_.cols + place_->col)]);
}

/// An element is lit where it is of nothing but what the other one is of, or of all of that. With none, what is of the
/// copies of an element that another page has pinned.
void FormatsPanel::light(const std::optional<Element>& of) {
    if (lit_of_ == of && lit_copies_ == copies_) return;
    lit_of_ = of;
    lit_copies_ = copies_;
    const std::vector<FormatCell>& wanted =
        of ? tiles_[of->tile].arrays[of->array].cells[static_cast<std::size_t>(of->at)] : copies_;
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile)
        for (std::size_t array = 0; array < tiles_[tile].arrays.size(); ++array) {
            const auto& cells = tiles_[tile].arrays[array].cells;
            for (std::size_t i = 0; i < cells.size(); ++i)
                lit_[tile][array][i] =
                    of == Element{tile, array, static_cast<std::int64_t>(i)} ||
                    (!wanted.empty() && !cells[i].empty() && (within(cells[i], wanted) || within(wanted, cells[i])));
        }
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) light_what_finds(tile, of);
}

/// Also the end of each part that is lit at its beginning, and the offset of each diagonal with a lit slot.
void FormatsPanel::light_what_finds(std::size_t tile, const std::optional<Element>& of) {
    const std::vector<Array>& arrays = tiles_[tile].arrays;
    for (std::size_t array = 0; array < arrays.size(); ++array) {
        std::vector<bool>& lit = lit_[tile][array];
        const FormatRole role = arrays[array].role;
        if (role == FormatRole::position || role == FormatRole::offsets || role == FormatRole::slice_start)
            for (std::size_t i = lit.size() - 1; i-- > 0;)
                if (lit[i]) lit[i + 1] = true;
        if (role != FormatRole::diagonal || lit.empty() || arrays.back().role != FormatRole::values) continue;
        std::vector<bool>& values = lit_[tile].back();
        const std::size_t each = values.size() / lit.size();
        if (each == 0) continue;  // a lesson hides the values
        for (std::size_t i = 0; i < values.size(); ++i)
            if (of == Element{tile, array, static_cast<std::int64_t>(i / each)})
                values[i] = true;
            else if (values[i])
                lit[i / each] = true;
    }
}

/// Goes over an array's elements, which fill lines of at most 'room'; returns what they take. A line of a matrix stays
/// one, and so does a block.
ImVec2 FormatsPanel::walk(std::size_t tile, std::size_t number, ImVec2 at, float room, const ViewStyle& style,
                          bool draws) {
    const Array& array = tiles_[tile].arrays[number];
    const Theme& theme = *style.theme;
    WithFont font(large_ ? look().fonts->text : look().fonts->small);
    const float least = px(large_ ? large_cell : least_cell);
    float cell = least;
    const auto widen = [&](const Array& by) {
        for (const std::string& text : by.texts) cell = std::max(cell, ImGui::CalcTextSize(text.c_str()).x + px(8));
    };
    widen(array);
    // A value's place stands in the column of its value.
    if (array.together > 0)
        for (const Array& other : tiles_[tile].arrays)
            if (other.shape == array.shape) widen(other);
    const float high = least, gap = px(6);
    const std::size_t dims = array.shape.size();
    const bool lines = dims == 2;
    // Elements that stay together.
    const std::int64_t unit_cols = dims < 2 ? 1 : array.shape[dims - 1],
                       unit_rows = dims < 3 ? 1 : array.shape[dims - 2];
    const std::int64_t unit = unit_cols * unit_rows;
    const auto gaps = [&](std::int64_t col) {
        return array.together > 0 ? gap * static_cast<float>(col / array.together) : 0.0F;
    };
    const ImVec2 extent{cell * static_cast<float>(unit_cols) + gaps(unit_cols - 1),
                        high * static_cast<float>(unit_rows)};
    ImVec2 corner = at;
    float widest = 0;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::int64_t first = 0; unit > 0 && first < static_cast<std::int64_t>(array.texts.size()); first += unit) {
        const auto group = array.groups.find(first / unit);
        const bool begins = group != array.groups.end();
        if (first > 0 && (lines || begins || corner.x + extent.x > at.x + room)) corner = {at.x, corner.y + extent.y};
        if (!lines && unit_rows > 1 && first > 0 && corner.x == at.x) corner.y += gap;
        if (begins) {
            if (draws) {
                list.AddText(corner, theme.text_dim.u32(), shortened(group->second, room).c_str());
                capture_text(group->second);
            }
            corner.y += line();
        }
        for (std::int64_t i = 0; draws && i < unit; ++i) {
            const auto element = static_cast<std::size_t>(first + i);
            const ImVec2 a{corner.x + cell * static_cast<float>(i % unit_cols) + gaps(i % unit_cols),
                           corner.y + high * static_cast<float>(i / unit_cols)};
            const ImVec2 b{a.x + cell, a.y + high};
            if (!ImGui::IsRectVisible(a, b)) continue;
            const bool lit = lit_[tile][number][element], zero = array.zeros[element];
            const std::string& text = array.texts[element];
            list.AddRectFilled(a, {b.x - 1, b.y - 1}, (zero ? theme.zero : theme.raised).u32());
            if (lit) {
                list.AddRectFilled(a, {b.x - 1, b.y - 1}, theme.accent.with_alpha(0.3F).u32());
                list.AddRect(a, {b.x - 1, b.y - 1}, theme.accent.u32(), 0, 0, px(1.5F));
            }
            const ImVec2 size = ImGui::CalcTextSize(text.c_str());
            list.AddText({std::floor((a.x + b.x - size.x) / 2), std::floor((a.y + b.y - size.y) / 2)},
                         (zero && !lit ? theme.text_dim : theme.text).u32(), text.c_str());
            const Element here{tile, number, static_cast<std::int64_t>(element)};
            if (ItemRegistry::active) {
                const std::string item = fmt::format("formats/{}/{}/{}", tiles_[tile].id, number, element);
                ItemRegistry::active->add(item, a, b);
                if (lit) ItemRegistry::active->add("lit/" + item, a, b);
            }
            if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(a, b)) continue;
            pointed_ = here;
            if (ImGui::IsMouseClicked(0)) pinned_ = pinned_ == here ? std::nullopt : std::optional(here);
        }
        corner.x += extent.x + (unit_rows > 1 ? gap : 0);
        widest = std::max(widest, corner.x - at.x);
    }
    return {widest, corner.y - at.y + (array.texts.empty() ? 0 : extent.y)};
}

/// Where each array of a tile begins, and how high all are. They stand one below the other; two that have an element in
/// line i for row i, as ELL's, side by side where there is room.
std::pair<std::vector<ImVec2>, float> FormatsPanel::arrange(std::size_t number, float width, const ViewStyle& style) {
    const std::vector<Array>& arrays = tiles_[number].arrays;
    const WithFont font(look().fonts->small);
    std::vector<ImVec2> places;
    float top = 0, bottom = 0, right = 0;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const ImVec2 cells = walk(number, i, {0, 0}, width, style, false);
        const float wide = std::max(cells.x, ImGui::CalcTextSize(arrays[i].title.c_str()).x);
        const bool beside = i > 0 && arrays[i].together == 0 && arrays[i].shape.size() == 2 &&
                            arrays[i].shape == arrays[i - 1].shape && right + px(array_gap) + wide <= width;
        if (beside)
            right += px(array_gap);
        else
            top = bottom, right = 0;
        places.push_back({right, top});
        right += wide;
        bottom = std::max(bottom, top + line() + cells.y + px(4));
    }
    return {std::move(places), bottom};
}

ImVec2 FormatsPanel::tile_size(std::size_t number, float least, float room, const ViewStyle& style) {
    const Tile& tile = tiles_[number];
    ImVec2 size{std::min(least, room), 0};
    for (std::size_t i = 0; i < tile.arrays.size(); ++i)
        if (tile.arrays[i].shape.size() == 2)
            size.x = std::max(size.x, std::min(room, walk(number, i, {0, 0}, room, style, false).x));
    WithFont font(look().fonts->small);
    size.y = line() + px(bar_height + 8);
    for (const std::string* text : {&tile.note, &tile.bytes, &tile.sum, &tile.whole, &tile.saves, &tile.loss})
        if (!text->empty()) size.y += ImGui::CalcTextSize(in_lines(whole_numbers(*text), size.x).c_str()).y + px(2);
    size.y += arrange(number, size.x, style).second;
    return size;
}

void FormatsPanel::draw_tile(std::size_t number, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    const Tile& tile = tiles_[number];
    const Theme& theme = *style.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    // Its arrays are of a few rows and columns, so a picture of it is readable whole: drawn where nothing else is.
    const bool pictured = is_picture_of(tile.title);
    if (pictured) {
        at.x += far_away;
        const float edge = px(4);
        ImGui::PushClipRect({at.x - edge, at.y - edge}, {at.x + size.x + edge, at.y + size.y + edge}, false);
    }
    const ImVec2 corner = at;
    {
        WithFont font(look().fonts->strong);
        list.AddText(at, theme.text.u32(), tile.title.c_str());
        capture_text(tile.title);
        const ImVec2 end{at.x + ImGui::CalcTextSize(tile.title.c_str()).x, at.y + line()};
        if (ItemRegistry::active) ItemRegistry::active->add(fmt::format("formats/{}/title", tile.id), at, end);
        if (!tile.about.empty() && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end))
            tooltip(at, end, tile.about, look().fonts->text, look().scale);
    }
    WithFont font(look().fonts->small);
    const auto write = [&](const std::string& text, const Rgba& colour) {
        if (text.empty()) return;
        const std::string broken = in_lines(whole_numbers(text), size.x);
        list.AddText(at, colour.u32(), broken.c_str());
        capture_text(text);
        at.y += ImGui::CalcTextSize(broken.c_str()).y + px(2);
    };
    at.y += line() + px(2);
    write(tile.note, theme.text_dim);
    at.y += px(2);  // the mark of the bytes of dense begins above the bar
    // The bar ends at twice the bytes of dense, which the line marks.
    const float bar = least_width(style), unit = bar / 2;
    list.AddRectFilled(at, {at.x + std::min(size.x, bar), at.y + px(bar_height)}, theme.raised.u32());
    list.AddRectFilled(at, {at.x + std::min(size.x, unit * static_cast<float>(tile.share)), at.y + px(bar_height)},
                       (tile.share < 1   ? theme.good
                        : tile.share > 1 ? theme.warning
                                         : theme.text_dim)
                           .u32());
    list.AddLine({at.x + unit, at.y - px(2)}, {at.x + unit, at.y + px(bar_height + 2)}, theme.text.u32(), px(1));
    at.y += px(bar_height + 4);
    write(tile.bytes, theme.text);
    write(tile.sum, theme.text_dim);
    write(tile.whole, theme.text);
    write(tile.saves, theme.text_dim);
    write(tile.loss, theme.warning);
    const auto [places, height] = arrange(number, size.x, style);
    for (std::size_t i = 0; i < tile.arrays.size(); ++i) {
        const ImVec2 place{at.x + places[i].x, at.y + places[i].y};
        list.AddText(place, theme.text_dim.u32(), shortened(tile.arrays[i].title, size.x).c_str());
        walk(number, i, {place.x, place.y + line()}, size.x, style, true);
    }
    if (pictured) ImGui::PopClipRect();
    note_figure({.title = tile.title,
                 .window = {},
                 .box = {corner.x, corner.y, size.x, size.y},
                 .is_plot = false,
                 .grows = true});
}

/// Side by side, as many in a row as fit; what does not fit below is scrolled to. An audience scrolls nothing: a slide
/// begins with the formats that it leads with, and leaves out what does not fit whole.
void FormatsPanel::draw_tiles(Frame& frame, const ViewStyle& style) {
    // A session may name a format of other presets: all are shown then.
    std::string chosen = frame.session.pages.formats.format;
    if (std::ranges::find(tiles_, chosen, &Tile::id) == tiles_.end()) chosen.clear();
    large_ = style.presented || !chosen.empty();
    // Next to 2:4 alone the dense matrix stands in its groups of four.
    const auto one = std::ranges::find(made_, chosen, [](const FormatArrays& made) { return made.format->name; });
    tiles_[0].arrays[0].together = one != made_.end() && one->format->builder == FormatBuilder::two_four ? 4 : 0;
    std::vector<std::size_t> order(tiles_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (style.presented)
        std::ranges::stable_partition(
            order, [&](std::size_t i) { return i == 0 || std::ranges::find(smallest_, i) != smallest_.end(); });
    const std::string& next = frame.session.pages.formats.next;
    if (!chosen.empty())
        std::erase_if(order, [&](std::size_t i) { return i > 0 && tiles_[i].id != chosen && tiles_[i].id != next; });
    ImGui::BeginChild("formats", {0, 0}, false, ImGuiWindowFlags_NoNav);
    const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float last = start.y + room.y - line();
    ImVec2 at = start;
    float row = 0;
    std::string left_out;
    // Chosen formats share what the dense matrix leaves: two stand next to each other.
    float of_dense = large_ ? least_width(style) : column_width(style, room.x), of_format = of_dense;
    if (!chosen.empty() && !style.presented) {
        const auto formats = static_cast<float>(order.size() - 1);
        of_dense = px(dense_tile);
        const float left = room.x - tile_size(0, of_dense, room.x, style).x - formats * px(tile_gap);
        of_format = std::clamp(std::floor(left / formats), px(slide_tile), px(large_tile));
    }
    for (std::size_t n = 0; n < order.size(); ++n) {
        const ImVec2 size = tile_size(order[n], order[n] == 0 ? of_dense : of_format, room.x, style);
        const bool beside = at.x == start.x || at.x + size.x <= start.x + room.x;
        const ImVec2 corner = beside ? at : ImVec2{start.x, at.y + row + px(tile_gap)};
        if (style.presented && n > 1 && corner.y + size.y > last) {
            left_out += (left_out.empty() ? "Not shown: " : ", ") + tiles_[order[n]].title;
            continue;
        }
        draw_tile(order[n], corner, size, style);
        row = beside ? std::max(row, size.y) : size.y;
        at = {corner.x + size.x + px(tile_gap), corner.y};
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({room.x, at.y + row - start.y});
    for (const std::string& sentence : loads_sentences_) note(sentence);
    if (!left_out.empty()) {
        ImGui::SetCursorScreenPos({start.x, last});
        WithFont font(look().fonts->small);
        clipped_text(left_out.c_str(), room.x, look().theme->text_dim.u32());
    }
    ImGui::EndChild();
}

}  // namespace convscope::app
