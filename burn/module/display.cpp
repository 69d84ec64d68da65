#include <burn/module/display.h>

#include <ostream>

namespace burn {

namespace detail {

void ModulePrinter::line(const std::string& text) {
    text_ += std::string(static_cast<std::size_t>(depth_ * options_.indent), ' ') + text + '\n';
}

void ModulePrinter::tensor_line(const Path& path, const char* what, const TensorSpec& spec, const std::string& more) {
    Message message;
    message << path.last() << ": " << what;
    if (options_.shapes) message << ' ' << spec.dtype << ' ' << spec.shape;
    line(message.text() + more);
}

void ModulePrinter::param(const Path& path, const AnyParam& param) {
    std::string more;
    if (options_.param_ids) more += ", id " + std::to_string(param.id());
    if (param.frozen()) more += ", frozen";
    tensor_line(path, "Param", param.spec(), more);
}

void ModulePrinter::running_state(const Path& path, const AnyRunningState& state) {
    const ops::Handle value = state.value();
    if (value) tensor_line(path, "RunningState", value.spec());
}

void ModulePrinter::tensor(const Path& path, const ops::Handle& tensor) { tensor_line(path, "Tensor", tensor.spec()); }

void ModulePrinter::constant(const Path& path, const ConstantField& field) {
    if (!options_.constants || field.write == nullptr) return;
    Message message;
    message << path.last() << ": ";
    field.write(message, field.value);
    line(message.text());
}

void ModulePrinter::enter(const Path& path, const char* type) {
    line(std::string(path.last()) + ": " + type + " {");
    ++depth_;
}

void ModulePrinter::leave(const Path&, const char* type) {
    --depth_;
    // A module that printed nothing stays on its line: "relu: Relu".
    const std::string opened = std::string(type) + " {\n";
    if (text_.size() >= opened.size() && text_.compare(text_.size() - opened.size(), opened.size(), opened) == 0) {
        text_.resize(text_.size() - 3);
        text_ += '\n';
        return;
    }
    line("}");
}

std::string ModulePrinter::finish(const char* type, std::int64_t params) {
    depth_ = 1;
    line("params: " + std::to_string(params));
    return std::string(type) + " {\n" + text_ + "}";
}

}  // namespace detail

std::ostream& write(std::ostream& stream, const std::string& text) { return stream << text; }

}  // namespace burn
