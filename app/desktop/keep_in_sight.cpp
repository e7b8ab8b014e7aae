#include "app/desktop/keep_in_sight.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

namespace convscope::app {
namespace {

GLFWwindow* watched = nullptr;  // GLFW's monitor callback carries no pointer of ours

struct Area {
    int x = 0, y = 0, width = 0, height = 0;
};

Area work_area(GLFWmonitor* monitor) {
    Area area;
    glfwGetMonitorWorkarea(monitor, &area.x, &area.y, &area.width, &area.height);
    return area;
}

/// Enough of the window to take hold of.
bool shows(const Area& monitor, const Area& window) {
    constexpr int min_width = 96, min_height = 48;
    const int width = std::min(monitor.x + monitor.width, window.x + window.width) - std::max(monitor.x, window.x);
    const int height = std::min(monitor.y + monitor.height, window.y + window.height) - std::max(monitor.y, window.y);
    return width >= min_width && height >= min_height;
}

/// A window that was made on a larger screen becomes no larger than this one.
void fit(GLFWwindow* window, const Area& now, const Area& monitor) {
    if (monitor.width <= 0 || (now.width <= monitor.width && now.height <= monitor.height)) return;
    const int width = std::min(now.width, monitor.width), height = std::min(now.height, monitor.height);
    glfwSetWindowSize(window, width, height);
    glfwSetWindowPos(window, std::clamp(now.x, monitor.x, monitor.x + monitor.width - width),
                     std::clamp(now.y, monitor.y, monitor.y + monitor.height - height));
}

void bring_into_sight(GLFWwindow* window) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    if (count == 0) return;  // the last one is gone: it comes back, or another does
    // Under Wayland the compositor alone places windows, and GLFW reports 0, 0.
    Area now;
    glfwGetWindowPos(window, &now.x, &now.y);
    glfwGetWindowSize(window, &now.width, &now.height);
    for (int i = 0; i < count; ++i) {
        const Area monitor = work_area(monitors[i]);
        if (!shows(monitor, now)) continue;
        fit(window, now, monitor);
        return;
    }
    const Area target = work_area(monitors[0]);
    if (target.width <= 0 || target.height <= 0) return;
    glfwSetWindowSize(window, std::min(now.width, target.width), std::min(now.height, target.height));
    glfwSetWindowPos(window, target.x + std::max(0, target.width - now.width) / 2,
                     target.y + std::max(0, target.height - now.height) / 2);
}

/// Also when one comes: the desktop may have put the others elsewhere.
void on_monitor(GLFWmonitor*, int) {
    if (watched) bring_into_sight(watched);
}

}  // namespace

void keep_in_sight(GLFWwindow* window) {
    watched = window;
    glfwSetMonitorCallback(window ? on_monitor : nullptr);
    if (window && !glfwGetWindowAttrib(window, GLFW_MAXIMIZED)) bring_into_sight(window);
}

}  // namespace convscope::app
