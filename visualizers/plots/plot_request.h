// Requests of a plot's right-click menu to the app.
#pragma once

namespace convscope {

enum class PlotRequest { none, save_png, save_svg, save_csv, copy_csv, copy_command };

}  // namespace convscope
