#include "app/user_kernel/user_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/user_kernel/argument_name.h"
#include "app/user_kernel/generated_array.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/run/tensor_map.h"
#include "kernels/ptx/text/parameter_members.h"
#include "kernels/ptx/text/source_constants.h"
#include "kernels/ptx/toolchain/compile.h"

namespace convscope::app {
namespace {

/// Blanks go, but for those between two words.
std::string without_blanks(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != ' ' || (!plain.empty() && ptx::is_word_letter(plain.back()) && i + 1 < text.size() &&
                               ptx::is_word_letter(text[i + 1])))
            plain += text[i];
    return plain;
}

void remove_all(std::string& text, std::string_view what) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) text.erase(at, what.size());
}

/// "void ns::conv<3>(float const*)" taken apart: "conv<3>", and the parameters' types.
struct Signature {
    std::string name, qualified;                 ///< "conv<3>", "ns::conv<3>"
    std::vector<ptx::ParameterText> parameters;  ///< without names
};

Signature signature_of(const std::string& symbol) {
    std::string plain = ptx::plain_name(symbol);
    remove_all(plain, "(anonymous namespace)::");
    Signature signature;
    std::size_t begin = 0, outermost = 0, open = plain.size();
    int depth = 0;
    for (std::size_t i = 0; i < plain.size() && open == plain.size(); ++i) {
        depth += (plain[i] == '<') - (plain[i] == '>');
        if (depth == 0 && (plain[i] == ' ' || plain[i] == ':')) begin = i + 1;
        if (depth == 0 && plain[i] == ' ') outermost = i + 1;
        if (depth == 0 && plain[i] == '(') open = i;
    }
    signature.name = without_blanks(plain.substr(begin, open - begin));
    signature.qualified = without_blanks(plain.substr(outermost, open - outermost));
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
    const Signature signature = signature_of(symbol);
    const std::string& name = signature.name;
    return {symbol, name.substr(0, name.find('<')), name, signature.qualified};
}

/// Bytes of a type that is taken whole, though it may be a structure; 0 for any other.
std::uint64_t whole_bytes(const std::string& type) {
    if (type == "CUtensorMap") return ptx::tensor_map_bytes;
    const auto element = element_type(type);
    return element ? element->lanes * static_cast<std::uint64_t>(element->numpy[1] - '0') : 0;
}
bool is_known(const ptx::ParameterText& parameter) {
    return whole_bytes(parameter.type) > 0;
}

/// Replaces names by types: a template's T by its instantiation's, and aliases of the file.
void take_types(const EntryName& entry, std::vector<ptx::ParameterText>& parameters) {
    const std::vector<ptx::ParameterText> types = parameter_types(entry.symbol);
    if (types.size() != parameters.size()) return;
    for (std::size_t i = 0; i < types.size(); ++i) {
        ptx::ParameterText& parameter = parameters[i];
        const auto written = element_type(parameter.type), compiled = element_type(types[i].type);
        const bool same = written && compiled && written->numpy == compiled->numpy && written->lanes == compiled->lanes;
        if (entry.shown == entry.base && (same || (is_known(parameter) && !compiled))) continue;
        parameter = {parameter.name, types[i].type, types[i].pointer, types[i].constant, i};
    }
}

/// Whether the file's own text says what all of the parameters are: no macro and no header does.
bool tells_parameters(const ptx::KernelText& text, const EntryName& entry, std::size_t count) {
    return text.parameters.size() == count && names_parameters(text) &&
           (parameter_types(entry.symbol).size() == count || std::ranges::all_of(text.parameters, is_known));
}

/// Whether the text has a name for it: of "unsigned int" and "a::b" it takes the last word for one.
bool has_name(const ptx::ParameterText& parameter) {
    return !parameter.name.empty() && !parameter.type.empty() && !element_type(parameter.name) &&
           !parameter.type.ends_with(':');
}

/// Whether the compiler has to say what the parameters are: some are structures, or have no names.
bool needs_compiler(const std::vector<ptx::ParameterText>& parameters, const ptx::Module& module,
                    const ptx::Function& function) {
    if (parameters.size() != function.parameters.size()) return true;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const bool bytes = module.variables[function.parameters[i]].type == ptx::Type::b8;  // as structures are
        if (!has_name(parameters[i]) || (bytes && !is_known(parameters[i]))) return true;
    }
    return false;
}

/// Takes what the compiler says of the parameters; false where it has not been asked, or does not say.
bool take_members(const KernelCall& call, const ptx::Module& module, const ptx::Function& function,
                  ptx::KernelText& text, const std::stop_token& stop) {
    if (!needs_compiler(text.parameters, module, function)) return false;
    std::vector<std::uint64_t> bytes;
    for (const std::uint32_t index : function.parameters) bytes.push_back(module.variables[index].bytes);
    const std::string ptx = ptx::compile_with_types(call.file, call.defines, call.architecture, stop);
    auto members = ptx::parameter_members(ptx, function.name, bytes, whole_bytes);
    if (!members) return false;
    text.parameters = std::move(members->parameters);
    text.structures = std::move(members->structures);
    return true;
}

/// The line of the file in which the kernel begins; 0 where its code stands in another file, whose path goes to
/// 'elsewhere'.
unsigned first_line(const KernelCall& call, const ptx::Module& module, const ptx::Function& function,
                    std::filesystem::path& elsewhere) {
    if (function.code.empty() || function.code.front().source.file == 0) return 0;
    const ptx::SourceLine at = function.code.front().source;
    const std::filesystem::path file = module.files[at.file];
    if (file == ptx::name_in_source(std::filesystem::absolute(call.file))) return at.line;
    const auto link = std::ranges::find(file, ptx::included_folder);
    if (link == file.end()) return 0;
    elsewhere = call.file.parent_path();
    for (auto part = std::next(link); part != file.end(); ++part) elsewhere /= *part;
    return 0;
}

ptx::KernelText text_of(const KernelCall& call, const std::string& source, const EntryName& entry,
                        const ptx::Module& module, const std::stop_token& stop) {
    const std::string file = call.file.string();
    const ptx::Function& function = *module.find(entry.symbol);
    const std::size_t count = function.parameters.size();
    const auto suffices = [&](const ptx::KernelText& read) { return tells_parameters(read, entry, count); };
    std::filesystem::path header;
    const unsigned line = first_line(call, module, function, header);
    std::optional<ptx::KernelText> text;
    std::error_code missing;
    if (std::filesystem::is_regular_file(header, missing)) {
        text = ptx::read_kernel_text(read_text_file(header), header.string(), entry.base);
        // Without a comment there, one where the header is included counts.
        if (text && (!suffices(*text) || text->call.empty())) text.reset();
    }
    if (!text) text = read_text(call, source, entry.base, suffices, stop, line);
    const auto reject = [&] {
        throw Error(ErrorKind::usage,
                    fmt::format("the parameters of the kernel '{}' are found neither in {} nor in the "
                                "headers of its folder",
                                entry.base, file));
    };
    if (!text) reject();
    take_types(entry, text->parameters);
    if (take_members(call, module, function, *text, stop)) return std::move(*text);
    if (text->parameters.size() != count) reject();
    for (std::size_t i = 0; i < count; ++i) {
        text->parameters[i].parameter = i;
        if (text->parameters[i].name.empty() || text->parameters[i].type.empty())
            throw Error(ErrorKind::usage, fmt::format("{}:{}: parameter {} of {} has no name; give it one", file,
                                                      text->line, i + 1, entry.base));
    }
    return std::move(*text);
}

/// "k<u1,128>" of "k<(unsigned char)..., 128u>": what is written in several ways, written in one.
std::string plain_template(std::string name) {
    const std::size_t open = name.find('<');
    if (open == std::string::npos || !name.ends_with('>')) {
        std::erase(name, ' ');
        return name;
    }
    std::string plain = name.substr(0, open);
    std::erase(plain, ' ');
    char before = '<';
    for (std::string argument : split_list(name.substr(open + 1, name.size() - open - 2), "()[]{}<>")) {
        argument = trimmed(argument);
        if (argument.starts_with('(')) argument = trimmed(argument.substr(argument.find(')') + 1));
        if (argument == "true" || argument == "false") argument = argument == "true" ? "1" : "0";
        const std::size_t digits = argument.starts_with('-') ? 1 : 0;
        if (argument.size() > digits && argument[digits] >= '0' && argument[digits] <= '9')
            argument.erase(argument.find_last_not_of("uUlL") + 1);
        if (const auto type = element_type(argument); type) argument = fmt::format("{}x{}", type->numpy, type->lanes);
        std::erase(argument, ' ');
        plain += before + argument;
        before = ',';
    }
    return plain + '>';
}

bool is_called(const EntryName& entry, std::string wanted) {
    if (wanted == ptx::plain_name(entry.symbol) || wanted == entry.symbol) return true;
    if (wanted.starts_with("::")) wanted.erase(0, 2);
    const std::string plain = plain_template(wanted);
    wanted = without_blanks(wanted);
    const std::string scope = entry.qualified.substr(0, entry.qualified.size() - entry.shown.size());
    // "f" and "b::f" name "a::b::f", too.
    const auto ends = [&](const std::string& name, const std::string& all) {
        return name == all || (all.ends_with(name) && all[all.size() - name.size() - 1] == ':');
    };
    return wanted.empty() || ends(wanted, scope + entry.base) || ends(wanted, entry.qualified) ||
           ends(plain, scope + plain_template(entry.shown));
}

const EntryName& choose_entry(const std::vector<EntryName>& all, const std::string& file, const std::string& wanted) {
    std::vector<const EntryName*> chosen;
    std::vector<std::string> names;
    for (const EntryName& entry : all) {
        names.push_back(std::ranges::count(all, entry.shown, &EntryName::shown) > 1 ? entry.qualified : entry.shown);
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
                                         const std::stop_token& stop, unsigned line) {
    const auto read = [&](const std::string& expanded) {
        return ptx::read_kernel_text(ptx::with_defines(source, call.defines).text, call.file.string(), kernel, expanded,
                                     line);
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

std::shared_ptr<UserKernel> open_kernel(const KernelCall& call, const std::string& source, const std::stop_token& stop,
                                        std::vector<EntryName>* entries) {
    return read_kernel(ptx::compile_to_ptx(call.file, call.defines, call.architecture, stop), call, source, entries,
                       stop);
}

std::shared_ptr<UserKernel> read_kernel(std::string ptx, const KernelCall& call, const std::string& source,
                                        std::vector<EntryName>* entries, const std::stop_token& stop) {
    const std::string file = call.file.string();
    require_defines(call, source);
    auto kernel = std::make_shared<UserKernel>();
    kernel->ptx = std::move(ptx);
    kernel->module = ptx::read_module(kernel->ptx, file + ".ptx");
    std::vector<EntryName> names = entry_names(kernel->module);
    std::erase_if(names, [&](const EntryName& each) { return is_of_library(each, source); });
    if (entries) *entries = names;
    const EntryName& entry = choose_entry(names, file, call.entry);
    const ptx::Function& function = *kernel->module.find(entry.symbol);
    kernel->text = text_of(call, source, entry, kernel->module, stop);
    std::erase_if(kernel->text.variables, [&](const auto& variable) {
        return variable.second.empty() || !kernel->module.find_variable(variable.first);
    });
    for (const auto& [key, value] : kernel->text.call)
        if (!takes_argument(kernel->text, key))
            throw Error(
                ErrorKind::usage,
                key.find_first_of(".[") != std::string::npos
                    ? fmt::format("{}:{}: in the comment before {}: {}", file, kernel->text.line, entry.base,
                                  why_not_taken(kernel->text, key))
                    : fmt::format("{}:{}: the comment before {} gives '{}'; accepted are grid, block, shared, cluster "
                                  "and parameters",
                                  file, kernel->text.line, entry.base, key));
    kernel->symbol = entry.symbol;
    if (call.architecture.empty()) kernel->program = ptx::make_program(kernel->module, function);
    return kernel;
}

}  // namespace convscope::app
