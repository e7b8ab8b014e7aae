// The arrays of a format that levels describe, level by level, and the matrix from them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/core/ceil_div.h"
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

using Places = std::vector<FormatPlace>;

std::int64_t extent(const FormatArrays& of, FormatAxis axis) {
    return axis_extent(*of.format, axis, of.rows, of.cols);
}

/// The place with one coordinate more.
FormatPlace below(const FormatArrays& of, FormatPlace place, FormatAxis axis, std::int64_t coordinate) {
    const auto at = static_cast<std::int32_t>(coordinate);
    switch (axis) {
        case FormatAxis::row:
        case FormatAxis::row_block:
            place.row = at;
            break;
        case FormatAxis::col:
        case FormatAxis::col_block:
            place.col = at;
            break;
        case FormatAxis::row_in_block:
            place.row_in = at;
            break;
        case FormatAxis::col_in_block:
            place.col_in = at;
            break;
        case FormatAxis::cell:
            place.row = at / static_cast<std::int32_t>(of.cols);
            place.col = at % static_cast<std::int32_t>(of.cols);
            break;
    }
    return place;
}

FormatPlace unused(FormatPlace place) {
    place.first = place.last = 0;
    place.used = false;
    return place;
}

/// Each level is cut into pieces that threads build: they count their children, sums over the pieces say where each
/// piece's begin, and so all arrays get their size before they are filled. What is built does not depend on the pieces.
class LevelBuilder {
public:
    LevelBuilder(FormatArrays& made, bool places) : made_(made), keep_(places) {}

    void build() {
        const auto& levels = made_.format->levels;
        sort_by_levels(*made_.format, made_.cols, made_.entries);
        parents_ = {FormatPlace{.last = static_cast<std::int64_t>(made_.entries.size())}};
        for (level_ = 0; level_ < levels.size(); ++level_) {
            children_.clear();
            add(levels[level_]);
            parents_.swap(children_);
        }
        FormatArray values{
            made_.format->values, FormatRole::values, levels.size() - 1, FormatType::f32, shape_, {}, {}};
        values.words.resize(parents_.size());
#pragma omp parallel for if (worth_threads(count()))
        for (std::int64_t i = 0; i < count(); ++i) {
            const FormatPlace& place = parents_[static_cast<std::size_t>(i)];
            values.words[static_cast<std::size_t>(i)] = std::bit_cast<std::uint32_t>(
                place.first < place.last ? made_.entries[static_cast<std::size_t>(place.first)].value : 0.0F);
        }
        keep(std::move(values), parents_);
    }

private:
    static constexpr std::int64_t most_pieces = 64, least_entries = 1 << 14;

    /// Parents [begin, end); a part of the entries where it is one parent's.
    struct Piece {
        std::int64_t begin = 0, end = 0, first = 0, last = 0;
        bool part = false;
    };

    std::int64_t count() const {
        return static_cast<std::int64_t>(parents_.size());
    }
    std::int64_t coordinate(const FormatLevel& level, std::int64_t entry) const {
        return axis_coordinate(*made_.format, level.of, made_.cols, made_.entries[static_cast<std::size_t>(entry)]);
    }

    FormatArray make(const std::string& name, FormatRole role, FormatType type, std::vector<std::int64_t> shape) const {
        return {name, role, level_, type, std::move(shape), {}, {}};
    }

    void keep(FormatArray array, const Places& places) {
        if (keep_) array.places = places;
        made_.arrays.push_back(std::move(array));
    }

    /// 'parts': few parents may be cut, between two children.
    std::vector<Piece> cut(const FormatLevel& level, bool parts) const {
        std::vector<Piece> pieces;
        const std::int64_t each = std::max<std::int64_t>(ceil_div(count(), most_pieces), 1);
        if (!parts || each > 1) {
            for (std::int64_t begin = 0; begin < count(); begin += each)
                pieces.push_back({begin, std::min(begin + each, count())});
            return pieces;
        }
        for (std::int64_t i = 0; i < count(); ++i) {
            const FormatPlace& parent = parents_[static_cast<std::size_t>(i)];
            const std::int64_t entries = std::max(least_entries, ceil_div(parent.last - parent.first, most_pieces));
            std::int64_t first = parent.first;
            do {
                std::int64_t last = std::min(first + entries, parent.last);
                while (level.unique && last < parent.last && coordinate(level, last) == coordinate(level, last - 1))
                    ++last;
                pieces.push_back({i, i + 1, first, last, true});
                first = last;
            } while (first < parent.last);
        }
        return pieces;
    }

    /// Calls take(parent, coordinate, child) for each coordinate below a piece's parents, and end(parent) behind each
    /// parent that ends in the piece.
    template <class Take, class End>
    void visit(const Piece& piece, const FormatLevel& level, Take take, End end) const {
        for (std::int64_t i = piece.begin; i < piece.end; ++i) {
            const FormatPlace& parent = parents_[static_cast<std::size_t>(i)];
            const std::int64_t until = piece.part ? piece.last : parent.last;
            for (std::int64_t first = piece.part ? piece.first : parent.first; first < until;) {
                const std::int64_t at = coordinate(level, first);
                std::int64_t last = first + 1;
                while (level.unique && last < until && coordinate(level, last) == at) ++last;
                FormatPlace child = below(made_, parent, level.of, at);
                child.first = first;
                child.last = last;
                take(i, at, child);
                first = last;
            }
            if (until == parent.last) end(i);
        }
    }
    template <class Take>
    void visit(const Piece& piece, const FormatLevel& level, Take take) const {
        visit(piece, level, take, [](std::int64_t) {});
    }

    /// A piece that begins within its parent goes on behind the entry before.
    std::int64_t first_coordinate(const Piece& piece, const FormatLevel& level) const {
        const bool within = piece.part && piece.first > parents_[static_cast<std::size_t>(piece.begin)].first;
        return within ? coordinate(level, piece.first - 1) + 1 : 0;
    }

    /// Calls each(number, piece) on threads. It allocates nothing, as no error may leave it.
    template <class Each>
    void on_threads(const std::vector<Piece>& pieces, Each each) const {
        const auto all = static_cast<std::int64_t>(pieces.size());
#pragma omp parallel for schedule(dynamic) if (worth_threads(count() + std::ssize(made_.entries)))
        for (std::int64_t i = 0; i < all; ++i) each(static_cast<std::size_t>(i), pieces[static_cast<std::size_t>(i)]);
    }

    /// Where the children of each piece begin, and where the last ones end. count_of(piece) counts them.
    template <class Count>
    std::vector<std::int64_t> starts_of(const std::vector<Piece>& pieces, Count count_of) const {
        std::vector<std::int64_t> starts(pieces.size() + 1);
        on_threads(pieces, [&](std::size_t i, const Piece& piece) { starts[i + 1] = count_of(piece); });
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        return starts;
    }
    std::vector<std::int64_t> starts_of(const std::vector<Piece>& pieces, const FormatLevel& level) const {
        return starts_of(pieces, [&](const Piece& piece) {
            std::int64_t found = 0;
            visit(piece, level, [&](std::int64_t, std::int64_t, const FormatPlace&) { ++found; });
            return found;
        });
    }

    void require_room(std::int64_t each) const {
        if (count() > std::numeric_limits<std::int32_t>::max() / std::max<std::int64_t>(each, 1))
            throw Error(ErrorKind::usage,
                        fmt::format("{} of {} \u00d7 {} takes more elements than a 31-bit index counts",
                                    made_.format->title, made_.rows, made_.cols));
    }

    void add(const FormatLevel& level) {
        switch (level.kind) {
            case LevelKind::dense:
                return add_dense(level);
            case LevelKind::compressed:
            case LevelKind::singleton:
                return add_coordinates(level);
            case LevelKind::padded:
                return add_padded(level);
            case LevelKind::bitmap:
                return add_bitmap(level);
            case LevelKind::run_length:
                return add_runs(level);
        }
    }

    void add_dense(const FormatLevel& level) {
        const std::int64_t size = extent(made_, level.of);
        require_room(size);
        children_.resize(static_cast<std::size_t>(count() * size));
        on_threads(cut(level, true), [&](std::size_t, const Piece& piece) {
            std::int64_t next = first_coordinate(piece, level);
            const auto empty_until = [&](std::int64_t parent, std::int64_t end) {
                const FormatPlace& above = parents_[static_cast<std::size_t>(parent)];
                for (; next < end; ++next) {
                    FormatPlace& child = children_[static_cast<std::size_t>(parent * size + next)];
                    child = below(made_, above, level.of, next);
                    child.first = child.last = above.first;
                }
            };
            visit(
                piece, level,
                [&](std::int64_t parent, std::int64_t at, const FormatPlace& child) {
                    empty_until(parent, at);
                    children_[static_cast<std::size_t>(parent * size + at)] = child;
                    next = at + 1;
                },
                [&](std::int64_t parent) {
                    empty_until(parent, size);
                    next = 0;
                });
        });
        shape_.push_back(size);
    }

    /// Where the children of each parent begin, and where the last ones end.
    void keep_positions(const FormatLevel& level, std::vector<std::uint32_t> begins) {
        if (level.position.empty()) return;
        FormatArray array = make(level.position, FormatRole::position, FormatType::i32, {count() + 1});
        array.words = std::move(begins);
        if (keep_) {
            array.places.reserve(parents_.size() + 1);
            array.places = parents_;
            array.places.push_back(unused({}));
        }
        made_.arrays.push_back(std::move(array));
    }

    /// The children with a number each, one after the other, and where those of each parent begin.
    struct Listed {
        std::vector<std::uint32_t> begins, numbers;
    };
    /// 'visit_each' calls take(number, child) for each child below a piece's parents, and end(parent).
    template <class VisitEach>
    Listed list_children(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& starts,
                         VisitEach visit_each) {
        const auto all = static_cast<std::size_t>(starts.back());
        Listed made{std::vector<std::uint32_t>(parents_.size() + 1), std::vector<std::uint32_t>(all)};
        children_.resize(all);
        on_threads(pieces, [&](std::size_t i, const Piece& piece) {
            auto next = static_cast<std::size_t>(starts[i]);
            visit_each(
                piece,
                [&](std::int64_t number, const FormatPlace& child) {
                    made.numbers[next] = static_cast<std::uint32_t>(number);
                    children_[next++] = child;
                },
                [&](std::int64_t parent) {
                    made.begins[static_cast<std::size_t>(parent) + 1] = static_cast<std::uint32_t>(next);
                });
        });
        return made;
    }

    /// Of a compressed level, or of a singleton, which has no positions.
    void add_coordinates(const FormatLevel& level) {
        const std::vector<Piece> pieces = cut(level, true);
        auto [begins,
              index] = list_children(pieces, starts_of(pieces, level), [&](const Piece& piece, auto take, auto end) {
            visit(
                piece, level, [&](std::int64_t, std::int64_t at, const FormatPlace& child) { take(at, child); }, end);
        });
        if (level.kind == LevelKind::compressed) {
            keep_positions(level, std::move(begins));
            shape_ = {static_cast<std::int64_t>(children_.size())};
        }
        FormatArray array = make(level.index, FormatRole::index, FormatType::i32, shape_);
        array.words = std::move(index);
        keep(std::move(array), children_);
    }

    void add_padded(const FormatLevel& level) {
        const std::vector<Piece> pieces = cut(level, false);
        std::vector<std::int64_t> fullest(pieces.size());
        on_threads(pieces, [&](std::size_t i, const Piece& piece) {
            std::int64_t filled = 0, most = 1;
            visit(
                piece, level, [&](std::int64_t, std::int64_t, const FormatPlace&) { ++filled; },
                [&](std::int64_t) { most = std::max(most, std::exchange(filled, 0)); });
            fullest[i] = most;
        });
        const std::int64_t slots = fullest.empty() ? 1 : std::ranges::max(fullest);
        require_room(slots);
        shape_.push_back(slots);
        FormatArray array = make(level.index, FormatRole::index, FormatType::i32, shape_);
        array.words.resize(static_cast<std::size_t>(count() * slots), 0xffffffffU);
        children_.resize(array.words.size());
        on_threads(pieces, [&](std::size_t, const Piece& piece) {
            auto next = static_cast<std::size_t>(piece.begin * slots);
            visit(
                piece, level,
                [&](std::int64_t, std::int64_t at, const FormatPlace& child) {
                    array.words[next] = static_cast<std::uint32_t>(at);
                    children_[next++] = child;
                },
                [&](std::int64_t parent) {
                    const auto end = static_cast<std::size_t>((parent + 1) * slots);
                    while (next < end) children_[next++] = unused(parents_[static_cast<std::size_t>(parent)]);
                });
        });
        keep(std::move(array), children_);
    }

    void add_bitmap(const FormatLevel& level) {
        const std::int64_t each = ceil_div(extent(made_, level.of), std::int64_t{32});
        std::vector<std::int64_t> shape = shape_;
        shape.push_back(each);
        FormatArray bits = make(level.index, FormatRole::bits, FormatType::u32, std::move(shape));
        FormatArray offsets = make(level.position, FormatRole::offsets, FormatType::i32, {count() * each + 1});
        const std::vector<Piece> pieces = cut(level, false);
        const std::vector<std::int64_t> starts = starts_of(pieces, level);
        const auto words = static_cast<std::size_t>(count() * each);
        bits.words.resize(words);
        offsets.words.reserve(words + 1);
        children_.resize(static_cast<std::size_t>(starts.back()));
        Places of_words;
        of_words.reserve(words + 1);
        of_words.resize(words);
        on_threads(pieces, [&](std::size_t i, const Piece& piece) {
            for (auto word = static_cast<std::size_t>(piece.begin * each);
                 word < static_cast<std::size_t>(piece.end * each); ++word) {
                of_words[word] = parents_[word / static_cast<std::size_t>(each)];
                of_words[word].last = of_words[word].first;
            }
            auto next = static_cast<std::size_t>(starts[i]);
            visit(piece, level, [&](std::int64_t parent, std::int64_t at, const FormatPlace& child) {
                const auto word = static_cast<std::size_t>(parent * each + at / 32);
                if (bits.words[word] == 0) of_words[word].first = child.first;
                of_words[word].last = child.last;
                bits.words[word] |= 1U << (at % 32);
                children_[next++] = child;
            });
        });
        std::uint32_t before = 0;
        for (const std::uint32_t word : bits.words) {
            offsets.words.push_back(before);
            before += static_cast<std::uint32_t>(std::popcount(word));
        }
        offsets.words.push_back(before);
        keep(std::move(bits), of_words);
        of_words.push_back(unused({}));
        keep(std::move(offsets), of_words);
        shape_ = {static_cast<std::int64_t>(children_.size())};
    }

    /// Calls take(run, child) for each run below a piece's parents, those that are cut as well.
    template <class Take, class End>
    void visit_runs(const Piece& piece, const FormatLevel& level, Take take, End end) const {
        std::int64_t next = first_coordinate(piece, level);
        visit(
            piece, level,
            [&](std::int64_t parent, std::int64_t at, const FormatPlace& child) {
                for (; at - next > level.max_run; next += level.max_run + 1) {
                    FormatPlace zero =
                        below(made_, parents_[static_cast<std::size_t>(parent)], level.of, next + level.max_run);
                    zero.first = zero.last = child.first;
                    take(level.max_run, zero);
                }
                take(at - next, child);
                next = at + 1;
            },
            [&](std::int64_t parent) {
                next = 0;
                end(parent);
            });
    }

    void add_runs(const FormatLevel& level) {
        const std::vector<Piece> pieces = cut(level, true);
        const std::vector<std::int64_t> starts = starts_of(pieces, [&](const Piece& piece) {
            std::int64_t found = 0;
            visit_runs(
                piece, level, [&](std::int64_t, const FormatPlace&) { ++found; }, [](std::int64_t) {});
            return found;
        });
        auto [begins, runs] = list_children(
            pieces, starts, [&](const Piece& piece, auto take, auto end) { visit_runs(piece, level, take, end); });
        keep_positions(level, std::move(begins));
        shape_ = {static_cast<std::int64_t>(children_.size())};
        FormatArray array = make(level.index, FormatRole::runs, FormatType::u8, shape_);
        array.words = std::move(runs);
        keep(std::move(array), children_);
    }

    FormatArrays& made_;
    const bool keep_;
    std::size_t level_ = 0;
    Places parents_, children_;
    std::vector<std::int64_t> shape_;  ///< of an array with an element for each parent
};

/// The children of every parent from a level's arrays, which may say anything.
class LevelReader {
public:
    explicit LevelReader(const FormatArrays& from) : from_(from) {
        for (const FormatArray& array : from.arrays) most_ = std::max(most_, array.elements());
    }

    Places places() {
        for (level_ = 0; level_ < from_.format->levels.size(); ++level_) {
            children_.clear();
            read(from_.format->levels[level_]);
            parents_.swap(children_);
        }
        return std::move(parents_);
    }

private:
    std::int64_t count() const { return static_cast<std::int64_t>(parents_.size()); }
    const FormatArray& array(FormatRole role) const { return from_.array(role, level_); }

    void child(const FormatPlace& parent, std::int64_t at, const std::string& of) {
        const FormatLevel& level = from_.format->levels[level_];
        if (at < 0 || at >= extent(from_, level.of))
            throw BadFormat(fmt::format("'{}' leads to {}, where there are {}", of, at, extent(from_, level.of)));
        children_.push_back(below(from_, parent, level.of, at));
    }

    /// Calls take(parent, first, last) for each parent's part of an array.
    template <class Take>
    void each_part(const FormatLevel& level, std::int64_t all, Take take) const {
        if (level.position.empty()) return take(parents_.front(), std::int64_t{0}, all);
        const FormatArray& begins = array(FormatRole::position);
        require_elements(begins, count() + 1);
        if (begins.integer(0) != 0 || begins.integer(count()) != all)
            throw BadFormat(fmt::format("'{}' goes from {} to {}, not from 0 to {}", begins.name, begins.integer(0),
                                        begins.integer(count()), all));
        for (std::int64_t i = 0; i < count(); ++i) {
            if (begins.integer(i) > begins.integer(i + 1))
                throw BadFormat(
                    fmt::format("'{}' falls from {} to {}", begins.name, begins.integer(i), begins.integer(i + 1)));
            // Between 0 and 'all', as nothing falls before it reaches the last.
            if (begins.integer(i + 1) > all)
                throw BadFormat(fmt::format("'{}' has {}, over {}", begins.name, begins.integer(i + 1), all));
            take(parents_[static_cast<std::size_t>(i)], begins.integer(i), begins.integer(i + 1));
        }
    }

    void read(const FormatLevel& level) {
        switch (level.kind) {
            case LevelKind::dense:
                return read_dense(level);
            case LevelKind::compressed: {
                const FormatArray& index = array(FormatRole::index);
                return each_part(level, index.elements(),
                                 [&](const FormatPlace& parent, std::int64_t first, std::int64_t last) {
                                     for (std::int64_t each = first; each < last; ++each)
                                         child(parent, index.integer(each), index.name);
                                 });
            }
            case LevelKind::singleton: {
                const FormatArray& index = array(FormatRole::index);
                require_elements(index, count());
                for (std::int64_t i = 0; i < count(); ++i)
                    child(parents_[static_cast<std::size_t>(i)], index.integer(i), index.name);
                return;
            }
            case LevelKind::padded:
                return read_padded();
            case LevelKind::bitmap:
                return read_bitmap(level);
            case LevelKind::run_length: {
                const FormatArray& runs = array(FormatRole::runs);
                return each_part(level, runs.elements(),
                                 [&](const FormatPlace& parent, std::int64_t first, std::int64_t last) {
                                     std::int64_t next = 0;
                                     for (std::int64_t each = first; each < last; ++each) {
                                         next += runs.integer(each);
                                         child(parent, next++, runs.name);
                                     }
                                 });
            }
        }
    }

    /// Each position of any level belongs to an element of an array below it.
    void read_dense(const FormatLevel& level) {
        const std::int64_t size = extent(from_, level.of);
        if (count() > most_ / size)
            throw BadFormat(
                fmt::format("{} \u00d7 {} takes arrays of more than {} elements", from_.rows, from_.cols, most_));
        for (const FormatPlace& parent : parents_)
            for (std::int64_t each = 0; each < size; ++each) children_.push_back(below(from_, parent, level.of, each));
    }

    void read_padded() {
        const FormatArray& index = array(FormatRole::index);
        const std::int64_t slots = index.shape.back();
        if (slots < 1 || count() > index.elements() / slots)
            throw BadFormat(fmt::format("'{}' has {} slots for each of {}", index.name, slots, count()));
        require_elements(index, count() * slots);
        for (std::int64_t each = 0; each < index.elements(); ++each) {
            const FormatPlace& parent = parents_[static_cast<std::size_t>(each / slots)];
            index.integer(each) == -1 ? children_.push_back(unused(parent))
                                      : child(parent, index.integer(each), index.name);
        }
    }

    void read_bitmap(const FormatLevel& level) {
        const FormatArray &bits = array(FormatRole::bits), &offsets = array(FormatRole::offsets);
        const std::int64_t words = ceil_div(extent(from_, level.of), std::int64_t{32});
        require_elements(bits, count() * words);
        require_elements(offsets, bits.elements() + 1);
        std::int64_t before = 0;
        for (std::int64_t word = 0; word <= bits.elements(); ++word) {
            if (offsets.integer(word) != before)
                throw BadFormat(fmt::format("'{}' has {} where {} bits are set before", offsets.name,
                                            offsets.integer(word), before));
            if (word == bits.elements()) return;
            const std::uint32_t set = bits.words[static_cast<std::size_t>(word)];
            before += std::popcount(set);
            for (std::uint32_t left = set; left != 0; left &= left - 1)
                child(parents_[static_cast<std::size_t>(word / words)], 32 * (word % words) + std::countr_zero(left),
                      bits.name);
        }
    }

    const FormatArrays& from_;
    std::int64_t most_ = 0;  ///< elements of the largest array
    std::size_t level_ = 0;
    Places parents_{{}}, children_;
};

}  // namespace

void build_levels(FormatArrays& made, bool places) {
    LevelBuilder(made, places).build();
}

std::vector<FormatEntry> read_levels(const FormatArrays& from) {
    const Places places = LevelReader(from).places();
    const FormatArray& values = from.array(FormatRole::values);
    require_elements(values, static_cast<std::int64_t>(places.size()));
    std::vector<FormatEntry> entries;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const FormatPlace& place = places[i];
        if (!place.used) continue;
        add_entry(from, entries, place.row * from.format->block_h + std::max(place.row_in, 0),
                  place.col * from.format->block_w + std::max(place.col_in, 0),
                  values.number(static_cast<std::int64_t>(i)));
    }
    return entries;
}

}  // namespace convscope
