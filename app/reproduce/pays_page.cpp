#include "app/reproduce/pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/reproduce/page_parts.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"
#include "kernels/reproduce/pays.h"

namespace convscope::reproduce {
namespace {

constexpr DenseClass classes[] = {DenseClass::fp32, DenseClass::tf32, DenseClass::fp16};
constexpr const char* class_texts[] = {"FP32", "FP32 and TF32", "FP32, TF32 and FP16"};

/// A figure under one timing.
struct Part {
    const PaperFigure* figure;
    FigureTiming timing;
    std::vector<PaysRow> rows;
    std::string csv_name;
    std::vector<Record> records;
};

struct Parts {
    std::vector<Part> list;
    TimesWithoutZeros without_zeros;
};

Parts parts_of(const std::filesystem::path& folder) {
    Parts parts;
    for (const PaperFigure& figure : all_figures()) {
        if (figure.sparse.empty()) continue;
        const FigureRecords records(figure, folder);
        if (!records.complete()) continue;
        for (const FigureTiming& timing : figure.timings) {
            const PointRecords of_points = records.of(timing);
            parts.list.push_back({&figure, timing, pays_rows(figure, of_points), records.csv_name(), records.all()});
            parts.without_zeros.add(figure, timing, of_points);
        }
    }
    return parts;
}

std::string cache_of(const FigureTiming& timing) {
    return to_string(timing.cache);
}

std::string ratio_text(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.2f}x", *ratio) : "-";
}

/// "3 of 16, too close on 1".
std::string count_text(const Part& part, DenseClass precision) {
    const PaysCount count = pays_count(part.rows, precision);
    if (count.yes + count.no + count.too_close == 0) return "not measured";
    std::string text = fmt::format("{} of {}", count.yes, part.rows.size() - count.unknown);
    if (count.too_close > 0) text += fmt::format(", too close on {}", count.too_close);
    if (count.unknown > 0) text += fmt::format(", not measured on {}", count.unknown);
    return text;
}

std::vector<std::string> named_part(const Part& part) {
    return {fmt::format("[{}]({}.md)", part.figure->title, part.figure->name), cache_of(part.timing)};
}

/// On how many layers the fastest sparse method is faster than the fastest dense one.
std::string layers_rows(const std::vector<Part>& parts) {
    std::vector<std::vector<std::string>> body;
    for (const Part& part : parts) {
        body.push_back(named_part(part));
        for (const DenseClass precision : classes) body.back().push_back(count_text(part, precision));
    }
    return markdown_rows(body);
}

/// How fast whole networks are, against each layer with its fastest dense method.
std::string networks_rows(const std::vector<Part>& parts) {
    std::vector<std::vector<std::string>> body;
    for (const Part& part : parts) {
        if (!part.figure->weighted) continue;
        for (const DenseClass precision : classes) {
            const PaysCount count = pays_count(part.rows, precision);
            if (!count.better) continue;
            body.push_back(named_part(part));
            body.back().push_back(class_texts[static_cast<std::size_t>(precision)]);
            for (const auto& ratio : {count.all_sparse, count.better, count.better_in_one_layout})
                body.back().push_back(ratio_text(ratio));
        }
    }
    return markdown_rows(body);
}

std::string summary_of(const std::vector<Part>& parts) {
    return filled("pays_summary", {{"layers", layers_rows(parts)}, {"networks", networks_rows(parts)}});
}

std::string answer(const PaysRow& row, DenseClass precision) {
    constexpr const char* words[] = {"yes", "no", "too close"};
    const Pays result = pays(row, precision);
    if (result == Pays::unknown) return "-";
    return fmt::format("{}, {:.2f}x", words[static_cast<std::size_t>(result)], *pays_ratio(row, precision));
}

std::string pays_time_text(const std::optional<PaysTime>& time) {
    return time ? format_time_us(time->us) : "-";
}

std::string named(const std::optional<PaysTime>& time) {
    return time ? fmt::format("{}, `{}`", format_time_us(time->us), time->method) : "-";
}

std::string part_section(const Part& part, const TimesWithoutZeros& without_zeros) {
    std::vector<std::vector<std::string>> body;
    for (const PaysRow& row : part.rows) {
        const std::string times = row.weight > 1 ? fmt::format(" ({} times)", row.weight) : "";
        body.push_back({row.point + times, fmt::format("{:.2g}", row.sparsity), named(row.sparse),
                        ratio_text(without_zeros.gain(row, part.timing)), named(row.ours)});
        for (const auto& vendor : row.vendor) body.back().push_back(pays_time_text(vendor));
        for (const DenseClass precision : classes) body.back().push_back(answer(row, precision));
    }
    return filled("pays_part", {{"title", part.figure->title},
                                {"cache", cache_of(part.timing)},
                                {"zeros", zeros_paragraph(*part.figure)},
                                {"points", part.figure->points_label},
                                {"rows", markdown_rows(body)}});
}

}  // namespace

std::string pays_summary(const std::filesystem::path& folder) {
    const std::vector<Part> parts = parts_of(folder).list;
    return parts.empty() ? std::string() : summary_of(parts);
}

void write_pays_page(const std::filesystem::path& folder) {
    const auto [parts, without_zeros] = parts_of(folder);
    if (parts.empty())
        throw Error(ErrorKind::file, fmt::format("'{}' has no complete CSV of a figure with sparse methods, as "
                                                 "fast-sparsity.csv: reproduce one first",
                                                 folder.string()));
    std::vector<MeasuredFile> files;
    std::string sections;
    for (const Part& part : parts) {
        files.push_back({part.csv_name, &part.records});
        sections += part_section(part, without_zeros);
    }
    write_text_file(
        folder / "pays.md",
        filled("pays", {{"files", measured_files(files)}, {"summary", summary_of(parts)}, {"parts", sections}}));
}

}  // namespace convscope::reproduce
