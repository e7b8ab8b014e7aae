#include "kernels/reproduce/pays.h"

#include <algorithm>

#include "kernels/records/ratio_estimate.h"

namespace convscope {
namespace {

DenseClass class_of(const Record& record) {
    return record.dtype == "fp16" ? DenseClass::fp16 : record.dtype == "tf32" ? DenseClass::tf32 : DenseClass::fp32;
}

void keep_faster(std::optional<PaysTime>& best, const Record& record) {
    if (!best || *record.time_median_us < best->us)
        best = PaysTime{record.method, *record.time_median_us, record.noise_pct};
}

PaysRow row_of(const PaperFigure& figure, const PaperPoint& point, const std::vector<Record>& records) {
    PaysRow row{point.label, point.spec.shape, point.spec.sparsity, point.weight, {}, {}, {}, {}, {}};
    for (const Record& record : records) {
        if (!is_timed(record)) continue;
        const DenseClass precision = class_of(record);
        for (auto i = static_cast<std::size_t>(precision); i < dense_classes; ++i) {
            double& us = row.us_in_layout[i].try_emplace(record.layout, *record.time_median_us).first->second;
            us = std::min(us, *record.time_median_us);
        }
        if (std::ranges::find(figure.sparse, record.method) != figure.sparse.end()) {
            keep_faster(row.sparse, record);
            continue;
        }
        if (is_vendors(record))
            keep_faster(row.vendor[static_cast<std::size_t>(precision)], record);
        else if (precision == DenseClass::fp32)
            keep_faster(row.ours, record);
        for (auto i = static_cast<std::size_t>(precision); i < dense_classes; ++i) keep_faster(row.dense[i], record);
    }
    for (std::size_t i = 0; i < dense_classes; ++i)
        if (!row.vendor[i]) row.dense[i].reset();
    return row;
}

/// Over all rows; empty where no layout has a method for each.
std::optional<double> time_in_one_layout(const std::vector<PaysRow>& rows, std::size_t precision) {
    std::optional<double> least;
    if (rows.empty()) return least;
    for (const auto& [layout, first] : rows.front().us_in_layout[precision]) {
        double us = 0;
        const bool has_all = std::ranges::all_of(rows, [&, &name = layout](const PaysRow& row) {
            const auto time = row.us_in_layout[precision].find(name);
            if (time == row.us_in_layout[precision].end()) return false;
            us += static_cast<double>(row.weight) * time->second;
            return true;
        });
        if (has_all && (!least || us < *least)) least = us;
    }
    return least;
}

}  // namespace

const char* to_string(DenseClass precision) {
    switch (precision) {
        case DenseClass::fp32:
            return "FP32";
        case DenseClass::tf32:
            return "TF32";
        case DenseClass::fp16:
            return "FP16";
    }
    return "";
}

std::vector<PaysRow> pays_rows(const PaperFigure& figure, const PointRecords& records) {
    std::vector<PaysRow> rows;
    for (std::size_t i = 0; i < figure.points.size(); ++i)
        rows.push_back(row_of(figure, figure.points[i], i < records.size() ? records[i] : std::vector<Record>{}));
    return rows;
}

std::optional<double> pays_ratio(const PaysRow& row, DenseClass precision) {
    const std::optional<PaysTime>& dense = row.dense[static_cast<std::size_t>(precision)];
    return dense && row.sparse ? std::optional(dense->us / row.sparse->us) : std::nullopt;
}

Pays pays(const PaysRow& row, DenseClass precision) {
    const std::optional<double> ratio = pays_ratio(row, precision);
    if (!ratio) return Pays::unknown;
    const PaysTime& dense = *row.dense[static_cast<std::size_t>(precision)];
    if (!differs_from_one(*ratio, row.sparse->noise_pct, dense.noise_pct)) return Pays::too_close;
    return *ratio > 1 ? Pays::yes : Pays::no;
}

void TimesWithoutZeros::add(const PaperFigure& figure, const FigureTiming& timing, const PointRecords& records) {
    for (std::size_t i = 0; i < figure.points.size() && i < records.size(); ++i) {
        if (figure.points[i].spec.sparsity != 0) continue;
        for (const Record& record : records[i])
            if (is_timed(record))
                us_.insert({{to_string(figure.points[i].spec.shape), record.method, to_string(timing)},
                            *record.time_median_us});
    }
}

std::optional<double> TimesWithoutZeros::gain(const PaysRow& row, const FigureTiming& timing) const {
    if (!row.sparse) return std::nullopt;
    const auto without = us_.find({to_string(row.shape), row.sparse->method, to_string(timing)});
    return without == us_.end() ? std::nullopt : std::optional(without->second / row.sparse->us);
}

PaysCount pays_count(const std::vector<PaysRow>& rows, DenseClass precision) {
    PaysCount count;
    double sparse = 0, dense = 0, better = 0;
    for (const PaysRow& row : rows) {
        switch (pays(row, precision)) {
            case Pays::yes:
                ++count.yes;
                break;
            case Pays::no:
                ++count.no;
                break;
            case Pays::too_close:
                ++count.too_close;
                break;
            case Pays::unknown:
                ++count.unknown;
                continue;
        }
        const auto weight = static_cast<double>(row.weight);
        const double dense_us = row.dense[static_cast<std::size_t>(precision)]->us;
        sparse += weight * row.sparse->us;
        dense += weight * dense_us;
        better += weight * std::min(row.sparse->us, dense_us);
    }
    if (count.unknown > 0 || better <= 0) return count;
    count.all_sparse = dense / sparse;
    count.better = dense / better;
    if (const auto us = time_in_one_layout(rows, static_cast<std::size_t>(precision)))
        count.better_in_one_layout = dense / *us;
    return count;
}

}  // namespace convscope
