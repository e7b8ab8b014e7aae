#include "visualizers/explain/link_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"
#include "visualizers/explain/link_copies.h"

namespace convscope {
namespace {

/// "x[1,3]".
std::string at(const char* name, std::int64_t row, std::int64_t col) {
    return fmt::format("{}[{},{}]", name, row, col);
}

std::string times(std::int64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

/// A factor of a sum of several.
std::string brief(double value) {
    return value == std::round(value) ? format_number(value) : fmt::format("{:.3g}", value);
}

constexpr std::size_t max_sum = 60;  ///< longer ones stand below the sentence

class Words {
public:
    Words(Format format, const MapValues& map_values, const std::vector<Product>& products, LinkSet& set)
        : format_(format),
          map_values_(map_values),
          s_(map_values.shape()),
          products_(products),
          set_(set),
          cell_(set.focus.cell) {}

    void write() {
        switch (set_.focus.array) {
            case ArrayId::x:
                return input();
            case ArrayId::w:
                return weight();
            case ArrayId::F_data:
            case ArrayId::K_data:
                return ecr_slot();
            case ArrayId::Ptr:
                return ptr();
            case ArrayId::Data:
            case ArrayId::Index:
                return pecr_slot();
            case ArrayId::Count:
                return count();
            case ArrayId::conv:
                return convolution("conv");
            case ArrayId::y:
                return format_ == Format::pecr ? pooled() : convolution("y");
            case ArrayId::im2col:
                return im2col();
            case ArrayId::L:
                return mec();
        }
    }

private:
    void say(std::string sentence) { set_.sentence = std::move(sentence); }
    void add(std::string line) { set_.details.push_back(std::move(line)); }

    std::string input_of(const Product& p) const {
        const std::int64_t row = s_.x_row(p.oy, p.i), col = s_.x_col(p.ox, p.j);
        return map_values_.inside(row, col) ? at("x", row, col) : "the padding";
    }
    double input_value(const Product& p) const { return map_values_.under(p.oy, p.ox, p.i, p.j); }
    std::string weight_of(const Product& p) const {
        return fmt::format("{} = {}", at("w", p.i, p.j), format_number(map_values_.w(p.i, p.j)));
    }
    std::string worker() const { return set_.thread ? "by " + thread() : ""; }
    std::string thread() const { return fmt::format("thread T{} of block B{}", *set_.thread + 1, *set_.block + 1); }
    std::string window_name(std::int64_t py, std::int64_t px) const { return fmt::format("PW({},{})", py, px); }

    /// "15*1 + 8*0 + ..., at most eight terms".
    std::string sum_of(std::int64_t oy, std::int64_t ox) const {
        std::string text;
        int terms = 0;
        for (std::int64_t i = 0; i < s_.r; ++i)
            for (std::int64_t j = 0; j < s_.s; ++j) {
                const float input = map_values_.under(oy, ox, i, j);
                if (!keeps_zeros(format_) && input == 0) continue;
                if (++terms > 9) return text + " + ...";
                text += fmt::format("{}{}*{}", terms > 1 ? " + " : "", brief(input), brief(map_values_.w(i, j)));
            }
        return text.empty() ? "0: all its inputs are zero" : text;
    }

    void input() {
        const Copies copies = copies_of(map_values_, cell_);
        const std::int64_t in_im2col = copies.im2col, in_l = copies.L;
        const float value = map_values_.x(cell_.row, cell_.col);
        const std::string name = fmt::format("{} = {}", at("x", cell_.row, cell_.col), format_number(value));
        const std::string lowered = fmt::format("{} in im2col, {} in L", times(in_im2col, "copy", "copies"), in_l);
        if (in_im2col == 0 && keeps_zeros(format_))
            say(fmt::format("{}: no window covers it; {}", name, lowered));
        else if (keeps_zeros(format_))
            say(fmt::format("{}: {}; used by {}", name, lowered, times(in_im2col, "output", "outputs")));
        else if (in_im2col == 0)
            say(name + ": no window covers it");
        else if (value == 0)
            say(fmt::format("{}: not stored in {}, and {} saved", name, store(),
                            times(in_im2col, "multiplication is", "multiplications are")));
        else
            say(fmt::format("{}: stored {} in {}, for {}", name, times(stored(), "time", "times"), store(),
                            times(set_.products, "multiplication", "multiplications")));
        if (in_im2col > 0) add("in each format: " + describe_copies(map_values_, cell_));
    }

    ArrayId store_id() const { return format_ == Format::ecr ? ArrayId::F_data : ArrayId::Data; }
    const char* store() const { return to_string(store_id()); }
    std::int64_t stored() const { return static_cast<std::int64_t>(set_.of(store_id()).size()); }

    void weight() {
        const std::string name =
            fmt::format("{} = {}", at("w", cell_.row, cell_.col), format_number(map_values_.w(cell_.row, cell_.col)));
        const std::int64_t windows = s_.p() * s_.q();
        if (!set_.complete)
            say(fmt::format("{}: used by all of {} windows; the first {} are outlined", name, format_count(windows),
                            format_count(set_.products)));
        else if (keeps_zeros(format_))
            say(fmt::format("{}: multiplied in all {} windows", name, format_count(windows)));
        else
            say(fmt::format("{}: multiplied in {} of {} windows; in the others its input is zero", name,
                            format_count(set_.products), format_count(windows)));
        if (!set_.complete) return;
        if (format_ == Format::ecr)
            add(fmt::format("{} in K_data; the other formats keep it once",
                            times(static_cast<std::int64_t>(set_.of(ArrayId::K_data).size()), "copy", "copies")));
        if (format_ == Format::pecr)
            add(fmt::format("never copied: {} of Index point at it",
                            times(static_cast<std::int64_t>(set_.of(ArrayId::Index).size()), "element", "elements")));
    }

    /// F_data and K_data of a block row are one list in the paper's figure; 'slot' counts from its start.
    void ecr_slot() {
        const bool inputs = set_.focus.array == ArrayId::F_data;
        const std::int64_t oy = cell_.row / s_.q(), ox = cell_.row % s_.q();
        if (products_.empty()) {
            say(fmt::format("Unused slot: the window {} has {}, so thread T{} stores no more", "of " + at("y", oy, ox),
                            times(map_values_.needed(oy, ox), "non-zero input", "non-zero inputs"), *set_.thread + 1));
            return;
        }
        const Product& p = products_.front();
        std::int64_t flat = cell_.col;
        for (std::int64_t before = 0; before < ox; ++before) flat += map_values_.needed(oy, before);
        if (inputs)
            say(fmt::format("F_data[{}] = {}: from {}, times {}, {}, into {}", flat, format_number(input_value(p)),
                            input_of(p), weight_of(p), worker(), at("y", oy, ox)));
        else
            say(fmt::format("K_data[{}] = {}: {}, for {} = {}, {}, into {}", flat,
                            format_number(map_values_.w(p.i, p.j)), at("w", p.i, p.j), input_of(p),
                            format_number(input_value(p)), worker(), at("y", oy, ox)));
        add(fmt::format("{} = {}", at("y", oy, ox), sum_of(oy, ox)));
    }

    void ptr() {
        const std::int64_t kept = map_values_.needed(cell_.row, cell_.col);
        if (kept == 0) {
            say(fmt::format(
                "Ptr[{}] = -1, the mark of a window without products: all {} inputs are zero; {} multiplies "
                "nothing",
                cell_.col, s_.window(), thread()));
            return;
        }
        say(fmt::format("Ptr[{}] = {}: {} instead of {}, {}, into {}", cell_.col, kept,
                        times(kept, "multiplication", "multiplications"), s_.window(), worker(),
                        at("y", cell_.row, cell_.col)));
        add(fmt::format("{} = {}", at("y", cell_.row, cell_.col), sum_of(cell_.row, cell_.col)));
    }

    void pecr_slot() {
        const std::int64_t py = cell_.row / s_.out_w(), px = cell_.row % s_.out_w();
        if (products_.empty()) {
            say(fmt::format(
                "Unused slot: pooling window {} has {}", window_name(py, px),
                times(slots_before(map_values_, py, px, s_.pool_h * s_.pool_w), "non-zero input", "non-zero inputs")));
            return;
        }
        const Product& p = products_.front();
        const std::string into = fmt::format("into {}, then {}", at("conv", p.oy, p.ox), at("y", py, px));
        if (set_.focus.array == ArrayId::Data)
            say(fmt::format("Data[{}] = {}: from {}, times {}, {}, {}", cell_.col, format_number(input_value(p)),
                            input_of(p), weight_of(p), worker(), into));
        else
            say(fmt::format("Index[{}] = {}: row {}, column {} of the filter, {}; for {} = {}, {}, {}", cell_.col,
                            p.i * s_.s + p.j, p.i, p.j, weight_of(p), input_of(p), format_number(input_value(p)),
                            worker(), into));
        add(fmt::format("{} = {}", at("conv", p.oy, p.ox), sum_of(p.oy, p.ox)));
    }

    void count() {
        const std::int64_t py = cell_.row / s_.out_w(), px = cell_.row % s_.out_w();
        const std::int64_t oy = py * s_.pool_stride + cell_.col / s_.pool_w,
                           ox = px * s_.pool_stride + cell_.col % s_.pool_w;
        const std::int64_t kept = map_values_.needed(oy, ox);
        say(fmt::format("Count[{}] = {}: convolution window CW{} of pooling window {} has {}, {}, into {}", cell_.col,
                        kept, cell_.col + 1, window_name(py, px), times(kept, "non-zero input", "non-zero inputs"),
                        worker(), at("conv", oy, ox)));
        add(fmt::format("{} = {}", at("conv", oy, ox), sum_of(oy, ox)));
    }

    void convolution(const char* name) {
        const auto [row, col] = cell_;
        const std::string value = format_number(map_values_.result(row, col));
        const std::string by = worker();
        say(fmt::format("{} = {}{}{}", at(name, row, col), value, by.empty() ? "" : ", ", by));
        const std::string sum = sum_of(row, col);
        if (sum.size() <= max_sum && sum != value)
            set_.sentence = fmt::format("{} = {} = {}{}{}", at(name, row, col), value, sum, by.empty() ? "" : ", ", by);
        else
            add(fmt::format("{} = {}", at(name, row, col), sum));
        if (keeps_zeros(format_) && s_.dilated())
            add(fmt::format("row {} of the im2col matrix", row * s_.q() + col));
        else if (keeps_zeros(format_))
            add(fmt::format("row {} of {} of L (L[{}, {}:{}]), or row {} of the im2col matrix", col,
                            mec_partition_name(row, s_), col, row * s_.stride_h * s_.s,
                            row * s_.stride_h * s_.s + s_.window(), row * s_.q() + col));
        else
            add(fmt::format("{} of {} multiplications are needed", map_values_.needed(row, col), s_.window()));
        if (format_ != Format::pecr) return;
        std::string pools;
        for (const Cell& cell : set_.of(ArrayId::y))
            pools += (pools.empty() ? "" : ", ") + window_name(cell.row, cell.col);
        add(pools.empty()
                ? "in no pooling window: computed by no thread"
                : "in pooling " + std::string(set_.of(ArrayId::y).size() > 1 ? "windows " : "window ") + pools);
    }

    void pooled() {
        const auto [py, px] = cell_;
        std::string values;
        const std::int64_t windows = s_.pool_h * s_.pool_w;
        for (std::int64_t a = 0; a < std::min<std::int64_t>(windows, 9); ++a)
            values += ", " + format_number(map_values_.result(py * s_.pool_stride + a / s_.pool_w,
                                                              px * s_.pool_stride + a % s_.pool_w));
        if (windows > 9) values += ", ...";
        say(fmt::format("{} = {} = max(0{}), {}", at("y", py, px), format_number(map_values_.pooled(py, px)), values,
                        worker()));
        add("ReLU and max-pooling in the same thread: the convolution results never leave it");
    }

    void im2col() {
        const Product& p = products_.front();
        say(fmt::format("im2col[{},{}] = {}: {}, times {}, into {}", cell_.row, cell_.col,
                        format_number(input_value(p)), input_of(p), weight_of(p), at("y", p.oy, p.ox)));
        if (!s_.dilated()) add(fmt::format("in L it is L[{},{}]", p.ox, (p.oy * s_.stride_h + p.i) * s_.s + p.j));
    }

    void mec() {
        const std::int64_t row = cell_.col / s_.s - s_.pad_h,
                           col = cell_.row * s_.stride_w - s_.pad_w + cell_.col % s_.s;
        const bool inside = map_values_.inside(row, col);
        std::string partitions;
        for (const Product& p : products_)
            partitions += (partitions.empty() ? "" : ", ") + mec_partition_label(p.oy, s_);
        const std::string name =
            fmt::format("L[{},{}] = {}: {}, {}", cell_.row, cell_.col, format_number(map_values_.x(row, col)),
                        inside ? at("x", row, col) : "the padding", mec_window_name(cell_.row, s_));
        if (products_.empty())
            say(name + "; no partition holds it");
        else
            say(fmt::format("{}, in {} {}; stands for {} of im2col", name,
                            products_.size() > 1 ? "partitions" : "partition", partitions,
                            times(set_.products, "element", "elements")));
        for (const Product& p : products_) {
            if (set_.details.size() == 6) break;
            add(fmt::format("{}: times {}, into {}", mec_partition_name(p.oy, s_), weight_of(p), at("y", p.oy, p.ox)));
        }
    }

    Format format_;
    const MapValues& map_values_;
    const ConvShape& s_;
    const std::vector<Product>& products_;
    LinkSet& set_;
    Cell cell_;
};

}  // namespace

void describe_links(Format format, const MapValues& map_values, const std::vector<Product>& products, LinkSet& set) {
    Words(format, map_values, products, set).write();
}

}  // namespace convscope
