#include "app/own_kernel/own_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/own_kernel/generated_array.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
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
    std::vector<ptx::ParameterText> parameters;  ///< without names
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
        ptx::ParameterText& parameter = signature.parameters.emplace_back();
        parameter.pointer = type.find('*') != std::string::npos;
        parameter.constant = type.find("const") < type.find('*');
        for (const char* word : {"const", "volatile", "__restrict", "*", "&"}) remove_all(type, word);
        parameter.type = trimmed(type);
        from = i + 1;
    }
    return signature;
}

EntryName name_of(const std::string& symbol) {
    const std::string name = signature_of(symbol).name;
    return {symbol, name.substr(0, name.find('<')), name};
}

bool is_known(const ptx::ParameterText& parameter) {
    return element_type(parameter.type) || parameter.type == "CUtensorMap";
}

/// What the source of a template calls T is a type in its instantiation, and so is what the file has a name for.
void take_types(const EntryName& entry, std::vector<ptx::ParameterText>& parameters) {
    const std::vector<ptx::ParameterText> types = parameter_types(entry.symbol);
    if (types.size() != parameters.size()) return;
    for (std::size_t i = 0; i < types.size(); ++i) {
        ptx::ParameterText& parameter = parameters[i];
        if (is_known(parameter) && entry.shown == entry.base) continue;
        parameter = {parameter.name, types[i].type, types[i].pointer, types[i].constant};
    }
}

/// Whether the file's own text says what all of the parameters are: no macro and no header does.
bool tells_parameters(const ptx::KernelText& text, const EntryName& entry, std::size_t count) {
    return text.parameters.size() == count && names_parameters(text) &&
           (parameter_types(entry.symbol).size() == count || std::ranges::all_of(text.parameters, is_known));
}

ptx::KernelText text_of(const KernelCall& call, const std::string& source, const EntryName& entry, std::size_t count,
                        const std::stop_token& stop) {
    const std::string file = call.file.string();
    auto text = read_text(
        call, source, entry.base, [&](const ptx::KernelText& read) { return tells_parameters(read, entry, count); },
        stop);
    if (!text || text->parameters.size() != count)
        throw Error(ErrorKind::usage,
                    fmt::format("the parameters of the kernel '{}' are found neither in {} nor in the "
                                "headers of its folder",
                                entry.base, file));
    for (std::size_t i = 0; i < count; ++i)
        if (text->parameters[i].name.empty() || text->parameters[i].type.empty())
            throw Error(ErrorKind::usage, fmt::format("{}:{}: parameter {} of {} has no name; give it one", file,
                                                      text->line, i + 1, entry.base));
    take_types(entry, text->parameters);
    return std::move(*text);
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
                    fmt::format("{} has no kernel '{}'; it has {}", file, wanted, fmt::join(names, ", ")));
    if (chosen.size() > 1)
        throw Error(
            ErrorKind::usage,
            fmt::format(
                "{0} has several kernels: give --entry NAME, or {0}:NAME where a flag names the file, with one of {1}",
                file, fmt::join(names, ", ")));
    return *chosen.front();
}

/// A header of Thrust or CUB brings an empty kernel along, in its namespace, which is nobody's choice.
bool is_of_library(const EntryName& entry, const std::string& source) {
    const std::string plain = ptx::plain_name(entry.symbol);
    return plain.substr(0, plain.find('(')).find("::") != std::string::npos && !ptx::may_use(source, entry.base);
}

/// A define that the source does not use would make variants that are one and the same.
void require_defines(const KernelCall& call, const std::string& source) {
    for (const std::string& define : call.defines)
        if (!ptx::may_use(source, define))
            throw Error(ErrorKind::usage, fmt::format("--define {}: there is no '{}' in {}", define,
                                                      name_of_define(define), call.file.string()));
}

}  // namespace

std::vector<ptx::ParameterText> parameter_types(const std::string& symbol) {
    return signature_of(symbol).parameters;
}

bool names_parameters(const ptx::KernelText& text) {
    return std::ranges::all_of(text.parameters,
                               [](const ptx::ParameterText& each) { return !each.name.empty() && !each.type.empty(); });
}

std::optional<ptx::KernelText> read_text(const KernelCall& call, const std::string& source, const std::string& kernel,
                                         const std::function<bool(const ptx::KernelText&)>& suffices,
                                         const std::stop_token& stop) {
    const auto read = [&](const std::string& expanded) {
        return ptx::read_kernel_text(ptx::with_defines(source, call.defines).text, call.file.string(), kernel,
                                     expanded);
    };
    const auto text = read({});
    if (text && suffices(*text)) return text;
    return read(ptx::expand_macros(call.file, call.defines, call.architecture, stop));
}

std::vector<EntryName> entry_names(const ptx::Module& module) {
    std::vector<EntryName> names;
    for (const ptx::Function& function : module.functions)
        if (function.entry) names.push_back(name_of(function.name));
    return names;
}

std::shared_ptr<OwnKernel> open_kernel(const KernelCall& call, const std::string& source, const std::stop_token& stop,
                                       std::vector<EntryName>* entries) {
    return read_kernel(ptx::compile_to_ptx(call.file, call.defines, call.architecture, stop), call, source, entries,
                       stop);
}

std::shared_ptr<OwnKernel> read_kernel(std::string ptx, const KernelCall& call, const std::string& source,
                                       std::vector<EntryName>* entries, const std::stop_token& stop) {
    const std::string file = call.file.string();
    require_defines(call, source);
    auto kernel = std::make_shared<OwnKernel>();
    kernel->ptx = std::move(ptx);
    kernel->module = ptx::read_module(kernel->ptx, file + ".ptx");
    std::vector<EntryName> names = entry_names(kernel->module);
    std::erase_if(names, [&](const EntryName& each) { return is_of_library(each, source); });
    if (entries) *entries = names;
    const EntryName& entry = choose_entry(names, file, call.entry);
    const ptx::Function& function = *kernel->module.find(entry.symbol);
    kernel->text = text_of(call, source, entry, function.parameters.size(), stop);
    std::erase_if(kernel->text.variables, [&](const auto& variable) {
        return variable.second.empty() || !kernel->module.find_variable(variable.first);
    });
    for (const auto& [key, value] : kernel->text.call)
        if (!takes_argument(kernel->text, key))
            throw Error(
                ErrorKind::usage,
                fmt::format("{}:{}: the comment before {} gives '{}'; accepted are grid, block, shared, cluster and "
                            "parameters",
                            file, kernel->text.line, entry.base, key));
    kernel->symbol = entry.symbol;
    if (call.architecture.empty()) kernel->program = ptx::make_program(kernel->module, function);
    return kernel;
}

}  // namespace convscope::app
