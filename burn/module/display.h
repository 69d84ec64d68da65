#pragma once

#include <burn/module/module.h>

#include <iosfwd>
#include <string>

namespace burn {

/// What the printed form of a module shows.
struct DisplayOptions {
    bool shapes = true;  ///< of parameters, states and tensors
    bool param_ids = false;
    bool constants = true;  ///< fields that are no state
    int indent = 2;
};

namespace detail {
class ModulePrinter final : public ModuleVisitor {
public:
    explicit ModulePrinter(const DisplayOptions& options) : options_(options) {}
    void param(const Path& path, const AnyParam& param) override;
    void running_state(const Path& path, const AnyRunningState& state) override;
    void tensor(const Path& path, const ops::Handle& tensor) override;
    void constant(const Path& path, const ConstantField& field) override;
    void enter(const Path& path, const char* type) override;
    void leave(const Path& path, const char* type) override;

    std::string finish(const char* type, std::int64_t params);

private:
    void line(const std::string& text);
    void tensor_line(const Path& path, const char* what, const TensorSpec& spec, const std::string& more = {});

    DisplayOptions options_;
    std::string text_;
    int depth_ = 1;
};
}  // namespace detail

/// The module as text: its fields line by line, nested modules indented, and the number of its parameters.
template <Module M>
std::string to_string(const M& module, const DisplayOptions& options = {}) {
    detail::ModulePrinter printer(options);
    visit_module(module, printer);
    return printer.finish(M::kModuleName, num_params(module));
}

std::ostream& write(std::ostream& stream, const std::string& text);

template <Module M>
std::ostream& operator<<(std::ostream& stream, const M& module) {
    return write(stream, to_string(module));
}

}  // namespace burn
