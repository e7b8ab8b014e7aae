#include "app/own_kernel/own_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/ptx/compile.h"
#include "kernels/ptx/source_constants.h"

namespace convscope::app {
namespace {

void remove_all(std::string& text, std::string_view what) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) text.erase(at, what.size());
}

/// "void ns::conv<3>(float const*)" taken apart: "conv<3>", and the parameters' types.
struct Signature {
    std::string name;
    std::vector<std::string> types;  ///< "float", without const and *
};

Signature signature_of(const std::string& symbol) {
    std::string plain = ptx::plain_name(symbol);
    remove_all(plain, "(anonymous namespace)::");
    Signature signature;
    std::size_t begin = 0, open = plain.size();
    int depth = 0;
    for (std::size_t i = 0; i < plain.size() && open == plain.size(); ++i) {
        depth += (plain[i] == '<') - (plain[i] == '>');
        if (depth == 0 && (plain[i] == ' ' || plain[i] == ':')) begin = i + 1;
        if (depth == 0 && plain[i] == '(') open = i;
    }
    signature.name = plain.substr(begin, open - begin);
    std::erase(signature.name, ' ');
    for (std::size_t i = open + 1, from = i; i < plain.size(); ++i) {
        depth += (plain[i] == '<' || plain[i] == '(') - (plain[i] == '>' || plain[i] == ')');
        if ((plain[i] != ',' || depth != 0) && i + 1 != plain.size()) continue;
        std::string type = plain.substr(from, i - from);
        for (const char* word : {"const", "volatile", "__restrict", "*", "&"}) remove_all(type, word);
        while (type.starts_with(' ')) type.erase(0, 1);
        while (type.ends_with(' ')) type.pop_back();
        signature.types.push_back(type);
        from = i + 1;
    }
    return signature;
}

EntryName name_of(const std::string& symbol) {
    const std::string name = signature_of(symbol).name;
    return {symbol, name.substr(0, name.find('<')), name};
}

/// What the source of a template calls T is a type in its instantiation.
void take_types_of_template(const EntryName& entry, std::vector<ptx::ParameterText>& parameters) {
    const std::vector<std::string> types = signature_of(entry.symbol).types;
    if (entry.shown == entry.base || types.size() != parameters.size()) return;
    for (std::size_t i = 0; i < types.size(); ++i) parameters[i].type = types[i];
}

bool is_called(const EntryName& entry, std::string wanted) {
    if (wanted == ptx::plain_name(entry.symbol)) return true;
    std::erase(wanted, ' ');
    // A template's arguments are written as in the source, "3", or as the compiler has them, "(int)3".
    std::string plain = entry.shown;
    for (std::size_t at = plain.find('('); at != std::string::npos; at = plain.find('('))
        plain.erase(at, plain.find(')', at) - at + 1);
    return wanted.empty() || wanted == entry.base || wanted == entry.shown || wanted == plain || wanted == entry.symbol;
}

const EntryName& choose_entry(const std::vector<EntryName>& all, const std::string& file, const std::string& wanted) {
    std::vector<const EntryName*> chosen;
    std::vector<std::string> names;
    for (const EntryName& entry : all) {
        names.push_back(entry.shown);
        if (is_called(entry, wanted)) chosen.push_back(&entry);
    }
    if (names.empty())
        throw Error(ErrorKind::usage, fmt::format("{} has no kernel: no __global__ function that is compiled", file));
    if (chosen.empty())
        throw Error(ErrorKind::usage,
                    fmt::format("--entry: {} has no kernel '{}'; it has {}", file, wanted, fmt::join(names, ", ")));
    if (chosen.size() > 1)
        throw Error(ErrorKind::usage,
                    fmt::format("{} has several kernels: give --entry with one of {}", file, fmt::join(names, ", ")));
    return *chosen.front();
}

/// A define that the source does not use would make variants that are one and the same.
void require_defines(const KernelCall& call, const std::string& source) {
    for (const std::string& define : call.defines)
        if (!ptx::may_use(source, define))
            throw Error(ErrorKind::usage, fmt::format("--define {}: there is no '{}' in {}", define,
                                                      name_of_define(define), call.file.string()));
}

}  // namespace

std::vector<EntryName> entry_names(const ptx::Module& module) {
    std::vector<EntryName> names;
    for (const ptx::Function& function : module.functions)
        if (function.entry) names.push_back(name_of(function.name));
    return names;
}

std::shared_ptr<OwnKernel> open_kernel(const KernelCall& call, const std::string& source, const std::stop_token& stop,
                                       std::vector<EntryName>* entries) {
    return read_kernel(ptx::compile_to_ptx(call.file, call.defines, call.architecture, stop), call, source, entries);
}

std::shared_ptr<OwnKernel> read_kernel(std::string ptx, const KernelCall& call, const std::string& source,
                                       std::vector<EntryName>* entries) {
    const std::string file = call.file.string();
    require_defines(call, source);
    auto kernel = std::make_shared<OwnKernel>();
    kernel->ptx = std::move(ptx);
    kernel->module = ptx::read_module(kernel->ptx, file + ".ptx");
    const std::vector<EntryName> names = entry_names(kernel->module);
    if (entries) *entries = names;
    const EntryName& entry = choose_entry(names, file, call.entry);
    const std::optional<ptx::KernelText> text =
        ptx::read_kernel_text(ptx::with_defines(source, call.defines).text, file, entry.base);
    if (!text)
        throw Error(ErrorKind::usage,
                    fmt::format("{}: the parameters of the kernel '{}' are not found in the file", file, entry.base));
    kernel->text = *text;
    take_types_of_template(entry, kernel->text.parameters);
    for (const auto& [key, value] : kernel->text.call)
        if (!takes_argument(kernel->text, key))
            throw Error(ErrorKind::usage,
                        fmt::format("{}:{}: the comment before {} gives '{}'; accepted are grid, block, shared and "
                                    "parameters",
                                    file, kernel->text.line, entry.base, key));
    kernel->symbol = entry.symbol;
    const ptx::Function& function = *kernel->module.find(entry.symbol);
    if (call.architecture.empty()) kernel->program = ptx::make_program(kernel->module, function);
    if (kernel->text.parameters.size() != function.parameters.size())
        throw Error(ErrorKind::usage, fmt::format("the parameters of {} cannot be told from its source at line {}",
                                                  entry.base, kernel->text.line));
    return kernel;
}

}  // namespace convscope::app
