// A library under a name that the program looks for: whoever loads it runs it.
#include <cstdio>
#include <cstdlib>

namespace {

[[gnu::constructor]] void run() {
    std::puts("poisoned");
    std::_Exit(99);
}

}  // namespace
