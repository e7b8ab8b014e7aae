// The program: with a subcommand it does that and never needs a display, with none it opens the app.
#pragma once

namespace convscope::cli {

/// Returns the exit status (docs/cli.md). Errors are one sentence on stderr.
int run(int argc, char** argv);

}  // namespace convscope::cli
