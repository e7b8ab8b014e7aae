#include "app/compare/recorded_ceilings.h"

#include <algorithm>
#include <charconv>

#include "kernels/files/preset_folder.h"
#include "kernels/files/text_file.h"
#include "kernels/records/csv_text.h"

namespace convscope::app {

std::filesystem::path ceilings_file() {
    return preset_folder() / "recorded" / "ceilings.csv";
}

std::optional<Ceilings> recorded_ceilings(const std::filesystem::path& file, const std::string& device_name) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return std::nullopt;
    const std::string text = read_text_file(file);
    const std::vector<CsvLine> lines = parse_csv(text);
    std::optional<Ceilings> found;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto cell = [&](const char* column) {
            const auto at = std::ranges::find(lines[0].cells, column) - lines[0].cells.begin();
            return static_cast<std::size_t>(at) < lines[i].cells.size() ? lines[i].cells[static_cast<std::size_t>(at)]
                                                                        : std::string();
        };
        const auto number = [&](const char* column) {
            const std::string words = cell(column);
            double value = 0;
            std::from_chars(words.data(), words.data() + words.size(), value);
            return value;
        };
        if (cell("device_name") == device_name) found = {number("copy_gb_per_s"), number("fp32_tflops")};
    }
    if (found && (found->copy_gb_per_s <= 0 || found->fp32_tflops <= 0)) return std::nullopt;
    return found;
}

}  // namespace convscope::app
