// From the tokens of a PTX text to its Module, in one pass.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/ptx/text/finding.h"
#include "kernels/ptx/text/operand_reader.h"
#include "kernels/ptx/text/source_lines.h"

namespace convscope::ptx {
namespace {

constexpr std::uint64_t max_variable_bytes = std::uint64_t{1} << 32;

class Reader : OperandReader {
public:
    Reader(std::string_view text, std::string name) : OperandReader(text, std::move(name)) { module_.name = name_; }

    Module read() {
        scopes_.emplace_back();
        while (!at_end()) read_top();
        lines_.resolve(module_);
        return std::move(module_);
    }

private:
    /// Where '.loc' gives a source line, that one, too: '.file' comes last.
    std::string place() const override {
        const std::string own = OperandReader::place();
        const SourceLine at = lines_.note(0);
        if (!function_ || at.file == 0) return own;
        for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
            if (tokens_[i].text != ".file" || tokens_[i + 1].text != std::to_string(at.file)) continue;
            Module named = {name_, {}, {}, {""}};
            SourceLines::add_file(named, at.file, tokens_[i + 2].text);
            if (at.file < named.files.size()) return fmt::format("{} ({})", source_location(named, at), own);
        }
        return own;
    }

    // Declarations.
    void read_top() {
        const std::string_view word = next();
        if (word == ".file") {
            const auto number = static_cast<std::uint32_t>(whole_number());
            lines_.add_file(module_, number, next());
            while (take(",")) whole_number();
        } else if (word == ".section") {
            next();
            while (!take("}")) next();
        } else if (word == ".entry" || word == ".func") {
            read_function(word == ".entry");
        } else if (word == ".global" || word == ".const" || word == ".shared") {
            read_variables(word);
        } else if (word == ".version" || word == ".target" || word == ".address_size" || word == ".pragma") {
            do next();
            while (take(","));
        } else if (word == ".extern" || word == ".visible" || word == ".weak" || word == ".common" || word == ";") {
        } else if (word == ".alias") {
            while (next() != ";") {
            }
        } else if (!take(":")) {  // a label of debug information
            --at_;
            fail(fmt::format("'{}' is not known here", word));
        }
    }

    static Space space_of(std::string_view directive) {
        if (directive == ".shared") return Space::shared;
        if (directive == ".local") return Space::local;
        if (directive == ".const") return Space::constant;
        return directive == ".param" ? Space::parameter : Space::global;
    }

    Type read_type(std::string_view word) const {
        const std::optional<Type> type = parse_type(word.substr(std::min<std::size_t>(1, word.size())));
        if (!type) fail(fmt::format("'{}' is not a type", word));
        return *type;
    }

    /// Reads the part between a directive and a variable's name.
    Variable read_variable_head(Space space) {
        Variable variable;
        variable.space = space;
        std::uint64_t elements = 1;
        for (;;) {
            const std::string_view word = next();
            if (word == ".align") {
                variable.align = std::clamp<std::uint64_t>(whole_number(), 1, 4096);
            } else if (word == ".v2" || word == ".v4") {
                elements = static_cast<std::uint64_t>(word[2] - '0');
            } else if (word == ".attribute") {  // (.managed)
                while (!take(")")) next();
            } else if (word == ".ptr") {
            } else if (word == ".global" || word == ".const" || word == ".shared" || word == ".local") {  // of .ptr
            } else if (word.starts_with('.')) {
                variable.type = read_type(word);
            } else {
                variable.name = word;
                break;
            }
        }
        const std::uint64_t element = elements * bytes_of(variable.type);
        variable.align = std::max<std::uint64_t>(variable.align, element);
        variable.bytes = element;
        while (take("[")) {
            if (take("]")) {
                variable.dynamic = true;
                continue;
            }
            const std::uint64_t count = whole_number();
            expect("]");
            if (count != 0 && variable.bytes > max_variable_bytes / count)
                fail(fmt::format("'{}' is larger than 4 GiB", variable.name));
            variable.bytes *= count;
        }
        return variable;
    }

    std::uint32_t declare(Variable variable) {
        const auto index = static_cast<std::uint32_t>(module_.variables.size());
        scopes_.back().variables[variable.name] = index;
        module_.variables.push_back(std::move(variable));
        return index;
    }

    void read_variables(std::string_view directive) {
        const Space space = space_of(directive);
        do {
            Variable variable = read_variable_head(space);
            if (take("=")) read_initial(variable);
            // Shared memory of nobody's size is as large as the launch says.
            variable.dynamic = variable.dynamic && space == Space::shared && variable.initial.empty();
            const std::uint32_t index = declare(std::move(variable));
            if (function_ && (space == Space::local || space == Space::parameter)) function_->locals.push_back(index);
        } while (take(","));
        expect(";");
    }

    void read_initial(Variable& variable) {
        if (take("{")) {
            while (!take("}")) {
                read_initial(variable);
                take(",");
            }
        } else {
            read_initial_element(variable);
        }
        if (variable.initial.size() > variable.bytes) {
            if (!variable.dynamic) fail(fmt::format("'{}' has more initial values than elements", variable.name));
            variable.bytes = variable.initial.size();
        }
    }

    void read_initial_element(Variable& variable) {
        const std::size_t bytes = bytes_of(variable.type);
        std::uint64_t bits = 0;
        const bool minus = take("-");
        const std::string_view word = next();
        if (word.front() >= '0' && word.front() <= '9') {
            const Operand number = read_number(word);
            bits = minus ? -number.bits : number.bits;
        } else {  // another variable's address, or generic(its name)
            const bool generic = word == "generic" && take("(");
            variable.links.push_back({variable.initial.size(), std::string(generic ? next() : word)});
            if (generic) expect(")");
            if (bytes != 8) fail("an address takes 8 bytes");
            if (take("+")) bits = whole_number();
        }
        const auto* first = reinterpret_cast<const std::byte*>(&bits);
        variable.initial.insert(variable.initial.end(), first, first + std::min<std::size_t>(bytes, 8));
    }

    /// 'directive' is ".reg" before a type, or ".reg.b32".
    void read_registers(std::string_view directive) {
        const std::string_view type_text = directive.substr(4);
        const Type type = read_type(type_text.empty() ? next() : type_text);
        do {
            const std::string name = name_token();
            if (take("<")) {
                whole_number();
                expect(">");
                scopes_.back().families[name] = type;
            } else {
                scopes_.back().declared[name] = type;
            }
        } while (take(","));
        expect(";");
    }

    // Functions.
    std::vector<std::uint32_t> read_parameters() {
        std::vector<std::uint32_t> parameters;
        if (!take("(")) return parameters;
        while (!take(")")) {
            const std::string_view directive = next();
            if (directive == ".reg") fail("parameters in registers are not supported");
            parameters.push_back(declare(read_variable_head(Space::parameter)));
            take(",");
        }
        return parameters;
    }

    void read_function(bool entry) {
        Function function;
        function.entry = entry;
        scopes_.emplace_back();
        function.results = read_parameters();
        function.name = name_token();
        function.parameters = read_parameters();
        while (peek() != "{" && peek() != ";") {
            const std::string_view word = next();
            if (word == ".maxntid") {
                function.max_threads = static_cast<std::uint32_t>(whole_number());
                while (take(",")) function.max_threads *= static_cast<std::uint32_t>(whole_number());
            } else if (word == ".reqnctapercluster") {
                for (std::int64_t* size : {&function.cluster.x, &function.cluster.y, &function.cluster.z})
                    if (size == &function.cluster.x || take(",")) *size = static_cast<std::int64_t>(whole_number());
            }
        }
        if (take("{")) {
            function_ = &function;
            lines_.begin_function();
            end_is_open_ = true;
            while (!take("}")) read_statement();
            close_scope();
            if (end_is_open_) add_return();
            function_ = nullptr;
            std::erase_if(module_.functions, [&](const Function& f) { return f.name == function.name; });
            module_.functions.push_back(std::move(function));
        } else {
            scopes_.pop_back();
            expect(";");
        }
    }

    /// A thread that gets to the end of a body is done.
    void add_return() {
        Instruction instruction;
        instruction.opcode = "ret";
        instruction.text_line = line();
        instruction.source = lines_.note(instruction.text_line);
        function_->code.push_back(std::move(instruction));
    }

    void close_scope() {
        Scope closed = std::move(scopes_.back());
        scopes_.pop_back();
        for (const std::uint32_t branch : closed.branches) {
            Instruction& instruction = function_->code[branch];
            const auto label = closed.labels.find(instruction.operands.front().name);
            if (label != closed.labels.end())
                instruction.target = label->second;
            else if (scopes_.size() > 1)
                scopes_.back().branches.push_back(branch);
            else
                throw Error(ErrorKind::usage, fmt::format("{}:{}: there is no label '{}'", module_.name,
                                                          instruction.text_line, instruction.operands.front().name));
        }
    }

    void read_statement() {
        if (at_end()) fail("the text ends in a function");
        const std::string_view word = peek();
        if (take("{")) {
            scopes_.emplace_back();
            while (!take("}")) read_statement();
            close_scope();
        } else if (take(";")) {
        } else if (word == ".reg" || word.starts_with(".reg.")) {
            read_registers(next());
        } else if (word == ".shared" || word == ".local" || word == ".param" || word == ".const" || word == ".global") {
            read_variables(next());
        } else if (take(".loc")) {
            read_line();
        } else if (word == ".pragma" || word.starts_with(".calltargets") || word.starts_with(".callprototype")) {
            while (next() != ";") {
            }
        } else if (take(".branchtargets")) {
            do tables_[last_label_].push_back(name_token());
            while (take(","));
            expect(";");
        } else if (at_label()) {
            last_label_ = word;
            end_is_open_ = true;
            scopes_.back().labels[last_label_] = static_cast<std::uint32_t>(function_->code.size());
            at_ += 2;
        } else {
            read_instruction();
        }
    }

    void read_line() {
        Location location;
        location.line.file = static_cast<std::uint32_t>(whole_number());
        location.line.line = static_cast<std::uint32_t>(whole_number());
        location.column = static_cast<std::uint32_t>(whole_number());
        while (take(",")) {
            const std::string_view what = next();
            if (what == "inlined_at") {
                location.inlined.file = static_cast<std::uint32_t>(whole_number());
                location.inlined.line = static_cast<std::uint32_t>(whole_number());
                location.inlined_column = static_cast<std::uint32_t>(whole_number());
            } else {  // function_name LABEL[+offset]
                next();
                if (take("+")) whole_number();
            }
        }
        lines_.add(location);
    }

    void read_instruction() {
        Instruction instruction;
        instruction.text_line = line();
        if (take("@")) {
            const bool negated = take("!");
            instruction.guard = read_operand();
            instruction.guard->negated = negated;
            if (instruction.guard->kind != Operand::Kind::reg) fail("a predicate was expected after @");
        }
        std::string_view word = next();
        instruction.opcode = word.substr(0, word.find('.'));
        for (std::size_t dot = word.find('.'); dot != std::string_view::npos; dot = word.find('.')) {
            word.remove_prefix(dot + 1);
            instruction.modifiers.emplace_back(word.substr(0, word.find('.')));
        }
        while (!take(";")) {
            instruction.operands.push_back(read_operand());
            if (!take(",") && peek() != ";") {
                if (peek() == "|" || instruction.opcode != "call")
                    fail(fmt::format("'{}' stands where ',' or ';' was expected", peek()));
            }
        }
        instruction.source = lines_.note(instruction.text_line);
        end_is_open_ = instruction.opcode != "ret" || instruction.guard;
        if (instruction.opcode == "brx") return add_jump_table(std::move(instruction));
        if (instruction.opcode == "bra") {
            if (instruction.operands.empty()) fail("bra needs a label");
            scopes_.back().branches.push_back(static_cast<std::uint32_t>(function_->code.size()));
        }
        function_->code.push_back(std::move(instruction));
    }

    /// brx.idx becomes a comparison and a branch for each entry of its table.
    void add_jump_table(Instruction jump) {
        if (jump.operands.size() != 2 || jump.guard) fail("'brx' has other operands");
        const Operand index = jump.operands[0];
        const auto table = tables_.find(jump.operands[1].name);
        if (table == tables_.end()) fail(fmt::format("there is no table '{}'", jump.operands[1].name));
        Operand taken;
        taken.kind = Operand::Kind::reg;
        taken.index = static_cast<std::uint32_t>(function_->registers.size());
        function_->registers.push_back({"brx", Type::pred});
        Operand number;
        number.kind = Operand::Kind::integer;
        for (const std::string& label : table->second) {
            jump.opcode = "setp";
            jump.modifiers = {"eq", "u32"};
            jump.operands = {taken, index, number};
            jump.guard.reset();
            function_->code.push_back(jump);
            jump.opcode = "bra";
            jump.modifiers.clear();
            jump.operands = {Operand{}};
            jump.operands.front().name = label;
            jump.guard = taken;
            scopes_.back().branches.push_back(static_cast<std::uint32_t>(function_->code.size()));
            function_->code.push_back(jump);
            ++number.bits;
        }
    }

    Module module_;
    SourceLines lines_;
    std::string last_label_;
    bool end_is_open_ = true;                                 ///< the body so far does not end with a return
    std::map<std::string, std::vector<std::string>> tables_;  ///< .branchtargets: of its label, the labels
};

}  // namespace

Module read_module(std::string_view text, std::string name) {
    return Reader(text, std::move(name)).read();
}

}  // namespace convscope::ptx
