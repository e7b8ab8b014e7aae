// A subcommand's definition without CLI11, whose headers take longer to compile than all definitions: only cli.cpp and
// three more files include them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/request/flags.h"

namespace convscope::cli {

/// The values that it is given are filled by CLI11 and must outlive the parsing. In the help an option is called by its
/// placeholder; of a name without dashes every word belongs to it that is no flag's.
class Subcommand {
public:
    Subcommand(CLI::App& program, const char* name, const char* help);

    void flags(FlagValues&, std::span<const Flag>, const char* group = "Options");
    void option(const char* name, std::string& value, const char* placeholder, const char* help,
                const char* group = "Options");
    void option(const char* name, std::vector<std::string>& values, const char* placeholder, const char* help,
                const char* group = "Options");
    /// The words after it, exactly 'count'.
    void option(const char* name, std::vector<std::string>& values, int count, const char* placeholder,
                const char* help, const char* group = "Options");
    void toggle(const char* name, bool& value, const char* help, const char* group = "Options");

    void describe(const char* flag, const char* help);
    void hide(const char* flag);  ///< from the help
    void hide();                  ///< all of it
    void end_help_with(const char* text);

    Command runs(std::function<int()> run) const { return {app_, std::move(run)}; }

private:
    CLI::App* const app_;
};

}  // namespace convscope::cli
