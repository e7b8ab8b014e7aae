// convscope manual: the manual page (man 1 convscope), from the subcommands and flags that there are.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/subcommand.h"
#include "kernels/core/version.h"

namespace convscope::cli {
namespace {

/// Text as troff takes it: no hyphen may become a dash, no line may look like a request.
std::string as_troff(const std::string& text) {
    std::string safe;
    for (const char letter : text) {
        if (letter == '\\') {
            safe += "\\e";
        } else if (letter == '-') {
            safe += "\\-";
        } else {
            if ((letter == '.' || letter == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
            safe += letter;
        }
    }
    return safe;
}

/// Lines stay lines.
std::string as_printed(const std::string& text) {
    return fmt::format(".nf\n{}\n.fi\n", as_troff(text));
}

std::string flag(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::string head = fmt::format("\\fB{}\\fR{}", as_troff(option.get_name()),
                                         type.empty() ? "" : fmt::format(" \\fI{}\\fR", as_troff(type)));
    return fmt::format(".TP\n{}\n{}\n", head, as_troff(option.get_description()));
}

/// Each group's flags under its name; "Options" is CLI11's word for no group.
std::string flags(const CLI::App& app) {
    std::string text;
    for (const std::string& group : app.get_groups()) {
        if (group.empty()) continue;
        std::string part;
        for (const CLI::Option* option : app.get_options())
            if (option->get_group() == group) part += flag(*option);
        if (!part.empty()) text += fmt::format(".PP\n{}:\n{}", as_troff(group), part);
    }
    return text;
}

std::string command(const CLI::App& app) {
    std::string text = fmt::format(".SS \"convscope {}\"\n{}\n", app.get_name(), as_troff(app.get_description()));
    text += flags(app);
    if (!app.get_footer().empty()) text += ".PP\n" + as_printed(app.get_footer());
    return text;
}

constexpr const char* environment = R"(.SH ENVIRONMENT
.TP
.B CONVSCOPE_PRESETS
the folder of the presets, instead of the one that the program came with
.TP
.B CONVSCOPE_MODULES
a further folder in which the CUDA and cuDNN modules are looked for
.TP
.BR CONVSCOPE_CUDA_COMPILER ", " CUDACXX
what compiles a kernel or a program of one's own, instead of nvcc on the PATH or in /usr/local/cuda, else clang
.TP
.B CONVSCOPE_DIALOGS
portal or own: whose dialogs choose files
.TP
.B CONVSCOPE_FONTS
the folder of the fonts
.TP
.B CONVSCOPE_TIMES
set: where the time to the first frame goes is printed
.TP
.BR XDG_CONFIG_HOME ", " XDG_STATE_HOME
where settings, and sessions, recent files and what a learner has done are kept
.TP
.BR XDG_DATA_HOME ", " XDG_CACHE_HOME
where one's own lessons and exercises are, and where a copied image lies
)";

constexpr const char* examples = R"(.SH EXAMPLES
.nf
convscope
convscope bench \-\-preset vgg19/conv5_1 \-\-methods ecr3,im2col,cudnn
convscope sweep \-\-preset vgg19/conv5_1 \-\-methods ecr3,cudnn \-\-sparsity 0:0.9:0.1 \-\-csv sparsity.csv
convscope layout \-\-preset examples/xu\-fig4 \-\-format ecr \-\-out fig4
.fi
)";

std::string page(const CLI::App& program) {
    std::string text = fmt::format(
        ".TH CONVSCOPE 1 \"\" \"convscope {}\" \"User Commands\"\n.SH NAME\n"
        "convscope \\- look inside convolution kernels: their layouts, their work, their time\n"
        ".SH SYNOPSIS\n.B convscope\n[\\fIFILE\\fR ...]\n.br\n.B convscope\n\\fICOMMAND\\fR [\\fIFLAG\\fR ...]\n"
        ".SH DESCRIPTION\n{}\n",
        program_version(), as_troff(program.get_description()));
    text += ".SH COMMANDS\n";
    for (const CLI::App* each : program.get_subcommands({}))
        if (!each->get_group().empty()) text += command(*each);
    text += ".SH \"EXIT STATUS\"\n" + as_printed(program.get_footer());
    return text + environment + examples;
}

}  // namespace

Command add_manual(CLI::App& program) {
    Subcommand manual(program, "manual", "this manual page, as troff");
    manual.hide();  // the installed page is for people
    return manual.runs([&program] { return fmt::print("{}", page(program)), 0; });
}

}  // namespace convscope::cli
