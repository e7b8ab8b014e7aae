#include "app/program/recorded_launch.h"

#include <charconv>
#include <limits>

#include "kernels/core/error.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t max_bytes = std::uint64_t{1} << 40;  ///< of an array, or of the room around it

[[noreturn]] void reject() {
    throw Error(ErrorKind::failed, "what is kept of this launch cannot be read: the program has written over it");
}

std::span<const std::byte> part(const LaunchMemory& memory, std::uint64_t at, std::uint64_t bytes) {
    if (at > LaunchMemory::size || bytes > LaunchMemory::size - at) reject();
    return memory.bytes().subspan(at, bytes);
}

Dim3 dim3_of(const Json& json) {
    return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>(), json.at(2).get<std::int64_t>()};
}

std::vector<std::byte> bytes_of(const std::string& digits) {
    std::vector<std::byte> bytes(digits.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        unsigned value = 0;
        const char* const at = digits.data() + 2 * i;
        if (std::from_chars(at, at + 2, value, 16).ptr != at + 2) reject();
        bytes[i] = static_cast<std::byte>(value);
    }
    return bytes;
}

RecordedLaunch::Array array_of(const Json& json, const LaunchMemory& memory) {
    RecordedLaunch::Array array;
    array.name = json.at("name").get<std::string>();
    array.address = json.at("address").get<std::uint64_t>();
    array.room = json.at("room").get<std::uint64_t>();
    array.bytes = json.at("bytes").get<std::uint64_t>();
    array.element_bytes = json.at("element_bytes").get<unsigned>();
    array.constant = json.at("constant").get<bool>();
    array.writable = json.at("writable").get<bool>();
    array.freed = json.at("freed").get<bool>();
    if (array.bytes > max_bytes || array.room > max_bytes ||
        array.address > std::numeric_limits<std::uint64_t>::max() - 2 * max_bytes)
        reject();
    if (!json.contains("at")) return array;
    const std::uint64_t words = (array.bytes + 3) / 4;
    const auto all = part(memory, json["at"].get<std::uint64_t>(), array.bytes + words);
    array.data = all.first(array.bytes);
    array.written = all.subspan(array.bytes);
    return array;
}

}  // namespace

RecordedLaunch read_recorded(const Json& event, std::shared_ptr<const LaunchMemory> in) try {
    const Json& kept = event.at("kept");
    RecordedLaunch launch;
    launch.symbol = kept.at("symbol").get<std::string>();
    const auto ptx =
        part(*in, kept.at("ptx").at("at").get<std::uint64_t>(), kept.at("ptx").at("bytes").get<std::uint64_t>());
    launch.ptx.assign(reinterpret_cast<const char*>(ptx.data()), ptx.size());
    launch.grid = dim3_of(event.at("grid"));
    launch.block = dim3_of(event.at("block"));
    launch.cooperative = kept.value("cooperative", false);
    if (kept.contains("cluster")) launch.cluster = dim3_of(kept["cluster"]);
    launch.shared_bytes = kept.at("dynamic_bytes").get<std::uint64_t>();
    for (const Json& argument : kept.value("arguments", Json::array()))
        launch.arguments.push_back(bytes_of(argument.get<std::string>()));
    launch.variables = kept.at("variables").get<std::vector<std::uint64_t>>();
    launch.host_pages = kept.at("host_pages").get<std::set<std::uint64_t>>();
    std::uint64_t behind = 0, all = 0;
    for (const Json& json : kept.at("memory")) {
        launch.memory.push_back(array_of(json, *in));
        const RecordedLaunch::Array& array = launch.memory.back();
        if (!array.freed) all += array.bytes;
        if (array.address < behind || all > LaunchMemory::size) reject();
        behind = array.address + array.bytes;
    }
    launch.in = std::move(in);
    return launch;
} catch (const Json::exception&) {
    reject();
}

}  // namespace convscope::app
