#include "app/cli/cli.h"

int main(int argc, char** argv) {
    return convscope::cli::run(argc, argv);
}
