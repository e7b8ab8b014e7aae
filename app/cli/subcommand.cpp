#include "app/cli/subcommand.h"

#include <CLI/CLI.hpp>

namespace convscope::cli {

Subcommand::Subcommand(CLI::App& program, const char* name, const char* help)
    : app_(program.add_subcommand(name, help)) {}

void Subcommand::flags(FlagValues& values, std::span<const Flag> flags, const char* group) {
    for (const Flag& flag : flags)
        app_->add_option(flag.name, values.of(flag.name), flag.help)
            ->type_name(flag.placeholder)
            ->allow_extra_args(false)
            ->group(group);
}

void Subcommand::option(const char* name, std::string& value, const char* placeholder, const char* help,
                        const char* group) {
    app_->add_option(name, value, help)->type_name(placeholder)->group(group);
}

void Subcommand::option(const char* name, std::vector<std::string>& values, const char* placeholder, const char* help,
                        const char* group) {
    app_->add_option(name, values, help)->type_name(placeholder)->group(group);
}

void Subcommand::option(const char* name, std::vector<std::string>& values, int count, const char* placeholder,
                        const char* help, const char* group) {
    app_->add_option(name, values, help)->type_name(placeholder)->expected(count)->group(group);
}

void Subcommand::toggle(const char* name, bool& value, const char* help, const char* group) {
    app_->add_flag(name, value, help)->group(group);
}

void Subcommand::describe(const char* flag, const char* help) {
    app_->get_option(flag)->description(help);
}

void Subcommand::hide(const char* flag) {
    app_->get_option(flag)->group("");
}

void Subcommand::hide() {
    app_->group("");
}

void Subcommand::end_help_with(const char* text) {
    app_->footer(text);
}

}  // namespace convscope::cli
