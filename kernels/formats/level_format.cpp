// The arrays of a format that levels describe, level by level, and the matrix from them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/core/ceil_div.h"
#include "kernels/core/error.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

using Places = std::vector<FormatPlace>;

std::int64_t extent(const FormatArrays& of, FormatAxis axis) {
    switch (axis) {
        case FormatAxis::row:
            return of.rows;
        case FormatAxis::col:
            return of.cols;
        case FormatAxis::row_block:
            return ceil_div(of.rows, of.format->block_h);
        case FormatAxis::col_block:
            return ceil_div(of.cols, of.format->block_w);
        case FormatAxis::row_in_block:
            return of.format->block_h;
        case FormatAxis::col_in_block:
            return of.format->block_w;
        case FormatAxis::cell:
            return of.rows * of.cols;
    }
    return 0;
}

std::int32_t coordinate(const FormatArrays& of, FormatAxis axis, const FormatEntry& entry) {
    const auto block_h = static_cast<std::int32_t>(of.format->block_h);
    const auto block_w = static_cast<std::int32_t>(of.format->block_w);
    switch (axis) {
        case FormatAxis::row:
            return entry.row;
        case FormatAxis::col:
            return entry.col;
        case FormatAxis::row_block:
            return entry.row / block_h;
        case FormatAxis::col_block:
            return entry.col / block_w;
        case FormatAxis::row_in_block:
            return entry.row % block_h;
        case FormatAxis::col_in_block:
            return entry.col % block_w;
        case FormatAxis::cell:
            return entry.row * static_cast<std::int32_t>(of.cols) + entry.col;
    }
    return 0;
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

class LevelBuilder {
public:
    LevelBuilder(FormatArrays& made, bool places) : made_(made), keep_(places) {}

    void build() {
        const auto& levels = made_.format->levels;
        std::ranges::sort(made_.entries, [&](const FormatEntry& a, const FormatEntry& b) {
            for (const FormatLevel& level : levels) {
                const std::int32_t left = coordinate(made_, level.of, a), right = coordinate(made_, level.of, b);
                if (left != right) return left < right;
            }
            return false;
        });
        parents_ = {FormatPlace{.last = static_cast<std::int64_t>(made_.entries.size())}};
        for (level_ = 0; level_ < levels.size(); ++level_) {
            children_.clear();
            add(levels[level_]);
            parents_.swap(children_);
        }
        FormatArray values{
            made_.format->values, FormatRole::values, levels.size() - 1, FormatType::f32, shape_, {}, {}};
        for (const FormatPlace& place : parents_)
            values.words.push_back(std::bit_cast<std::uint32_t>(
                place.first < place.last ? made_.entries[static_cast<std::size_t>(place.first)].value : 0.0F));
        keep(std::move(values), parents_);
    }

private:
    std::int64_t count() const { return static_cast<std::int64_t>(parents_.size()); }

    FormatArray make(const std::string& name, FormatRole role, FormatType type, std::vector<std::int64_t> shape) const {
        return {name, role, level_, type, std::move(shape), {}, {}};
    }

    void keep(FormatArray array, Places places) {
        if (keep_) array.places = std::move(places);
        made_.arrays.push_back(std::move(array));
    }

    /// Calls take(coordinate, child) for each coordinate below a parent.
    template <class Take>
    void each_child(const FormatPlace& parent, const FormatLevel& level, Take take) const {
        for (std::int64_t first = parent.first; first < parent.last;) {
            const auto at = [&](std::int64_t i) {
                return coordinate(made_, level.of, made_.entries[static_cast<std::size_t>(i)]);
            };
            std::int64_t last = first + 1;
            while (level.unique && last < parent.last && at(last) == at(first)) ++last;
            FormatPlace child = below(made_, parent, level.of, at(first));
            child.first = first;
            child.last = last;
            take(at(first), child);
            first = last;
        }
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
                return add_compressed(level);
            case LevelKind::singleton:
                return add_singleton(level);
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
        for (const FormatPlace& parent : parents_) {
            std::int64_t next = 0;
            const auto empty_until = [&](std::int64_t end) {
                for (; next < end; ++next) {
                    FormatPlace child = below(made_, parent, level.of, next);
                    child.first = child.last = parent.first;
                    children_.push_back(child);
                }
            };
            each_child(parent, level, [&](std::int64_t at, const FormatPlace& child) {
                empty_until(at);
                children_.push_back(child);
                next = at + 1;
            });
            empty_until(size);
        }
        shape_.push_back(size);
    }

    /// Where the children of each parent begin, and where the last ones end.
    void keep_positions(const FormatLevel& level, std::vector<std::uint32_t> begins) {
        if (level.position.empty()) return;
        FormatArray array = make(level.position, FormatRole::position, FormatType::i32, {count() + 1});
        array.words = std::move(begins);
        Places places = parents_;
        places.push_back(unused({}));
        keep(std::move(array), std::move(places));
    }

    void add_compressed(const FormatLevel& level) {
        std::vector<std::uint32_t> begins{0}, index;
        for (const FormatPlace& parent : parents_) {
            each_child(parent, level, [&](std::int64_t at, const FormatPlace& child) {
                index.push_back(static_cast<std::uint32_t>(at));
                children_.push_back(child);
            });
            begins.push_back(static_cast<std::uint32_t>(index.size()));
        }
        keep_positions(level, std::move(begins));
        shape_ = {static_cast<std::int64_t>(children_.size())};
        FormatArray array = make(level.index, FormatRole::index, FormatType::i32, shape_);
        array.words = std::move(index);
        keep(std::move(array), children_);
    }

    void add_singleton(const FormatLevel& level) {
        FormatArray array = make(level.index, FormatRole::index, FormatType::i32, shape_);
        for (const FormatPlace& parent : parents_)
            each_child(parent, level, [&](std::int64_t at, const FormatPlace& child) {
                array.words.push_back(static_cast<std::uint32_t>(at));
                children_.push_back(child);
            });
        keep(std::move(array), children_);
    }

    void add_padded(const FormatLevel& level) {
        std::int64_t slots = 1;
        for (const FormatPlace& parent : parents_) {
            std::int64_t filled = 0;
            each_child(parent, level, [&](std::int64_t, const FormatPlace&) { ++filled; });
            slots = std::max(slots, filled);
        }
        require_room(slots);
        shape_.push_back(slots);
        FormatArray array = make(level.index, FormatRole::index, FormatType::i32, shape_);
        for (const FormatPlace& parent : parents_) {
            std::int64_t left = slots;
            each_child(parent, level, [&](std::int64_t at, const FormatPlace& child) {
                array.words.push_back(static_cast<std::uint32_t>(at));
                children_.push_back(child);
                --left;
            });
            array.words.insert(array.words.end(), static_cast<std::size_t>(left), 0xffffffffU);
            children_.insert(children_.end(), static_cast<std::size_t>(left), unused(parent));
        }
        keep(std::move(array), children_);
    }

    void add_bitmap(const FormatLevel& level) {
        const std::int64_t each = ceil_div(extent(made_, level.of), std::int64_t{32});
        std::vector<std::int64_t> shape = shape_;
        shape.push_back(each);
        FormatArray bits = make(level.index, FormatRole::bits, FormatType::u32, std::move(shape));
        FormatArray offsets = make(level.position, FormatRole::offsets, FormatType::i32, {count() * each + 1});
        Places of_words;
        for (const FormatPlace& parent : parents_) {
            const std::size_t base = bits.words.size();
            bits.words.resize(base + static_cast<std::size_t>(each));
            FormatPlace none = parent;
            none.last = none.first;
            of_words.resize(base + static_cast<std::size_t>(each), none);
            each_child(parent, level, [&](std::int64_t at, const FormatPlace& child) {
                const std::size_t word = base + static_cast<std::size_t>(at / 32);
                if (bits.words[word] == 0) of_words[word].first = child.first;
                of_words[word].last = child.last;
                bits.words[word] |= 1U << (at % 32);
                children_.push_back(child);
            });
        }
        std::uint32_t before = 0;
        for (const std::uint32_t word : bits.words) {
            offsets.words.push_back(before);
            before += static_cast<std::uint32_t>(std::popcount(word));
        }
        offsets.words.push_back(before);
        keep(std::move(bits), of_words);
        of_words.push_back(unused({}));
        keep(std::move(offsets), std::move(of_words));
        shape_ = {static_cast<std::int64_t>(children_.size())};
    }

    void add_runs(const FormatLevel& level) {
        std::vector<std::uint32_t> begins{0}, runs;
        for (const FormatPlace& parent : parents_) {
            std::int64_t next = 0;
            each_child(parent, level, [&](std::int64_t at, const FormatPlace& child) {
                for (; at - next > level.max_run; next += level.max_run + 1) {
                    FormatPlace zero = below(made_, parent, level.of, next + level.max_run);
                    zero.first = zero.last = child.first;
                    runs.push_back(static_cast<std::uint32_t>(level.max_run));
                    children_.push_back(zero);
                }
                runs.push_back(static_cast<std::uint32_t>(at - next));
                children_.push_back(child);
                next = at + 1;
            });
            begins.push_back(static_cast<std::uint32_t>(runs.size()));
        }
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

/// The children of every parent from a level's arrays.
Places read_level(const FormatArrays& from, std::size_t number, const Places& parents) {
    const FormatLevel& level = from.format->levels[number];
    Places children;
    const auto child = [&](const FormatPlace& parent, std::int64_t at) {
        children.push_back(below(from, parent, level.of, at));
    };
    const auto range = [&](std::size_t parent, std::int64_t all) -> std::pair<std::int64_t, std::int64_t> {
        if (level.position.empty()) return {0, all};
        const FormatArray& begins = from.array(FormatRole::position, number);
        const auto at = static_cast<std::int64_t>(parent);
        return {begins.integer(at), begins.integer(at + 1)};
    };
    const std::int64_t size = extent(from, level.of);
    for (std::size_t i = 0; i < parents.size(); ++i) {
        const FormatPlace& parent = parents[i];
        const auto at = static_cast<std::int64_t>(i);
        switch (level.kind) {
            case LevelKind::dense:
                for (std::int64_t each = 0; each < size; ++each) child(parent, each);
                break;
            case LevelKind::compressed: {
                const FormatArray& index = from.array(FormatRole::index, number);
                const auto [first, last] = range(i, index.elements());
                for (std::int64_t each = first; each < last; ++each) child(parent, index.integer(each));
                break;
            }
            case LevelKind::singleton:
                child(parent, from.array(FormatRole::index, number).integer(at));
                break;
            case LevelKind::padded: {
                const FormatArray& index = from.array(FormatRole::index, number);
                const std::int64_t slots = index.shape.back();
                for (std::int64_t each = at * slots; each < (at + 1) * slots; ++each)
                    index.integer(each) < 0 ? children.push_back(unused(parent)) : child(parent, index.integer(each));
                break;
            }
            case LevelKind::bitmap: {
                const FormatArray& bits = from.array(FormatRole::bits, number);
                const std::int64_t words = bits.shape.back();
                for (std::int64_t word = 0; word < words; ++word)
                    for (std::uint32_t left = bits.words[static_cast<std::size_t>(at * words + word)]; left != 0;
                         left &= left - 1)
                        child(parent, 32 * word + std::countr_zero(left));
                break;
            }
            case LevelKind::run_length: {
                const FormatArray& runs = from.array(FormatRole::runs, number);
                const auto [first, last] = range(i, runs.elements());
                std::int64_t next = 0;
                for (std::int64_t each = first; each < last; ++each) {
                    next += runs.integer(each);
                    child(parent, next++);
                }
                break;
            }
        }
    }
    return children;
}

}  // namespace

void build_levels(FormatArrays& made, bool places) {
    LevelBuilder(made, places).build();
}

void read_levels(const FormatArrays& from, FormatMatrix& matrix) {
    Places places{{}};
    for (std::size_t level = 0; level < from.format->levels.size(); ++level) places = read_level(from, level, places);
    const FormatArray& values = from.array(FormatRole::values);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const FormatPlace& place = places[i];
        if (!place.used) continue;
        const std::int64_t row = place.row * from.format->block_h + std::max(place.row_in, 0);
        const std::int64_t col = place.col * from.format->block_w + std::max(place.col_in, 0);
        if (row < matrix.rows && col < matrix.cols)
            matrix.values[static_cast<std::size_t>(row * matrix.cols + col)] =
                values.number(static_cast<std::int64_t>(i));
    }
}

}  // namespace convscope
