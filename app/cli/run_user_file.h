// Compiles a file of the user's and runs it, until Ctrl-C.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

namespace convscope::cli {

/// The exit status that 'run' gives, or of one that Ctrl-C has stopped; 'sentence' is what is said at the first. Errors
/// of the compiler are said, a line each. Throws as 'run'; for several of such errors Error, that 'file' does not
/// compile.
int run_user_file(const std::string& file, const char* sentence, const std::function<int(const std::stop_token&)>& run);

}  // namespace convscope::cli
