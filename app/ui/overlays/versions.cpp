#include "app/ui/overlays/versions.h"

#define GLFW_INCLUDE_NONE  // epoxy declares OpenGL
#include <GLFW/glfw3.h>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>

#include "kernels/core/version.h"

namespace convscope::app {
namespace {

std::string of_gl(GLenum name) {
    const auto* text = reinterpret_cast<const char*>(glGetString(name));
    return text ? text : "none";
}

/// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0".
std::string operating_system() {
    std::string name = "Linux";
    std::ifstream file("/etc/os-release");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("PRETTY_NAME=\"")) name = line.substr(13, line.size() - 14);
    utsname system{};
    if (uname(&system) == 0) name += fmt::format(", {} {}", system.sysname, system.release);
    return name;
}

/// "9.0, driver 580.65, CUDA 13.0, cuDNN 9.14.0", of what there is.
std::string describe_device(const DeviceInfo& info) {
    std::string text = info.name;
    auto add = [&text](const char* name, const std::string& value) {
        if (!value.empty()) text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name, value);
    };
    add("compute capability ", info.compute_capability);
    add("driver ", info.driver_version);
    add("CUDA ", info.cuda_version);
    add("", info.vendor_version);
    if (!info.available) add("not available: ", info.reason);
    if (info.available) add("", info.vendor_reason);
    return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> versions(const Registry& registry, const Fonts& fonts) {
    std::vector<std::pair<std::string, std::string>> list{{"convscope", program_version()}};
    for (const DeviceInfo* info : registry.devices()) list.emplace_back(info->id, describe_device(*info));
    list.emplace_back("OpenGL", of_gl(GL_VERSION));
    list.emplace_back("drawn by", of_gl(GL_RENDERER));
    list.emplace_back("Dear ImGui", IMGUI_VERSION);
    list.emplace_back("GLFW", glfwGetVersionString());
    list.emplace_back("fonts", fonts.note.empty() ? "Inter, JetBrains Mono" : fonts.note);
    list.emplace_back("system", operating_system());
    return list;
}

std::string versions_text(const std::vector<std::pair<std::string, std::string>>& list) {
    std::string text;
    for (const auto& [name, version] : list) text += fmt::format("{}: {}\n", name, version);
    return text;
}

}  // namespace convscope::app
