// The one source of an object library of texts (CMakeLists.txt): TEXTS is TEXT("FILE") TEXT("FILE") ...
#pragma once

#include "kernels/simt/on_ptx/ptx_texts.h"

#define TEXT(file) ".incbin \"" file "\"\n.byte 0\n"
asm(".pushsection .rodata\n"
    "convscope_ptx_begin:\n" TEXTS
    "convscope_ptx_end:\n"
    ".popsection\n");
#undef TEXT

extern "C" const char convscope_ptx_begin[], convscope_ptx_end[];

namespace convscope::on_ptx {

std::vector<std::string_view> ptx_texts() {
    std::vector<std::string_view> texts;
    for (const char* at = convscope_ptx_begin; at != convscope_ptx_end; at += texts.back().size() + 1)
        texts.emplace_back(at);
    return texts;
}

}  // namespace convscope::on_ptx
