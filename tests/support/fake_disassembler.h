// Stands in for nvdisasm where the machine has none: for whatever kernel, an instruction of each line that it is told.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace convscope::testing {

/// Makes 'folder'/nvdisasm, and puts the folder at the end of the PATH.
inline void put_fake_disassembler(const std::filesystem::path& folder, const std::string& symbol,
                                  const std::string& file) {
    std::ofstream script(folder / "nvdisasm");
    script << "#!/bin/sh\ncat <<'END'\n.text." << symbol << ":\n";
    for (int line = 1; line < 8; ++line)
        script << "\t//## File \"" << file << "\", line " << line << "\n        /*00" << line
               << "0*/                   MOV R1, c[0x0][0x28] ;\n";
    script << "        /*0080*/                   EXIT ;\nEND\n";
    script.close();
    std::filesystem::permissions(folder / "nvdisasm", std::filesystem::perms::owner_all);
    const char* path = std::getenv("PATH");
    setenv("PATH", ((path ? path : "") + (":" + folder.string())).c_str(), 1);
}

}  // namespace convscope::testing
