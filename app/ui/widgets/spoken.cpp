#include "app/ui/widgets/spoken.h"

namespace convscope::app {
namespace {

std::string* taken = nullptr;

}  // namespace

TakeDown::TakeDown(std::string& text) {
    taken = &text;
}

TakeDown::~TakeDown() {
    taken = nullptr;
}

void spoken(const std::string& line) {
    if (!taken) return;
    *taken += line;
    *taken += '\n';
}

void spoken(const std::string& name, const std::string& value) {
    if (!taken) return;
    *taken += name;
    *taken += ": ";
    spoken(value);
}

}  // namespace convscope::app
