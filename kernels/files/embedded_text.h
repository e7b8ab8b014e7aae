#pragma once

namespace convscope {

/// A file that the program has in it (cmake/EmbeddedTexts.cmake), and its path from the repository's root.
struct EmbeddedText {
    const char *path, *text;
};

}  // namespace convscope
