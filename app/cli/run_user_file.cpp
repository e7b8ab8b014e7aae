#include "app/cli/run_user_file.h"

#include <fmt/format.h>

#include "app/cli/interrupt.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/ptx/toolchain/compile_errors.h"

namespace convscope::cli {

int run_user_file(const std::string& file, const char* sentence,
                  const std::function<int(const std::stop_token&)>& run) {
    const Interrupt interrupt(sentence);
    try {
        return run(interrupt.token());
    } catch (const ptx::CompileErrors& errors) {
        if (errors.lines().size() == 1) throw;
        for (const std::string& line : errors.lines()) say("{}\n", line);
        throw Error(errors.kind(), fmt::format("{} does not compile", errors.file()));
    } catch (const Error&) {
        if (!interrupt.requested()) throw;
        say("convscope: {} was stopped\n", file);
        return interrupted_status;
    }
}

}  // namespace convscope::cli
