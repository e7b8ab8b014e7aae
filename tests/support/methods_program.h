// The main of programs that run methods on a workload: the flags of both, errors as sentences.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/request/request.h"
#include "kernels/core/error.h"

namespace convscope::testing {

/// Exit status as convscope's.
template <class Run>
int run_methods_program(int argc, char** argv, const char* name, const char* description, Run run) {
    CLI::App app(description, name);
    FlagValues flags;
    for (const auto list : {workload_flags(), method_flags()})
        for (const Flag& flag : list)
            app.add_option(flag.name, flags.of(flag.name), flag.help)->allow_extra_args(false);
    CLI11_PARSE(app, argc, argv);
    try {
        run(flags);
        return 0;
    } catch (const Error& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return error.exit_status();
    }
}

}  // namespace convscope::testing
