#include "tests/kernels/ptx/sample.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "kernels/core/random.h"

namespace convscope::ptx::testing {

Sample::Sample(const std::string& text, const std::string& entry, const std::string& name)
    : module(std::make_unique<Module>(read_module(text, name))) {
    for (const Function& function : module->functions)
        if (function.entry && (entry.empty() || function.name == entry)) {
            program = make_program(*module, function);
            return;
        }
    throw std::runtime_error(name + " has no kernel " + entry);
}

std::vector<std::string> Sample::lines(const LaunchResult& result) const {
    std::vector<std::string> all;
    for (const Finding& finding : result.findings) all.push_back(finding.line(*module));
    return all;
}

std::string sample_text(const std::string& name) {
    std::ifstream in(CONVSCOPE_SAMPLES "/" + name + ".ptx");
    std::stringstream text;
    if (!(text << in.rdbuf())) throw std::runtime_error("there is no sample " + name);
    return text.str();
}

Sample sample(const std::string& name, const std::string& entry) {
    return Sample(sample_text(name), entry, name + ".ptx");
}

Sample sample_of_body(const std::string& parameters, const std::string& body) {
    return Sample(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(" + parameters +
            ")\n{ .reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<20>; "
            ".reg .f64 %fd<20>;\n" +
            body + "\nret;\n}\n",
        "k", "body.ptx");
}

std::vector<float> random_floats(std::size_t n, std::uint64_t seed) {
    const Random random(seed, Stream::x_values);
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = random.nonzero_at(i);
    return values;
}

}  // namespace convscope::ptx::testing
