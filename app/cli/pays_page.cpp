#include "app/cli/pays_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/figure_page.h"
#include "app/cli/figure_records.h"
#include "app/cli/markdown.h"
#include "app/cli/measured_on.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/text_file.h"
#include "kernels/reproduce/pays.h"

namespace convscope::cli {
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
std::string layers_summary(const std::vector<Part>& parts) {
    std::vector<std::vector<std::string>> body;
    for (const Part& part : parts) {
        body.push_back(named_part(part));
        for (const DenseClass precision : classes) body.back().push_back(count_text(part, precision));
    }
    return markdown_table({"skipping zeros is faster on", "cache", "than dense FP32", "than dense FP32 and TF32",
                           "than dense FP32, TF32 and FP16"},
                          body);
}

/// How fast whole networks are, against each layer with its fastest dense method.
std::string networks_summary(const std::vector<Part>& parts) {
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
    return markdown_table({"network", "cache", "dense methods", "all layers sparse", "better of both in each layer",
                           "better of both, one layout"},
                          body);
}

std::string summary_tables(const std::vector<Part>& parts) {
    return layers_summary(parts) +
           "The sum over a network's layers, as how many times as fast as all layers dense, each with its fastest "
           "dense method. `all layers sparse`: each with its fastest sparse one. `better of both`: each with its "
           "fastest method, chosen by these times; what it would take to convert between the layouts of two methods "
           "(NCHW, NHWC) is not in it, nor in the dense sum. `one layout`: all layers in NCHW, or all in NHWC, "
           "whichever is faster, so that nothing is converted; the dense sum still chooses freely.\n\n" +
           networks_summary(parts);
}

std::string answer(const PaysRow& row, DenseClass precision) {
    const std::optional<double> ratio = pays_ratio(row, precision);
    switch (pays(row, precision)) {
        case Pays::yes:
            return fmt::format("yes, {:.2f}x", *ratio);
        case Pays::no:
            return fmt::format("no, {:.2f}x", *ratio);
        case Pays::too_close:
            return fmt::format("too close, {:.2f}x", *ratio);
        case Pays::unknown:
            return "-";
    }
    return "-";
}

std::string pays_time_text(const std::optional<PaysTime>& time) {
    return time ? format_time_us(time->us) : "-";
}

std::string named(const std::optional<PaysTime>& time) {
    return time ? fmt::format("{}, `{}`", format_time_us(time->us), time->method) : "-";
}

std::string layers_table(const Part& part, const TimesWithoutZeros& without_zeros) {
    std::vector<std::vector<std::string>> body;
    for (const PaysRow& row : part.rows) {
        const std::string times = row.weight > 1 ? fmt::format(" ({} times)", row.weight) : "";
        body.push_back({row.point + times, fmt::format("{:.2g}", row.sparsity), named(row.sparse),
                        ratio_text(without_zeros.gain(row, part.timing)), named(row.ours)});
        for (const auto& vendor : row.vendor) body.back().push_back(pays_time_text(vendor));
        for (const DenseClass precision : classes) body.back().push_back(answer(row, precision));
    }
    return fmt::format("## {}, cache {}\n\n", part.figure->title, cache_of(part.timing)) +
           zeros_paragraph(*part.figure) +
           markdown_table({part.figure->points_label, "zeros", "fastest sparse", "its zeros bring it",
                           "fastest dense of ours, FP32", "cuDNN FP32", "cuDNN TF32", "cuDNN FP16", "pays against FP32",
                           "and TF32", "and FP16"},
                          body);
}

}  // namespace

std::string pays_summary(const std::filesystem::path& folder) {
    const std::vector<Part> parts = parts_of(folder).list;
    return parts.empty() ? std::string() : summary_tables(parts);
}

void write_pays_page(const std::filesystem::path& folder) {
    const auto [parts, without_zeros] = parts_of(folder);
    if (parts.empty())
        throw Error(ErrorKind::file, fmt::format("'{}' has no complete CSV of a figure with sparse methods, as "
                                                 "fast-sparsity.csv: reproduce one first",
                                                 folder.string()));
    std::string text =
        "# Does skipping zeros pay?\n\n"
        "At each layer the fastest method that skips zeros (`ecr*`, `pecr*`, `ocpa*`, `csr1`, `union1`) is held "
        "against the "
        "fastest that does not, ours and cuDNN's: first against those whose results are FP32 (FP32 emulated on tensor "
        "cores is among them), then against those in TF32 too, then against FP16 as well, for those who can do with "
        "fewer digits. The methods that skip zeros compute in FP32, also where a column holds them against FP16. A "
        "ratio "
        "above 1 is how many times as fast skipping is. It is too close to tell where the "
        "ratio's 95 % interval has 1 in it. Scope `kernel`; the conversion of the input is included, that of the "
        "weights is not. Of the dense methods `tensor1` leaves out 16 channels of a whole tile that are all zero: "
        "whole channels of zeros give it such, single zeros do not. `its zeros bring it` is the time of the "
        "fastest sparse method on the same layer without a zero, over its time here, where both were measured. A ratio "
        "against a dense method that is larger than that shows that the sparse method is faster without a zero, too. "
        "The zeros of a network's layers are our choice where "
        "no paper prints them; each section says which.\n\n";
    text += command_block("convscope reproduce pays --out DIR");
    std::vector<MeasuredFile> files;
    for (const Part& part : parts) files.push_back({part.csv_name, &part.records});
    text += measured_files(files);
    text += summary_tables(parts);
    for (const Part& part : parts) text += layers_table(part, without_zeros);
    write_text_file(folder / "pays.md", text);
}

}  // namespace convscope::cli
