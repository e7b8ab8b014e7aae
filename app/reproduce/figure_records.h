// The rows of a figure: those that its CSV has already, and those that are measured now.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/measure.h"
#include "kernels/records/csv_file.h"
#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/figure_values.h"

namespace convscope::reproduce {

class FigureRecords {
public:
    /// Those of the figure's CSV in 'folder', or in its folder 'under'. It may exist, from a run that was stopped or
    /// that is only to be shown again. Throws Error(file) for a file that is not a CSV file of records.
    FigureRecords(const PaperFigure&, const std::filesystem::path& folder, const std::filesystem::path& under = {});

    /// Whether everything was measured already: no device is needed then.
    bool complete() const;
    /// Whether the method was measured at every point.
    bool has(const std::string& method, const FigureTiming&) const;
    /// Measures what is missing, point by point; each row is in the CSV before the next point begins, and a figure that
    /// is measured twice has its raw samples in NAME-samples.csv. A CSV with rows of another device is rejected by
    /// Error(usage). Stops between points when requested.
    void measure(Registry&, Device&, MeasureOptions, std::stop_token,
                 const std::function<void(const std::string&)>& tell);
    PointRecords of(const FigureTiming&) const;
    const std::vector<Record>& all() const { return records_; }
    /// "NAME.csv" of the figure whose rows these are, as its page names it: "h100/NAME.csv" where they are in 'under'.
    std::string csv_name() const { return (under_ / csv_.filename()).string(); }

private:
    const Record* find(const PaperPoint&, const std::string& method, const FigureTiming&) const;
    void measure_point(Registry&, Device&, PointMeasurer&, const PaperPoint&, const MeasureOptions&, CsvFile&,
                       std::stop_token);

    std::filesystem::path samples_path() const;

    const PaperFigure& figure_;
    std::filesystem::path under_, csv_;
    std::vector<Record> records_;
};

}  // namespace convscope::reproduce
