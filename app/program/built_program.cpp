#include "app/program/built_program.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <span>

#include "app/program/program_process.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/text/source_constants.h"
#include "kernels/ptx/toolchain/compile.h"
#include "kernels/runtime/fat_binary.h"

namespace convscope::app {
namespace {

/// A program's file, as the loader reads it.
class ElfFile {
public:
    explicit ElfFile(std::string bytes) : bytes_(std::move(bytes)) {}

    bool is_program() const {
        const auto head = at<Elf64_Ehdr>(0);
        return head && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 &&
               (head->e_type == ET_EXEC || head->e_type == ET_DYN);
    }
    std::span<const std::byte> section(const std::string& name) const {
        const auto head = *at<Elf64_Ehdr>(0);
        const auto names = header(head.e_shstrndx);
        if (!names) return {};
        for (unsigned i = 0; i < head.e_shnum; ++i) {
            const auto of = header(i);
            if (of && of->sh_type != SHT_NOBITS && text_at(names->sh_offset + of->sh_name) == name &&
                of->sh_offset <= bytes_.size() && of->sh_size <= bytes_.size() - of->sh_offset)
                return std::as_bytes(std::span(bytes_)).subspan(of->sh_offset, of->sh_size);
        }
        return {};
    }
    /// The libraries that it names.
    std::vector<std::string> needed() const {
        const auto entries = section(".dynamic"), names = section(".dynstr");
        std::vector<std::string> libraries;
        for (std::size_t i = 0; i + sizeof(Elf64_Dyn) <= entries.size(); i += sizeof(Elf64_Dyn)) {
            Elf64_Dyn entry;
            std::memcpy(&entry, entries.data() + i, sizeof entry);
            if (entry.d_tag != DT_NEEDED || entry.d_un.d_val >= names.size()) continue;
            const auto* text = reinterpret_cast<const char*>(names.data()) + entry.d_un.d_val;
            libraries.emplace_back(text, strnlen(text, names.size() - entry.d_un.d_val));
        }
        return libraries;
    }

private:
    template <class T>
    std::optional<T> at(std::size_t offset) const {
        if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return std::nullopt;
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }
    std::optional<Elf64_Shdr> header(unsigned index) const {
        const auto head = *at<Elf64_Ehdr>(0);
        return at<Elf64_Shdr>(head.e_shoff + index * sizeof(Elf64_Shdr));
    }
    std::string text_at(std::size_t offset) const {
        if (offset >= bytes_.size()) return {};
        return {bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset)};
    }
    const std::string bytes_;
};

constexpr const char* simulated = "libcudart.so.13";

/// The shared CUDA runtime that the program is linked with.
std::optional<std::string> runtime_of(const ElfFile& program) {
    for (std::string& name : program.needed())
        if (name.starts_with("libcudart.so")) return std::move(name);
    return std::nullopt;
}

constexpr const char* how_to_compile = "compile it with nvcc -cudart shared -arch=compute_80 -lineinfo -g";

void require_simulated(const std::filesystem::path& file, const ElfFile& program) {
    const auto reject = [&](const std::string& why) {
        throw Error(ErrorKind::usage, fmt::format("'{}' {}; {}", file.string(), why, how_to_compile));
    };
    const auto images = program.section(".nv_fatbin");
    if (images.empty()) reject("holds no CUDA code");
    const auto runtime = runtime_of(program);
    if (!runtime) reject("is linked with the static CUDA runtime, which nothing can take the place of");
    if (*runtime != simulated)
        reject(fmt::format("is linked with {}, and the simulated GPU takes the place of {}", *runtime, simulated));
    const auto texts = runtime::ptx_images(images);
    if (texts.empty()) reject("holds no PTX, but machine code alone");
    const auto usable = [](const runtime::PtxImage& image) { return image.problem.empty(); };
    if (std::ranges::none_of(texts, usable)) reject(fmt::format("cannot be used: {}", texts.front().problem));
}

}  // namespace

/// 'int', 'auto' or 'void', 'main' and '(', with blanks between them.
bool has_main(const std::string& source) {
    const std::string text = ptx::without_comments(source);
    const auto is_blank = [](unsigned char c) { return std::isspace(c) != 0; };
    std::string before;
    for (std::size_t at = 0; at < text.size();) {
        if (is_blank(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && ptx::is_word_letter(text[end])) ++end;
        const std::string word = text.substr(at, std::max<std::size_t>(end - at, 1));
        at += word.size();
        if (word == "main" && (before == "int" || before == "auto" || before == "void")) {
            while (at < text.size() && is_blank(static_cast<unsigned char>(text[at]))) ++at;
            if (at < text.size() && text[at] == '(') return true;
        }
        before = word;
    }
    return false;
}

BuiltProgram build_program(const std::filesystem::path& given, const std::vector<std::string>& defines,
                           const std::stop_token& stop) {
    constexpr std::size_t max_program_bytes = std::size_t{2} << 30;
    BuiltProgram built;
    const ElfFile program(read_text_file(given, max_program_bytes));
    if (program.is_program()) {
        if (!defines.empty())
            throw Error(ErrorKind::usage, "--define is for the compiler, and a program that is there is not compiled");
        require_simulated(given, program);
        built.file = std::filesystem::absolute(given);
        return built;
    }
    const std::string ending = given.extension().string();
    if (ending != ".cu" && ending != ".cpp" && ending != ".cc" && ending != ".cuh")
        throw Error(ErrorKind::usage,
                    fmt::format("'{}' is neither a .cu file nor a program for this machine", given.string()));
    built.source = std::filesystem::absolute(given);
    built.folder = std::make_unique<TemporaryFolder>();
    built.file = ptx::compile_program(given, defines, runtime_library(), *built.folder, stop);
    const auto runtime = runtime_of(ElfFile(read_text_file(built.file, max_program_bytes)));
    if (runtime && *runtime != simulated)
        throw Error(ErrorKind::not_found,
                    fmt::format("the compiler's runtime is {}, and the simulated GPU takes the place of {}: name "
                                "another compiler by CONVSCOPE_CUDA_COMPILER, nvcc of CUDA 13 or clang++",
                                *runtime, simulated));
    return built;
}

}  // namespace convscope::app
