// Pictures on the clipboard of an X server. GLFW knows text alone, so this is a client of its own, on a thread of its
// own: it owns the selection and hands the PNG to whoever asks.
#pragma once

#include <memory>
#include <string>

namespace convscope::app {

class ImageClipboard {
public:
    /// Connects on the first image.
    ImageClipboard();
    ~ImageClipboard();
    ImageClipboard(const ImageClipboard&) = delete;
    ImageClipboard& operator=(const ImageClipboard&) = delete;

    /// Offers the bytes of a PNG file as image/png. False where there is no X server, or the image is larger than
    /// one of its messages.
    bool offer(std::string png);

private:
    struct Client;
    std::unique_ptr<Client> client_;
};

}  // namespace convscope::app
