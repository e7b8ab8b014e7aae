#include "app/ui/widgets/text_capture.h"

namespace convscope::app {
namespace {

std::string* taken = nullptr;

}  // namespace

TextCapture::TextCapture(std::string& text) {
    taken = &text;
}

TextCapture::~TextCapture() {
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
