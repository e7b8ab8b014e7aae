// The Compare view's column on the right, and what leaves the view: files and the clipboard.
#include <fmt/format.h>
#include <imgui.h>

#include "app/compare/compare_pages.h"
#include "app/ui/compare_view/compare_view.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/records/record_csv.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_copied = 100000;  ///< rows for the clipboard

}  // namespace

std::string CompareView::describe(PlotRow row) const {
    if (!data_ || row >= data_->table.rows()) return {};
    const CompareColumns& c = compare_columns();
    std::string text = data_->layer_names[data_->layer[row]];
    if (const double zeros = data_->number(row, c.sparsity); zeros > 0)
        text += fmt::format(", zeros {}", format_percent(zeros));
    const std::string block = data_->table.cell(row, table_column("block_size_x"));
    if (!block.empty())
        text += fmt::format("\nblock {}x{}x{}", block, data_->table.cell(row, table_column("block_size_y")),
                            data_->table.cell(row, table_column("block_size_z")));
    // A line of times has read it out already.
    const bool read = result_ && result_->lists.set.page == "lines" && result_->lists.set.y == "time_median_us";
    if (data_->passed(row) && !read) text += fmt::format("\n{}", duration(data_->number(row, c.time)));
    if (const std::string ratio = ratio_words(*data_, row); !ratio.empty()) text += "\n" + ratio;
    return text + "\nClick to load it into the panels";
}

void CompareView::inspect(Frame& frame) {
    if (!data_) return;
    const CompareColumns& c = compare_columns();
    const PlotRow shown = selection_.hovered != no_row ? selection_.hovered : selection_.pinned;
    if (shown == no_row || shown >= data_->table.rows()) {
        heading(data_->recorded ? "RECORDED SESSION" : "RECORDS");
        paragraph(data_->title, look().theme->text.u32());
        note(data_->provenance);
        fact("rows", format_count(static_cast<std::int64_t>(data_->table.rows())));
        fact("layers", format_count(static_cast<std::int64_t>(data_->layer_names.size())));
        fact("memory", bytes(static_cast<double>(data_->table.bytes())), "Of the table, in this program");
        if (data_->recorded)
            note(
                "Everything but measuring again works here. Click a point to load its layer and launch "
                "configuration, then Run measures it on this machine.");
        // How old the file of a session that comes with the program is says nothing to whoever reads it.
        if (!data_->recorded)
            for (const std::string& line : data_->problems.notes) note(line);
        for (std::size_t i = 0; i < std::min<std::size_t>(12, data_->problems.lines.size()); ++i)
            problem(data_->problems.lines[i]);
        if (data_->problems.left_out > 12)
            note(fmt::format("{} more rows could not be read", data_->problems.left_out - 12));
        return;
    }
    const RecordTable& table = data_->table;
    const auto cell = [&](const char* name) { return table.cell(shown, table_column(name)); };
    heading(selection_.hovered != no_row ? "POINTED AT" : "CHOSEN");
    paragraph(std::string(data_->text(shown, c.method)) + " on " + data_->layer_names[data_->layer[shown]],
              look().theme->text.u32());
    if (!data_->passed(shown)) problem(cell("status") + ": " + cell("status_reason"));
    const auto number = [&](const char* name, const char* column, auto&& words, const char* meaning) {
        if (const std::optional<double> value = table.number(shown, table_column(column)))
            fact(name, words(*value), meaning);
    };
    number("time", "time_median_us", duration, "Median");
    number("lower quartile", "time_q1_us", duration, "A quarter of the samples is below");
    number("upper quartile", "time_q3_us", duration, "A quarter of the samples is above");
    number(
        "noise", "noise_pct", [](double v) { return three_digits(v) + " %"; }, "Half the 95 % interval of the median");
    if (const std::string ratio = ratio_words(*data_, shown); !ratio.empty())
        fact("speed-up over", ratio,
             "The median of the vendor's best in the same precision over this one's; and that of its best in any "
             "precision on this device, where that is another");
    number(
        "dense rate", "gflops",
        [](double v) {
            return plot_words({"", "GFLOP/s"}, v);
        },
        "Skipped work counted too");
    number("workspace", "workspace_bytes", bytes, "The method's own arrays besides x, w and y");
    number("library", "library_workspace_bytes", bytes, "The library's own workspace");
    number("conversion", "convert_us", duration, nullptr);
    number("multiplication", "multiply_us", duration, nullptr);
    number("pooling", "pool_us", duration, nullptr);
    number(
        "occupancy", "occupancy_pct", [](double v) { return three_digits(v) + " %"; }, "Theoretical, main kernel");
    number("zeros", "sparsity_measured", format_percent, "Of the input x, measured");
    number("weight zeros", "weight_sparsity_measured", format_percent, "Of the weights w, measured");
    number(
        "error", "max_rel_err", [](double v) { return fmt::format("{:.1e}", v); }, "Against the reference");
    ImGui::Dummy({0, px(4)});
    for (const auto& [name, column] : {std::pair{"what is timed", "timing_scope"},
                                       {"cache", "cache_mode"},
                                       {"baseline", "vendor_method"},
                                       {"tunables", "tunables"}})
        if (std::string words = cell(column); !words.empty()) {
            // "rows=0; tile_h=7": in lines that end between two.
            for (std::size_t at = 0; (at = words.find(';', at)) != std::string::npos; at += 2)
                words.insert(at + 1, " ");
            fact(name, words);
        }
    if (!cell("block_size_x").empty())
        fact("block", fmt::format("{}x{}x{}", cell("block_size_x"), cell("block_size_y"), cell("block_size_z")));
    note(cell("device_name") + (cell("timestamp_utc").empty() ? "" : ", " + cell("timestamp_utc")));
    note(cell("file"));
    ImGui::Dummy({0, px(4)});
    if (selection_.pinned != no_row && button("compare/copy command", "Copy its command line")) {
        RowSet of_pinned(table.rows());
        of_pinned.insert(selection_.pinned);
        ImGui::SetClipboardText(command_for(*data_, of_pinned).c_str());
        notify(frame.session, "Copied the command line that measures this row again");
    }
    if (selection_.pinned != no_row) tip("It measures this row again");
}

RowSet CompareView::rows_to_export() const {
    if (selected() == 0) return result_->shown;
    RowSet rows(data_->table.rows());
    for (std::size_t row = 0; row < rows.rows(); ++row)
        if (selection_.holds(static_cast<PlotRow>(row))) rows.insert(row);
    return rows;
}

void CompareView::export_rows(Frame& frame, bool to_clipboard) {
    Session& session = frame.session;
    const RowSet rows = rows_to_export();
    if (to_clipboard && rows.count() > max_copied)
        return notify(session,
                      fmt::format("{} rows are too many for the clipboard; export them to a file",
                                  format_count(static_cast<std::int64_t>(rows.count()))),
                      true);
    std::string text = csv_header() + "\r\n";
    const auto add = [&](std::size_t row) { text += data_->table.csv_row(row) + "\r\n"; };
    if (result_->order.empty())
        rows.each(add);
    else  // as the table shows them
        for (const std::uint32_t row : result_->order)
            if (rows[row]) add(row);
    if (!to_clipboard)
        return save_text(session, frame.dialogs, with_ending(session.csv_path, ".rows.csv"), std::move(text));
    ImGui::SetClipboardText(text.c_str());
    notify(session, fmt::format("Copied {}", counted(rows.count(), "row")));
}

}  // namespace convscope::app
