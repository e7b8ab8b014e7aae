#include "app/cli/transfers_table.h"

#include <fmt/format.h>

#include "app/cli/markdown.h"
#include "kernels/reproduce/transfers.h"

namespace convscope::cli {
namespace {

std::string time_text(double us, Digits digits) {
    return figure_text(FigureValue::time_us, us, digits);
}

std::string share_of(double transfer_us, double compute_us, Digits digits) {
    return figure_text(FigureValue::convert_pct, 100 * transfer_us / (transfer_us + compute_us), digits);
}

}  // namespace

std::string transfers_table(const PaperFigure& figure, const FigureRecords& records, Digits digits) {
    const std::vector<TransferRow> rows =
        transfer_rows(figure, records.of({TimingScope::launch}), records.of({TimingScope::copies}));
    if (rows.empty()) return {};
    std::vector<std::vector<std::string>> layers;
    for (const TransferRow& row : rows)
        layers.push_back({row.point, time_text(row.compute_us, digits), time_text(row.transfer_us, digits),
                          share_of(row.transfer_us, row.compute_us, digits)});
    const TransferRow sum = sum_of(rows);
    std::vector<std::vector<std::string>> networks;
    for (const auto& [what, transfer_us] :
         {std::pair{"every layer copies its input, its filters and its output", sum.transfer_us},
          {"the image and all filters go up once, the last output comes back", sum.once_us},
          {"the same, with the filters on the GPU already", sum.image_us}})
        networks.push_back({what, time_text(sum.compute_us, digits), time_text(transfer_us, digits),
                            share_of(transfer_us, sum.compute_us, digits),
                            time_text(sum.compute_us + transfer_us, digits)});
    return "## The share of the copies\n\nCopies are what scope `copies` takes more than scope `launch`.\n\n" +
           markdown_table({figure.points_label, "computing", "copies", "share of the copies"}, layers) +
           "## One transfer for the whole network\n\nThe sums over the layers. The first row is measured; the others "
           "take of each layer's copies the part that its bytes are of the layer's, so they leave out that fewer "
           "copies also have fewer fixed costs.\n\n" +
           markdown_table({"", "computing", "copies", "share of the copies", "in all"}, networks);
}

}  // namespace convscope::cli
