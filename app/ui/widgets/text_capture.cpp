#include "app/ui/widgets/text_capture.h"

#include "app/ui/input/reader_report.h"

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

void capture_text(const std::string& line) {
    if (ReaderReport::active) ReaderReport::active->text(line, line);
    if (!taken) return;
    *taken += line;
    *taken += '\n';
}

void capture_text(const std::string& name, const std::string& value) {
    if (!taken && !ReaderReport::active) return;
    const std::string line = name + ": " + value;
    if (ReaderReport::active) ReaderReport::active->text(name, line);
    if (taken) *taken += line + '\n';
}

void announce(const std::string& key, const std::string& line) {
    if (ReaderReport::active) ReaderReport::active->announce(key, line);
}

}  // namespace convscope::app
