#include "app/reproduce/pages.h"

#include <fmt/format.h>

#include <map>

#include "app/reproduce/page_parts.h"
#include "kernels/core/error.h"
#include "kernels/files/preset_folder.h"
#include "kernels/files/text_file.h"
#include "kernels/reproduce/fill_in.h"

namespace convscope::reproduce {
namespace {

class Overview {
public:
    explicit Overview(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::string value(const std::vector<std::string>& parts) {
        if (parts == std::vector<std::string>{"pays"}) return pays_summary(folder_);
        if (parts == std::vector<std::string>{"pages"}) return pages();
        if (parts == std::vector<std::string>{"devices"}) return devices();
        const PaperFigure& figure = find_figure(parts.front());
        const FigureRecords& records = records_of(figure);
        return placeholder_value({parts.begin() + 1, parts.end()}, figure,
                                 [&](const FigureTiming& timing) { return records.of(timing); });
    }

    /// Whether one figure was measured.
    bool any() { return !pages().empty(); }

private:
    const FigureRecords& records_of(const PaperFigure& figure) {
        return records_.try_emplace(figure.name, figure, folder_).first->second;
    }

    std::string pages() {
        std::string list;
        for (const PaperFigure& figure : all_figures())
            if (records_of(figure).complete())
                list += fmt::format("- [{0}]({0}.md): {1}, {2}: {3}\n", figure.name, figure.paper, figure.shows,
                                    figure.title);
        return list;
    }

    /// Where and when each figure's rows were measured.
    std::string devices() {
        std::vector<MeasuredFile> files;
        for (const PaperFigure& figure : all_figures()) {
            const FigureRecords& records = records_of(figure);
            if (records.complete()) files.push_back({records.csv_name(), &records.all()});
        }
        return measured_files(files);
    }

    std::filesystem::path folder_;
    std::map<std::string, FigureRecords> records_;
};

}  // namespace

void write_overview(const std::filesystem::path& folder) {
    Overview overview(folder);
    if (!overview.any())
        throw Error(ErrorKind::file, fmt::format("'{}' has no complete CSV of a figure, as 'convscope reproduce NAME' "
                                                 "leaves them",
                                                 folder.string()));
    const std::string text = read_text_file(preset_folder() / "reproduce" / "overview.md");
    write_text_file(folder / "README.md",
                    fill_in(text, [&](const std::vector<std::string>& parts) { return overview.value(parts); }));
}

}  // namespace convscope::reproduce
