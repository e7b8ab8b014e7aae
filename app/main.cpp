#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "app/cli/cli.h"

int main(int argc, char** argv) {
    const int status = convscope::cli::run(argc, argv);
    // OpenBLAS's threads begin before main and wait for ever for a buffer where they get no memory; the program's
    // end waits for these threads, unless it is left without its libraries' ends.
    rlimit memory{};
    if (getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return status;
    std::fflush(nullptr);
    _exit(status);
}
