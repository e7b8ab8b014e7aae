#include "kernels/ptx/text/source_lines.h"

#include <algorithm>

namespace convscope::ptx {
namespace {

/// Between the quotes, of which a backslash takes away what they mean.
std::string unquoted(std::string_view quoted) {
    std::string text;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] == '\\' && i + 2 < quoted.size()) ++i;
        text += quoted[i];
    }
    return text;
}

}  // namespace

void SourceLines::add_file(Module& module, std::uint32_t number, std::string_view quoted) {
    if (number > 65535) return;
    if (module.files.size() <= number) module.files.resize(number + 1);
    module.files[number] = unquoted(quoted);
}

void SourceLines::begin_function() {
    main_file_ = 0;
    now_ = {};
    callers_.clear();
}

void SourceLines::add(const Location& location) {
    if (main_file_ == 0) main_file_ = location.line.file;
    if (location.inlined.file != 0)
        callers_.insert_or_assign({location.line, location.column}, Called{location.inlined, location.inlined_column});
    if (location.line.line == 0) return;  // the compiler's own: it belongs to what stands before
    Called at{location.line, location.column};
    for (int depth = 0; at.line.file != main_file_ && depth < 64; ++depth) {
        const auto caller = callers_.find(at);
        if (caller == callers_.end()) return;
        at = caller->second;
    }
    if (at.line.file == main_file_ && at.line.line != 0) now_ = at.line;
}

SourceLine SourceLines::note(std::uint32_t text_line) const {
    return now_.file == 0 ? SourceLine{0, text_line} : now_;
}

void SourceLines::resolve(Module& module) const {
    for (Function& function : module.functions)
        for (Instruction& instruction : function.code)
            if (instruction.source.file >= module.files.size() || module.files[instruction.source.file].empty())
                instruction.source = {0, instruction.text_line};
}

}  // namespace convscope::ptx
