// Structures that a kernel takes by value: their members as both compilers lay them out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "app/user_kernel/call_comment.h"
#include "app/user_kernel/kernel_check.h"
#include "app/user_kernel/prepared_kernel.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/text/parameter_members.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

using Given = std::map<std::string, std::string>;

/// With each compiler that is here.
class Structures : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const std::string compiler = GetParam();
        if (compiler[0] == '/' ? !std::filesystem::exists(compiler)
                               : std::system(("which " + compiler + " > /dev/null 2>&1").c_str()) != 0)
            GTEST_SKIP() << compiler << " is not here";
        setenv("CONVSCOPE_CUDA_COMPILER", GetParam(), 1);
    }
    void TearDown() override { unsetenv("CONVSCOPE_CUDA_COMPILER"); }

    KernelCall call_of(const std::string& source) const {
        KernelCall call;
        call.file = folder_.write("k.cu", source);
        return call;
    }
    void open(const std::string& source) {
        call_ = call_of(source);
        kernel_ = open_kernel(call_, source);
    }
    /// Why it cannot be called with this; empty where it can.
    std::string prepare(const Given& given) {
        call_.given = given;
        call_.given.insert({{"grid", "1"}, {"block", "1"}});
        try {
            prepared_ = prepare_kernel(kernel_, call_);
        } catch (const Error& error) {
            return error.what();
        }
        const ArgumentState* rejected = prepared_->arguments.rejected();
        return rejected ? rejected->reason : "";
    }
    /// The findings, a line each.
    std::string run(const Given& given) {
        if (const std::string reason = prepare(given); !reason.empty()) return reason;
        const ptx::LaunchResult result = ptx::run(kernel_->program, prepared_->request());
        std::string found = result.failure;
        for (const ptx::Finding& each : result.findings) found += each.line(kernel_->module) + "\n";
        return found;
    }
    std::vector<float> floats(const std::string& array) const {
        const std::vector<std::byte>& data = prepared_->arguments.arrays.at(array).array.data;
        std::vector<float> values(data.size() / sizeof(float));
        std::memcpy(values.data(), data.data(), data.size());
        return values;
    }

    TempFolder folder_;
    KernelCall call_;
    std::shared_ptr<UserKernel> kernel_;
    std::unique_ptr<PreparedKernel> prepared_;
};

INSTANTIATE_TEST_SUITE_P(, Structures, ::testing::Values("/usr/local/cuda/bin/nvcc", "clang++"), [](const auto& made) {
    return std::string(std::string(made.param).ends_with("nvcc") ? "nvcc" : "clang");
});

constexpr const char* all_kinds =
    "#include <cuda_fp16.h>\n#include <cstdint>\n"
    "enum class Mode : uint8_t { plain, twice };\n"
    "struct Base { char tag; double scale; int n; };\n"
    "template <class T> struct Tensor {\n"
    "    T* data;\n    int shape[2];\n    __device__ T& at(int i, int j) const { return data[i * shape[1] + j]; }\n};\n"
    "typedef struct { short a; float4 v; } Unnamed;\n"
    "class Params : public Base {\n"
    "public:\n"
    "    __host__ __device__ Params() : hidden(1) {}\n"
    "    __device__ int get() const { return hidden; }\n"
    "    const float* __restrict__ x;\n    float* y;\n    float w[2][3];\n    half h;\n    bool on;\n    Mode mode;\n"
    "    Unnamed inner;\n    union { int i; float f; };\n"
    "    struct Item { unsigned char k; int* p; } items[2];\n"
    "    int low : 3, high : 7;\n    int n;\n    static const int shared = 4;\n"
    "private:\n    long long hidden;\n};\n"
    "__global__ void k(Params p, Tensor<float> t, int, const Unnamed u, float4 v) {\n"
    "    float* y = p.y;\n"
    "    y[0] = p.tag; y[1] = p.scale; y[2] = p.n; y[3] = p.Base::n; y[4] = p.get();\n"
    "    y[5] = p.x[2]; y[6] = p.w[1][0]; y[7] = __half2float(p.h); y[8] = p.on; y[9] = (int)p.mode;\n"
    "    y[10] = p.inner.a; y[11] = p.inner.v.z; y[12] = p.i; y[13] = p.items[1].k; y[14] = p.items[1].p[0];\n"
    "    y[15] = p.low; y[16] = p.high; y[17] = t.at(1, 1); y[18] = u.v.x; y[19] = v.w;\n"
    "    for (int i = 0; i < 6; ++i) y[20 + i] = p.w[i / 3][i % 3];\n"
    "}\n";

const Given all_values{{"p.tag", "1"},
                       {"p.scale", "2.5"},
                       {"p.n", "3"},
                       {"p.Base.n", "4"},
                       {"p.hidden", "5"},
                       {"p.x", "iota(3)"},
                       {"p.y", "out(26)"},
                       {"p.w", "iota(2, 3)"},
                       {"p.w[1][0]", "7"},
                       {"p.h", "0.5"},
                       {"p.on", "true"},
                       {"p.mode", "1"},
                       {"p.inner.a", "-8"},
                       {"p.inner.v", "1, 2, 3, 4"},
                       {"p.i", "12"},
                       {"p.items", "0"},
                       {"p.items[1].k", "200"},
                       {"p.items[1].p", "ones(1)"},
                       {"p.low", "-4"},
                       {"p.high", "63"},
                       {"t.data", "iota(2, 2)"},
                       {"t.shape", "2, 2"},
                       {"u", "0"},
                       {"u.v", "(9, 0, 0, 0)"},
                       {"v", "1, 2, 3, 4.5"}};

TEST_P(Structures, have_members_of_all_kinds_where_the_compiler_puts_them) {
    open(all_kinds);
    EXPECT_EQ(run(all_values), "");
    EXPECT_EQ(floats("p.y"), (std::vector<float>{1,   2.5, 3,  4,  5, 2, 7,   0.5, 1, 1, -8, 3, 12,
                                                 200, 1,   -4, 63, 3, 9, 4.5, 0,   1, 2, 7,  4, 5}));
    // As it is written into the file.
    const std::string text = call_comment(prepared_->arguments);
    const std::string source = with_call_comment(all_kinds, kernel_->text.line, text);
    open(source);
    EXPECT_EQ(run({}), "") << text;
    EXPECT_EQ(floats("p.y").at(11), 3);
    EXPECT_EQ(floats("p.y").at(23), 7);
}

TEST_P(Structures, say_what_is_missing_and_what_they_have) {
    open(all_kinds);
    const auto reason = [&](const std::string& name, const std::string& text) {
        Given given = all_values;
        if (text.empty())
            given.erase(name);
        else
            given[name] = text;
        return prepare(given);
    };
    EXPECT_EQ(reason("p.n", ""),
              "the kernel k takes a value 'p.n': give --arg p.n=VALUE, or 'p.n = VALUE' in the comment before it");
    EXPECT_EQ(reason("p.x", ""), "the kernel k takes an array 'p.x': give --arg p.x=FILE.npy, or --out p.x=SIZExSIZE");
    EXPECT_EQ(reason("p.w", ""),
              "'p.w' has 6 elements, and the one at 0 has no value: give it, or all by --arg p.w=...");
    EXPECT_EQ(reason("v", ""),
              "the kernel k takes 4 values 'v': give --arg v=VALUE,VALUE,..., or 'v = (VALUE, VALUE, ...)' in the "
              "comment before it");
    EXPECT_EQ(reason("p.q", "1"),
              "p.q: p (Params) has no such member; it has tag, scale, Base, x, y, w[2][3], h, on, mode, inner, "
              "i, f, items, low, high, n, hidden");
    EXPECT_EQ(reason("p.items[2].k", "1"), "p.items[2].k: p.items (Item[2]) has no such member; it has [0], [1]");
    EXPECT_EQ(reason("p.w[2][0]", "1"), "p.w[2][0]: p.w (float[2][3]) has no such element");
    EXPECT_EQ(reason("q.n", "1"), "q.n: the kernel k has no such parameter; it has p, t, u, v");
    EXPECT_EQ(
        reason("p", "3"),
        "'p' is a structure (Params): give its members, p.tag=... and so on, or p=0, which makes zero what is given "
        "no value of its own");
    EXPECT_EQ(reason("p.f", "1"), "'p.i' and 'p.f' lie on one another, as in a union: give one of them");
    EXPECT_EQ(reason("p.inner.v", "1, 2"), "'p.inner.v' is 4 values of float4, and '1, 2' has 2");
    EXPECT_EQ(reason("p.w", "iota(5)"), "'p.w' is 6 values of float, and 'iota(5)' has 5");
    EXPECT_EQ(reason("p.low", "4"), "the argument p.low: 4 does not fit into 3 bits");
    EXPECT_EQ(reason("p.tag", "200"), "the argument p.tag: 200 does not fit into a parameter of type char");
    EXPECT_EQ(reason("p.y", "out(26, int32)"), "'p.y' is an array of float, and the elements given are of type int32");
}

TEST_P(Structures, are_named_by_their_members_in_findings_and_sizes) {
    open(
        "struct P { const float* x; float* y; int n; const float* bias; float* rows[2]; };\n"
        "// convscope: p.n = 40, p.x = ones(p.n), p.y = out(p.n), p.rows[0] = out(1), p.rows[1] = ones(3),\n"
        "// convscope: p.bias = nullptr, grid = ceil(p.n / 32), block = 32\n"
        "__global__ void k(P p) {\n    int i = blockIdx.x * 32 + threadIdx.x;\n"
        "    if (i <= p.n) p.y[i] = p.x[i] + (p.bias ? p.bias[i] : 0);\n"
        "    if (i == 0) p.rows[0][0] = p.rows[1][3];\n}\n");
    call_.given.clear();
    prepared_ = prepare_kernel(kernel_, call_);
    ASSERT_EQ(prepared_->arguments.rejected(), nullptr) << prepared_->arguments.rejected()->reason;
    EXPECT_EQ(prepared_->arguments.grid.x, 2);
    const ptx::LaunchResult result = ptx::run(kernel_->program, prepared_->request());
    std::vector<std::string> found;
    for (const ptx::Finding& each : result.findings) found.push_back(each.element + ": " + each.what);
    std::ranges::sort(found);
    EXPECT_EQ(found, (std::vector<std::string>{"p.rows[1][3]: reads; p.rows[1] has 3 elements",
                                               "p.x[40]: reads; p.x has 40 elements",
                                               "p.y[40]: writes; p.y has 40 elements"}));
    EXPECT_EQ(floats("p.y").front(), 1);
    EXPECT_FALSE(prepared_->arguments.arrays.contains("p.bias"));
}

TEST_P(Structures, that_nothing_is_given_of_may_have_nothing) {
    open(
        "struct Twice { __device__ float operator()(float a) const { return 2 * a; } };\n"
        "template <class F> __global__ void map(float* y, F f) { y[0] = f(y[0]); }\n"
        "template __global__ void map<Twice>(float*, Twice);\n");
    EXPECT_EQ(run({{"y", "ones(1)"}}), "");
    EXPECT_EQ(floats("y"), std::vector<float>{2});
    EXPECT_EQ(prepare({{"y", "ones(1)"}, {"f.a", "1"}}), "f.a: f (Twice) has no such member; it has none");
}

TEST_P(Structures, of_a_header_that_is_included_and_of_extern_C) {
    folder_.write("params.h", "#define INTS int a; int b;\nstruct Params { INTS float* y; };\n");
    open(
        "#include \"params.h\"\nextern \"C\" __global__ void k(const struct Params p, unsigned int) { p.y[0] = p.a - "
        "p.b; }\n");
    EXPECT_EQ(run({{"p.a", "7"}, {"p.b", "p.a - 2"}, {"p.y", "out(1)"}}), "");
    EXPECT_EQ(floats("p.y"), std::vector<float>{2});
}

TEST_P(Structures, may_be_indexed_and_changed) {
    open(
        "struct P { float w[9]; int n; float* y; };\n"
        "__device__ __noinline__ float pick(const P& p, int i) { return p.w[i % 9] + p.n; }\n"
        "__global__ void k(P p) {\n    int i = threadIdx.x;\n    p.y[9 + i] = p.w[i];\n    p.w[i] = 5;\n    p.n = i;\n"
        "    P q = p;\n    p.y[i] = q.w[(i + 1) % 9] + pick(p, i);\n}\n");
    EXPECT_EQ(run({{"block", "9"}, {"p.w", "iota(9)"}, {"p", "0"}, {"p.y", "out(18)"}}), "");
    EXPECT_EQ(floats("p.y"), (std::vector<float>{6, 8, 10, 12, 14, 16, 18, 20, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_P(Structures, are_fields_of_the_kernel_view) {
    KernelCheckRequest request;
    request.call = call_of(
        "struct P { int n; float* y; float w[2]; };\n"
        "__global__ void k(P p) { p.y[0] = p.n + p.w[1]; }\n");
    request.call.given = {{"grid", "1"}, {"block", "1"}, {"p.n", "3"}, {"p.gone", "1"}};
    const auto asks = check_kernel(request, {});
    ASSERT_TRUE(asks->prepared) << (asks->problems.empty() ? "" : asks->problems[0].sentence);
    EXPECT_FALSE(asks->result);
    std::string fields;
    for (const ArgumentState& state : asks->prepared->arguments.states)
        if (!state.type.empty()) fields += state.type + " " + state.name + (state.reason.empty() ? "; " : "?; ");
    EXPECT_EQ(fields, "int p.n; float* p.y?; float[2] p.w?; ");
    request.call.given.merge(Given{{"p.y", "out(1)"}, {"p.w", "1, 2"}});
    const auto ran = check_kernel(request, {});
    ASSERT_TRUE(ran->result);
    EXPECT_EQ(ran->verdict, "");
}

TEST_P(Structures, get_the_layers_fields) {
    open(
        "struct Shape { int h, stride; };\n// convscope: s.stride = 3\n"
        "__global__ void k(const float* x, const float* w, float* y, Shape s) { y[0] = x[0] + w[0] + s.h * s.stride; "
        "}\n");
    call_.layer.emplace();
    call_.layer->shape.h = call_.layer->shape.w = 7;
    EXPECT_EQ(prepare({}), "");
    const auto& states = prepared_->arguments.states;
    const auto h = std::ranges::find(states, "s.h", &ArgumentState::name);
    ASSERT_NE(h, states.end());
    EXPECT_EQ(h->origin, Origin::layer);
    EXPECT_EQ(h->text, "7");
}

TEST_P(Structures, that_point_to_pointers_and_functions_are_rejected) {
    open(
        "struct P { float** rows; void (*f)(int); float* y; };\n__global__ void k(P p) { p.y[0] = p.rows ? 1 : 2; }\n");
    EXPECT_EQ(prepare({{"p", "0"}, {"p.rows", "zeros(8)"}}), "'p.rows' is of type float**, which cannot be given");
    EXPECT_EQ(prepare({{"p", "0"}, {"p.f", "zeros(8)"}}), "'p.f' is of type void()*, which cannot be given");
    EXPECT_EQ(run({{"p", "0"}, {"p.y", "out(1)"}}), "");
    EXPECT_EQ(floats("p.y"), std::vector<float>{2});
}

TEST_P(Structures, of_the_file_may_be_called_as_a_vector_is) {
    open(
        "namespace mine { struct float4 { double a; int b; }; }\n"
        "__global__ void k(mine::float4 v, float* y) { y[0] = v.a + v.b; }\n");
    EXPECT_EQ(run({{"v.a", "1.5"}, {"v.b", "2"}, {"y", "out(1)"}}), "");
    EXPECT_EQ(floats("y"), std::vector<float>{3.5});
}

TEST_P(Structures, may_be_told_wrongly) {
    const std::string ptx = ptx::compile_with_types(call_of(all_kinds).file, {});
    const auto whole_bytes = [](const std::string& name) -> std::uint64_t {
        return name == "float4" ? 16 : name == "__half" ? 2 : 0;
    };
    const auto members = [&](const std::string& text) {
        return ptx::parameter_members(text, "_Z1k6Params6TensorIfEi7Unnamed6float4", {200, 16, 4, 32, 16}, whole_bytes);
    };
    const std::size_t begin = ptx.find(".debug_abbrev");
    ASSERT_NE(begin, std::string::npos);
    ASSERT_TRUE(members(ptx));
    EXPECT_EQ(members(ptx)->parameters.size(), 26U);
    std::size_t changed = 0;
    for (std::size_t at = begin; at < ptx.size(); at += 37) {
        const std::size_t digit = ptx.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        std::string other = ptx.substr(begin);
        other[digit - begin] = other[digit - begin] == '9' ? '0' : '9';
        const auto read = members(other);
        changed += !read || read->parameters.size() != 26;
    }
    EXPECT_GT(changed, 0U) << "what is read has no influence";
    EXPECT_FALSE(members(""));
}

}  // namespace
}  // namespace convscope::app
