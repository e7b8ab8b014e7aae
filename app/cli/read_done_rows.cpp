#include "app/cli/read_done_rows.h"

#include <fmt/format.h>

#include <cstdio>

#include "kernels/core/say.h"

namespace convscope::cli {

DoneRows read_done_rows(const std::string& csv_path) {
    DoneRows done(csv_path);
    for (const std::string& error : done.errors()) say("convscope: {}\n", error);
    return done;
}

}  // namespace convscope::cli
