// convscope merge: the files of a sweep's shards as one.
#include "kernels/records/merge.h"
#include "kernels/core/format_units.h"
#include "kernels/core/say.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/record_files.h"
#include "app/cli/subcommand.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/files/file_lock.h"
#include "kernels/records/csv_file.h"

namespace convscope::cli {
namespace {

constexpr std::size_t max_told = 10;

Mix parse_mix(const std::string& text) {
    Mix mix;
    if (text.empty()) return mix;
    for (const std::string& what : split(text, ',')) {
        if (what == "device")
            mix.device = true;
        else if (what == "versions")
            mix.versions = true;
        else if (what == "scope")
            mix.scope = true;
        else if (what == "cache")
            mix.cache = true;
        else
            throw Error(ErrorKind::usage,
                        fmt::format("--mix: '{}' is not accepted; give device, versions, scope, cache "
                                    "or several of them with commas",
                                    what));
    }
    return mix;
}

/// Keeps every run from appending to a file while it is replaced. Nothing to keep where there is no such file.
class Hold {
public:
    explicit Hold(const std::string& path) {
        std::error_code none;
        if (!std::filesystem::exists(path, none)) return;
        if (!std::filesystem::is_regular_file(path, none))
            throw Error(ErrorKind::file, fmt::format("'{}' cannot be written: it is not a regular file", path));
        descriptor_ = open_locked(path, O_RDWR, path);
    }
    ~Hold() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

private:
    int descriptor_ = -1;
};

/// The rows that 'out' has already take part, so that none is lost; first, whether it was named or not.
std::vector<RecordFile> read_all(const std::vector<std::string>& paths, const std::string& out) {
    std::error_code none;
    std::vector<RecordFile> files;
    if (std::filesystem::exists(out, none) && std::filesystem::file_size(out, none) > 0)
        files.push_back(read_and_report(out));
    if (!files.empty() && !files.front().errors.empty())
        throw Error(ErrorKind::file, fmt::format("'{}' has lines that cannot be read and would be lost; fix them or "
                                                 "give another --csv",
                                                 out));
    for (const std::string& path : paths)
        if (!std::filesystem::equivalent(path, out, none)) files.push_back(read_and_report(path));
    return files;
}

void tell(const Merged& merged, std::size_t files, const std::string& out) {
    for (std::size_t i = 0; i < std::min(merged.replaced.size(), max_told); ++i)
        say("convscope: {}\n", merged.replaced[i]);
    if (merged.replaced.size() > max_told)
        say("convscope: and so in {} more places\n", merged.replaced.size() - max_told);
    if (!merged.shards.empty()) say("convscope: '{}' has {}\n", out, merged.shards);
    fmt::print("{} of {} in '{}'", counted(merged.records.size(), "row"), counted(files, "file"), out);
    if (!merged.replaced.empty()) fmt::print(", {} replaced by later ones", merged.replaced.size());
    if (merged.repeated > 0) fmt::print(", {} there twice", merged.repeated);
    fmt::print("\n");
}

int merge(const std::vector<std::string>& paths, const std::string& out, const Mix& mix) {
    if (paths.empty()) throw Error(ErrorKind::usage, "merge what? Give the files, and --csv FILE for their rows");
    if (out.empty()) throw Error(ErrorKind::usage, "merge where to? Give --csv FILE for the rows");
    const Hold hold(out);
    const std::vector<RecordFile> files = read_all(paths, out);
    const Merged merged = merge_records(files, mix);
    write_csv(out, merged.records);
    tell(merged, files.size(), out);
    return lines_status(files);
}

constexpr Flag mix_flag[] = {{"--mix", "A,B,...", "join what differs in device, versions, scope or cache"}};

}  // namespace

Command add_merge(CLI::App& program) {
    Subcommand command(program, "merge", "join the files of a sweep's shards, or of several runs");
    auto files = std::make_shared<std::vector<std::string>>();
    auto csv = std::make_shared<std::string>();
    auto flags = std::make_shared<FlagValues>();
    command.option("FILE", *files, "...", "records, as bench, sweep and network write them");
    command.option("--csv", *csv, "FILE",
                   "the rows of all files, joined with those that it has; of two of one point the later one stays");
    command.flags(*flags, mix_flag);
    return command.runs([files, csv, flags] {
        return merge(*files, *csv, parse_mix(fmt::format("{}", fmt::join(flags->all("--mix"), ","))));
    });
}

}  // namespace convscope::cli
