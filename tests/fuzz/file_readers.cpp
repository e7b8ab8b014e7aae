// Readers of kernels/: files of arrays, layers and records, kernels and their PTX, and the messages of the measuring
// process.
#include "tests/fuzz/readers.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/files/npy.h"
#include "kernels/files/npy_bytes.h"
#include "kernels/files/npy_header.h"
#include "kernels/files/safetensors.h"
#include "kernels/formats/format_file.h"
#include "kernels/layers/preset.h"
#include "kernels/measure/isolated/wire_types.h"
#include "kernels/onnx/input_file.h"
#include "kernels/onnx/onnx_model.h"
#include "kernels/ptx/run/launch.h"
#include "kernels/ptx/text/expression.h"
#include "kernels/ptx/text/kernel_text.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/json_read.h"
#include "kernels/records/read_table.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/row_query.h"
#include "tests/fuzz/memory_file.h"

namespace convscope::testing {
namespace {

void read_npy_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    accepted([&] { read_npy(file.path()); });
    accepted([&] { read_npy_bytes(file.path()); });
}

/// A matrix that was read comes back from a file of each of its formats.
void read_matrix(std::string_view bytes) {
    MatrixFile file;
    if (!accepted([&] { file = read_matrix_npz("a.npz", NpzFile("a.npz", std::string(bytes))); })) return;
    const FormatArrays coo = build_from_entries(find_sparse_format("coo"), file.matrix, false);
    const SparseMatrix again = read_matrix_npz("b.npz", NpzFile("b.npz", matrix_npz_bytes(coo))).matrix;
    require(build_from_entries(find_sparse_format("coo"), again, false).arrays.back().words == coo.arrays.back().words,
            "a matrix that was read is not what it is once it was written");
}

void read_safetensors(std::string_view bytes) {
    const MemoryFile memory(bytes);
    const auto taken = [&](auto read) { return accepted([&] { reading_npy(memory.path(), "tensors", read); }); };
    std::unique_ptr<SafetensorsFile> file;
    if (!taken([&] { file = std::make_unique<SafetensorsFile>(memory.path()); })) return;
    for (const std::string& name : file->names())
        taken([&] { require(file->read(name).shape == file->shape(name), "a tensor was read in another shape"); });
}

void read_preset_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    accepted([&] { load_preset_file(file.path()); });
}

std::vector<std::string> rows_of(const std::vector<Record>& records) {
    std::vector<std::string> rows;
    for (const Record& record : records) rows.push_back(csv_row(record));
    return rows;
}

void read_csv_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    accepted([&] { read_table(file.path(), {.threads = 1}); });
    CsvContent before;
    if (!accepted([&] { before = read_csv(file.path()); })) return;
    const std::vector<std::string> rows = rows_of(before.records);
    std::string text = csv_header() + "\r\n";
    for (const std::string& row : rows) text += row + "\r\n";
    require(rows_of(read_csv("again.csv", text).records) == rows,
            "rows that were read do not read as they are written");
    if (!accepted([&] { CsvFile going_on(file.path()); })) return;
    require(rows_of(read_csv(file.path()).records) == rows, "going on with a file changes the rows that it has");
}

void read_json_records(std::string_view bytes) {
    accepted([&] { read_json("a.json", std::string(bytes)); });
}

void read_query(std::string_view bytes) {
    accepted([&] { parse_query(std::string(bytes)); });
}

template <class Value>
void read_message(std::string_view bytes) {
    try {
        unpacked<Value>(bytes);
    } catch (const std::out_of_range&) {  // what it owes to a message that is cut short
    }
}

void read_wire(std::string_view bytes) {
    read_message<PointRequest>(bytes);
    read_message<Record>(bytes);
    read_message<Progress>(bytes);
}

/// The source of a kernel 'f', with the comment that says how it is called.
void read_kernel_source(std::string_view bytes) {
    accepted([&] {
        const auto text = ptx::read_kernel_text(std::string(bytes), "a.cu", "f");
        if (!text) return;
        for (const auto& call : text->call)
            for (const std::string& each : call.second)
                accepted([&] { ptx::evaluate(each, ptx::names_of(ConvShape{}), call.first); });
    });
}

/// One warp runs it, on arrays of 64 words.
void run_entry(const ptx::Module& module, const ptx::Function& entry) {
    constexpr std::uint64_t largest_value = 4096;
    const ptx::Program program = ptx::make_program(module, entry);
    std::array<std::byte, 256> array{};
    ptx::LaunchRequest request;
    request.block = {32, 1, 1};
    request.max_seconds = 0.2;
    request.max_warp_instructions = 10'000;
    request.workers = 1;
    for (const ptx::Parameter& parameter : program.parameters) {
        ptx::Argument& argument = request.arguments.emplace_back();
        if (parameter.bytes == sizeof(std::uint64_t))
            argument.array = ptx::ArrayArgument{.name = parameter.name, .data = array};
        else if (parameter.bytes <= largest_value)
            argument.value.resize(parameter.bytes);
    }
    ptx::run(program, request);
}

void read_ptx(std::string_view bytes) {
    ptx::Module module;
    if (!accepted([&] { module = ptx::read_module(bytes, "a.ptx"); })) return;
    for (const ptx::Function& function : module.functions)
        if (function.entry) accepted([&] { run_entry(module, function); });
}

void read_model_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    OnnxModel model;
    if (!accepted([&] { model = read_onnx(file.path()); })) return;
    accepted([&] { model_input(model); });
    for (const auto& [name, tensor] : model.constants) {
        accepted([&] { floats_of(model, tensor); });
        accepted([&] { integers_of(model, tensor); });
    }
}

/// The input of a model of pictures.
void read_model_input(std::string_view bytes) {
    const MemoryFile file(bytes);
    OnnxModel model;
    model.inputs = {{.name = "x", .type = 1, .shape = NpyShape{-1, 3, 8, 8}}};
    accepted([&] { read_input(file.path(), model, {.resize = Resize::bilinear, .mean = {}, .std = {}}); });
    accepted([&] { read_input(file.path(), model, {}); });
}

constexpr FuzzedReader of_files[] = {{"csv", read_csv_file},
                                     {"input", read_model_input},
                                     {"json", read_json_records},
                                     {"kernel", read_kernel_source},
                                     {"npy", read_npy_file},
                                     {"npz", read_matrix},
                                     {"onnx", read_model_file},
                                     {"preset", read_preset_file},
                                     {"ptx", read_ptx},
                                     {"query", read_query},
                                     {"safetensors", read_safetensors},
                                     {"wire", read_wire}};

}  // namespace

std::span<const FuzzedReader> file_readers() {
    return of_files;
}

}  // namespace convscope::testing
