// Records the panels' text while they are drawn, so that copies and screen readers get exactly the text on screen.
#pragma once

#include <string>

namespace convscope::app {

/// Takes down what headings, facts and paragraphs say for a scope. One at a time.
class TextCapture {
public:
    explicit TextCapture(std::string& text);
    ~TextCapture();
    TextCapture(const TextCapture&) = delete;
    TextCapture& operator=(const TextCapture&) = delete;
};

/// A line that was drawn; costs two comparisons while nobody takes it down.
void capture_text(const std::string& line);
/// "name: value".
void capture_text(const std::string& name, const std::string& value);
/// A line that is drawn, and read out by itself as soon as it is there. The key says where it stands, among the
/// announced lines of a window: the same words at two places are two lines, also when the places swap them.
void announce(const std::string& key, const std::string& line);

}  // namespace convscope::app
